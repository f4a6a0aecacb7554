import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReplaySummary } from '../src/feed/replay/summary.ts';
import { FIXTURES, makeTroubled } from './replay-fixtures.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const RACE = join(FIXTURES, 'race.jsonl');

describe('npm run replay', () => {
  it('--json gives the counts, the markets and a hash; the packed file gives the same', async () => {
    const plain = await replay(['--json', RACE]);
    expect(plain.code).toBe(0);
    const summary = JSON.parse(plain.stdout) as ReplaySummary;
    expect(summary).toMatchObject({ images: 3, stateChanges: 7, refused: 0, crossed: 0, offLadder: 0, malformed: [] });
    expect(summary.lines).toBe(summary.images + summary.deltas);
    expect(summary.markets['1.900000001']).toMatchObject({
      status: 'CLOSED',
      inPlay: true,
      winners: [12],
      removed: [13],
      runners: 4,
    });
    expect(summary.hash).toMatch(/^[0-9a-f]{64}$/);
    const packed = JSON.parse((await replay(['--json', join(FIXTURES, 'race.jsonl.bz2')])).stdout) as ReplaySummary;
    expect(packed).toEqual(summary);
  });

  it('several files are one run; malformed lines are counted and the exit is 0', async () => {
    const troubled = join(FIXTURES, 'troubled.jsonl');
    const { code, stdout } = await replay([RACE, join(FIXTURES, 'golf.jsonl'), troubled, '--json', '--speed', 'max']);
    expect(code).toBe(0);
    const summary = JSON.parse(stdout) as ReplaySummary;
    expect(summary.malformed).toEqual(makeTroubled().malformed.map((one) => ({ file: troubled, ...one })));
    expect(summary.markets['1.900000002']).toMatchObject({ status: 'CLOSED', winners: [21, 24], numberOfWinners: 2 });
    expect(summary.markets['1.900000005']).toMatchObject({ status: 'OPEN', winners: [] });
  });

  it('reads standard input', async () => {
    const { code, stdout } = await replay(['-', '--json'], join(FIXTURES, 'race.jsonl.bz2'));
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as ReplaySummary).markets['1.900000001']!.winners).toEqual([12]);
  });

  it('a file that cannot be read is a failure, told in one line; the others are still read', async () => {
    const { code, stdout, stderr } = await replay([join(FIXTURES, 'race-lzma.zip'), RACE]);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(
      /^cannot read .*race-lzma\.zip!race\.jsonl: zip compression LZMA is not supported, unpack it first$/,
    );
    expect(stdout).toContain('1.900000001  CLOSED in play  won by 12');
  });

  it('in text, names each bad line and each market', async () => {
    const { stdout } = await replay([join(FIXTURES, 'troubled.jsonl'), join(FIXTURES, 'football.jsonl')]);
    expect(stdout).toContain('troubled.jsonl:8: not JSON');
    expect(stdout).toContain('1.900000004  CLOSED in play  won by 47973');
    expect(stdout).toContain('1 refused');
  });

  it('refuses wrong arguments with the usage', async () => {
    for (const args of [[], ['--speed', 'fast', RACE], ['--speed', '0', RACE], ['--what', RACE]]) {
      const { code, stderr } = await replay(args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain('usage: npm run replay');
    }
  });

  it('--speed N waits by publish time and tells the state changes as they come', async () => {
    const startedAt = Date.now();
    const { stdout } = await replay(['--speed', '400', join(FIXTURES, 'football.jsonl')]);
    expect(Date.now() - startedAt).toBeGreaterThan(480);
    expect(stdout).toContain('2023-11-14 22:14:20  1.900000003  OPEN in play  Match Odds');
  });
});

function replay(args: string[], stdin?: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/replay.ts', ...args], {
      cwd: ROOT,
      stdio: 'pipe',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.on('close', (code) => done({ code, stdout, stderr }));
    if (stdin) createReadStream(stdin).pipe(child.stdin);
    else child.stdin.end();
  });
}
