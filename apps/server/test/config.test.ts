import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig, maskConfig } from '../src/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairgame-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SECRET = '8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0';
const LIVE = {
  FAIRGAME_PROFILE: 'production',
  FAIRGAME_DATA: folder,
  FAIRGAME_SECRET: SECRET,
  DATABASE_URL: 'postgres://site:word@db.example/fair',
  FAIRGAME_ORIGIN: 'https://play.example',
  FAIRGAME_SUPPORT: 'help@play.example',
};

describe('configuration', () => {
  it('needs nothing on a local machine; secrets are made once and are for the owner only', () => {
    const one = loadConfig({ FAIRGAME_DATA: folder });
    expect(one).toMatchObject({
      profile: 'local',
      port: 3000,
      host: '127.0.0.1',
      feed: 'simulated',
      demoPlayers: true,
      trustProxy: [],
    });
    expect(one.secretKey).toHaveLength(32);
    expect(loadConfig({ FAIRGAME_DATA: folder }).secretKey.equals(one.secretKey)).toBe(true);
    for (const name of ['secret', 'operator.json']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('[SEC-C2] a live site does not start without its secret, with a short one, or with an example', () => {
    expect(loadConfig(LIVE).secretKey.toString('hex')).toBe(SECRET);
    const start = (change: Record<string, string | undefined>) => () => loadConfig({ ...LIVE, ...change });
    expect(start({ FAIRGAME_SECRET: undefined })).toThrow('FAIRGAME_SECRET is missing');
    for (const secret of ['short', 'changeme'.repeat(8), '0'.repeat(64), '0123456789abcdef'.repeat(4)]) {
      expect(start({ FAIRGAME_SECRET: secret })).toThrow('FAIRGAME_SECRET must be 32 random bytes');
    }
    expect(start({ FAIRGAME_OPERATOR_PASSWORD: 'too short' })).toThrow('FAIRGAME_OPERATOR_PASSWORD');
  });

  it('[CAR-43] a live site does not start without a support text, a database or its https address', () => {
    const start = (change: Record<string, string | undefined>) => () => loadConfig({ ...LIVE, ...change });
    expect(start({ FAIRGAME_SUPPORT: undefined })).toThrow('FAIRGAME_SUPPORT is missing');
    expect(start({ DATABASE_URL: undefined })).toThrow('DATABASE_URL is missing');
    expect(start({ FAIRGAME_ORIGIN: 'http://play.example' })).toThrow('FAIRGAME_ORIGIN');
  });

  it('[SEC-C4] a live site has no demo players unless asked for, and no made-up operator', () => {
    expect(loadConfig(LIVE)).toMatchObject({ demoPlayers: false, operator: undefined });
    expect(loadConfig({ ...LIVE, FAIRGAME_DEMO_PLAYERS: 'on' }).demoPlayers).toBe(true);
  });

  it('values may stand in files, wrong ones are named all at once', () => {
    writeFileSync(join(folder, 'url'), 'postgres://a:b@c/d\n');
    expect(loadConfig({ ...LIVE, DATABASE_URL: undefined, DATABASE_URL_FILE: join(folder, 'url') }).databaseUrl).toBe(
      'postgres://a:b@c/d',
    );
    const wrong = () =>
      loadConfig({
        FAIRGAME_DATA: folder,
        PORT: '99999',
        FAIRGAME_FEED: 'magic',
        FAIRGAME_FRAME_HOSTS: 'http://a.example',
      });
    expect(wrong).toThrow(/PORT must be .*FAIRGAME_FEED must be one of .*FAIRGAME_FRAME_HOSTS/);
  });

  it('[SEC-L2] prints without a secret', () => {
    const text = JSON.stringify(
      maskConfig(
        loadConfig({
          ...LIVE,
          FAIRGAME_OPERATOR_PASSWORD: 'chief-of-the-house-1',
          SMTP_URL: 'smtps://me:mailword@mx.example',
        }),
      ),
    );
    for (const word of [SECRET, 'word@', 'chief-of', 'mailword']) expect(text).not.toContain(word);
    expect(text).toContain('db.example');
  });
});

describe('docs/operations.md', () => {
  it('names every setting the program reads', () => {
    const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const source = readFileSync(new URL('../src/config.ts', import.meta.url), 'utf8');
    const names = [...source.matchAll(/(?:value|number|choice|onOff|list|origin)\('([A-Z_]+)'/g)].map(
      (match) => match[1]!,
    );
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) expect(text).toContain(`\`${name}\``);
  });
});
