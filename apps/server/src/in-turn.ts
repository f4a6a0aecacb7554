import { CodedError } from '@fairgame/contract';

/**
 * Work under one name goes one after the other; other names go beside it. With `most`, so many may wait under a name, and
 * the next is refused with RATE_LIMITED.
 */
export function inTurn<Name extends string | number>(
  most = Number.POSITIVE_INFINITY,
): <T>(name: Name, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<Name, { last: Promise<unknown>; waiting: number }>();
  return (name, work) => {
    const queue = queues.get(name) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= most) return Promise.reject(new CodedError('RATE_LIMITED', { retryAfterS: 2 }));
    queue.waiting += 1;
    const run = queue.last.then(work);
    queue.last = run
      .catch(() => undefined)
      .then(() => {
        queue.waiting -= 1;
        if (queue.waiting === 0) queues.delete(name);
      });
    queues.set(name, queue);
    return run;
  };
}
