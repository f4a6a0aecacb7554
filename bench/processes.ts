/** What a bench and the processes it starts say to each other. */
import type { ChildProcess } from 'node:child_process';

/** The next message of this name; throws when the process ends before. */
export function heard<T>(child: ChildProcess, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      child.off('message', listen);
      child.off('exit', ended);
    };
    const listen = (message: unknown) => {
      if ((message as { what: string }).what !== what) return;
      stop();
      resolve(message as T);
    };
    const ended = () => {
      stop();
      reject(new Error(`a process of the bench ended before it said ${what}`));
    };
    child.on('message', listen);
    child.once('exit', ended);
  });
}

export function measured<T>(child: ChildProcess): Promise<T> {
  const answer = heard<T>(child, 'measured');
  child.send({ what: 'measure' });
  return answer;
}
