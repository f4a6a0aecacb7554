/** The program itself in a process of its own, as `npm start` runs it: to be ended or killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const started: ChildProcess[] = [];

export interface Program {
  child: ChildProcess;
  output: () => string;
  /** The exit code; null after a kill. */
  ended: Promise<number | null>;
}

/** For afterAll: nothing outlives its test. */
export function endPrograms(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** `env` names at least PORT and FAIRGAME_DATA. */
export function runProgram(env: Record<string, string>): Program {
  // `npm test` built the program before: it starts as it is shipped, and at once. A single file runs what is written now; not
  // by the command of tsx, since that is a second process, and a kill would hit the wrong one.
  const program = process.env.FAIRGAME_TEST_BUILT
    ? ['--enable-source-maps', join(root, 'apps/server/dist/main.js')]
    : ['--import', 'tsx', join(root, 'apps/server/src/main.ts')];
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', FAIRGAME_ROOT: root, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, output: () => output, ended };
}

/** Resolves when it says it is ready; throws with what it said when it ends before. */
export async function startProgram(env: Record<string, string>, waitMs = 100_000): Promise<Program> {
  const program = runProgram(env);
  const until = Date.now() + waitMs;
  while (!program.output().includes('is ready at')) {
    if (Date.now() > until || program.child.exitCode !== null) throw new Error(`not ready: ${program.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return program;
}
