// Loaded into a service before it starts (node --import): writes the longest turn of its event loop to a file, as CPU
// time, which other processes do not disturb, and as the delay that the event loop had.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const WRITE_EVERY_MS = 50;
const directory = process.env['TURNS_DIRECTORY'] ?? '';
const file = join(directory, String(process.pid));
const delays = monitorEventLoopDelay({ resolution: 1 });
let longestMs = 0;
let usedMs = 0;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

delays.enable();
setInterval(() => {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - usedMs);
  usedMs = now;
}, 1).unref();
setInterval(() => {
  // The experiment removes the directory, and the process ends later.
  if (existsSync(directory)) writeFileSync(file, `${longestMs} ${delays.max / 1e6}`);
}, WRITE_EVERY_MS).unref();

/** Forgets the long turns of the start. This signal, because services end on most others. */
process.on('SIGWINCH', () => {
  longestMs = 0;
  usedMs = cpuMs();
  delays.reset();
});
