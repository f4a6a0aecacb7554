import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { endPrograms, freePort, root, runProgram, startProgram } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairgame-life-'));
afterAll(() => {
  endPrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** `npm run operator -- ...` as it is typed on the same machine. */
function operator(port: number, args: string[]): Promise<{ code: number | null; output: string }> {
  const script = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/operator.ts'), ...args];
  const child = spawn(process.execPath, script, { env: { ...process.env, FAIRGAME_DATA: folder, PORT: String(port) } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

describe('the program', () => {
  it('starts on an empty folder with demo players, ends in order on SIGTERM, and knows its sessions after a restart', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/api`;
    const first = await startProgram({ FAIRGAME_DATA: folder, FAIRGAME_FEED: 'none', PORT: String(port) });
    const [, password] = /^ {2}alice +(\S+)/m.exec(first.output())!;
    for (const name of ['alice', 'bob', 'carol', 'dave']) expect(first.output()).toContain(`  ${name} `);
    const login = async (userName: string, word: string) => {
      const response = await fetch(`${url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userName, password: word }),
      });
      return (
        (await response.json()) as { data: { token: string; authenticatorType: number; forceChangePassword: boolean } }
      ).data;
    };
    const session = await login('alice', password!);
    const profile = () => fetch(`${url}/user/profile`, { headers: { authorization: `Bearer ${session.token}` } });
    expect((await profile()).status).toBe(200);
    expect((await login('carol', /^ {2}carol +(\S+)/m.exec(first.output())![1]!)).authenticatorType).toBe(2);
    expect((await login('dave', /^ {2}dave +(\S+)/m.exec(first.output())![1]!)).forceChangePassword).toBe(true);
    expect(statSync(folder).mode & 0o077).toBe(0);
    const created = await operator(port, ['create-player', 'zoe', '--credit', '100.00', '--json']);
    expect(created.code).toBe(0);
    expect(
      (await login('zoe', (JSON.parse(created.output) as { password: string }).password)).forceChangePassword,
    ).toBe(true);
    expect((await operator(port, ['credit', 'zoe', '-25.00', '--reason', 'a test'])).output).toContain(
      'balanceMinor: 75.00',
    );
    expect(await operator(port, ['credit', 'zoe', '-75.01', '--reason', 'a test'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('INSUFFICIENT_FUNDS'),
    });
    expect((await operator(port, ['credit', 'zoe', 'much', '--reason', 'a test'])).code).toBe(2);
    expect((await operator(port, ['help'])).output).toContain('force-logout');
    expect(statSync(join(folder, 'operator-operator.token')).mode & 0o777).toBe(0o600);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.output()).not.toContain(session.token.slice(0, 12));

    const second = await startProgram({ FAIRGAME_DATA: folder, FAIRGAME_FEED: 'none', PORT: String(port) });
    expect(second.output()).toContain(password);
    const told = (await (await profile()).json()) as { data: { userName: string } };
    expect(told.data.userName).toBe('alice');
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  }, 240_000);

  it('asks for SIGTERM before it is ready: as the first process of a container it would not be ended by it else', async () => {
    // A database that takes the connection and says nothing: the start waits.
    const silent = createServer().listen(0, '127.0.0.1');
    const reached = new Promise((resolve) => silent.once('connection', resolve));
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const url = `postgres://fairgame@127.0.0.1:${port}/fairgame`;
    const { child, ended } = runProgram({ FAIRGAME_DATA: join(folder, 'waits'), DATABASE_URL: url, PORT: '0' });
    await reached;
    child.kill('SIGTERM');
    // Null where the signal itself ended it.
    expect(await ended).toBe(0);
    silent.close();
  }, 60_000);
});
