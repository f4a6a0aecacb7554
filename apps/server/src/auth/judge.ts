/** Judges what players choose as passwords in a thread of its own: one at a time, few waiting, none for long. */
import type { Worker } from 'node:worker_threads';
import { CodedError } from '@fairgame/contract';
import { startThread } from '../thread.ts';
import type { Question, Verdict } from './password-thread.ts';
import type { Judge } from './passwords.ts';

const MOST_WAITING = 10;
/** The thread has to read its word lists first; after that the worst password takes a fifth of a second. */
const PATIENCE_MS = 20_000;

interface Waiting {
  answer(isCommon: boolean): void;
  fail(): void;
  timer: NodeJS.Timeout;
}

export interface PasswordJudge {
  /** Throws RATE_LIMITED when too many wait, or when the thread gives no answer. */
  isCommon: Judge;
  stop(): Promise<void>;
}

export function createJudge(
  start: () => Worker = () => startThread('password-thread', import.meta.url),
): PasswordJudge {
  let thread: Worker | null = null;
  let asked = 0;
  const waiting = new Map<number, Waiting>();

  function settle(id: number, how: (one: Waiting) => void): void {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    clearTimeout(one.timer);
    how(one);
  }

  /** A thread that hangs or died takes nobody with it: the next question starts another. */
  async function giveUp(failed: Worker): Promise<void> {
    if (thread === failed) {
      thread = null;
      for (const id of waiting.keys()) settle(id, (one) => one.fail());
    }
    await failed.terminate();
  }

  function running(): Worker {
    if (thread) return thread;
    const started = start();
    started.unref();
    started.on('message', ({ id, isCommon }: Verdict) => settle(id, (one) => one.answer(isCommon)));
    started.once('error', () => void giveUp(started));
    started.once('exit', () => void giveUp(started));
    thread = started;
    return started;
  }

  return {
    isCommon(password, userName) {
      if (waiting.size >= MOST_WAITING) return Promise.reject(new CodedError('RATE_LIMITED', { retryAfterS: 5 }));
      const worker = running();
      const id = ++asked;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => void giveUp(worker), PATIENCE_MS);
        const fail = () => reject(new CodedError('RATE_LIMITED', { retryAfterS: 5 }));
        waiting.set(id, { answer: resolve, fail, timer });
        worker.postMessage({ id, password, userName } satisfies Question);
      });
    },
    async stop() {
      if (thread) await giveUp(thread);
    },
  };
}
