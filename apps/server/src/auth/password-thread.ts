/** Judges passwords, so that nothing else waits while it does. */
import { parentPort } from 'node:worker_threads';
import { isCommon } from './common-passwords.ts';

export interface Question {
  id: number;
  password: string;
  userName: string;
}
export interface Verdict {
  id: number;
  isCommon: boolean;
}

const port = parentPort!;
port.on('message', ({ id, password, userName }: Question) => {
  port.postMessage({ id, isCommon: isCommon(password, userName) } satisfies Verdict);
});
