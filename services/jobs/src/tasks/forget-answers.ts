import type { AnswerStore } from '../store/answer-store.ts';

/** Jobs may be megabytes each, and each is written anew: a chunk must end well within the socket's time-out. */
const CHUNK = 50;

/** Drops the kept answers whose time is over from their jobs. Those of deleted jobs go with their tombstones. */
export function forgetAnswers(answers: AnswerStore, stopping: AbortSignal) {
  return async (): Promise<void> => {
    while (!stopping.aborted) {
      if ((await answers.forgetExpired(CHUNK)) < CHUNK) return;
    }
  };
}
