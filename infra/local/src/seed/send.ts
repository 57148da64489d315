import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../bootstrap/terminal.mjs';

const attempts = 5;
const pauseMs = 500;

/** Sends a request and returns the text of its answer. Retries when the service is busy. */
export async function send(url: string, request: RequestInit): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, request);
    const text = await response.text();
    if (response.ok) return text;
    if (![429, 503, 504].includes(response.status) || attempt === attempts) {
      throw new Problem(
        `The demo could not be seeded: ${request.method ?? 'GET'} ${url} answered ${response.status} ${text}`,
      );
    }
    await delay(pauseMs * attempt);
  }
}
