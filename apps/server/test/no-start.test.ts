import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { expect, it } from 'vitest';
import { whyNoStart } from '../src/no-start.ts';

const thrown = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

it('a start that fails says in a sentence what to do where that is known, else what failed', async () => {
  // A disk that has no room for a byte.
  expect(whyNoStart(thrown(() => writeFileSync('/dev/full', 'x')))).toBe(
    'fairGame did not start: the disk of its data folder (FAIRGAME_DATA) has no room left (ENOSPC: no space left on device, write)',
  );
  const listen = (server: Server, port: number) =>
    new Promise<unknown>((resolve) => {
      server.once('error', resolve);
      server.listen(port, '127.0.0.1', () => resolve(undefined));
    });
  const [first, second] = [createServer(), createServer()];
  await listen(first, 0);
  const { port } = first.address() as { port: number };
  expect(whyNoStart(await listen(second, port))).toMatch(/^The port is in use\. .*EADDRINUSE/);
  first.close();
  expect(whyNoStart(new Error('no such folder'))).toBe('fairGame did not start: no such folder');
  expect(whyNoStart(null)).toBe('fairGame did not start: null');
});
