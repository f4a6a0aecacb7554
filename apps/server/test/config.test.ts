import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig, maskConfig } from '../src/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'fairgame-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SECRET = '8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0';
const LIVE = {
  FAIRGAME_PROFILE: 'production',
  FAIRGAME_DATA: folder,
  FAIRGAME_SECRET: SECRET,
  DATABASE_URL: 'postgres://site:word@db.example/fair?sslmode=verify-full',
  FAIRGAME_ORIGIN: 'https://play.example',
  FAIRGAME_SUPPORT: 'help@play.example',
  FAIRGAME_FEED: 'stream',
  FAIRGAME_TRUST_PROXY: '10.1.0.0/16',
  FAIRGAME_METRICS_TOKEN: 'b'.repeat(32),
  SMTP_URL: 'smtps://me:mailword@mx.example',
};
const start = (change: Record<string, string | undefined>) => () => loadConfig({ ...LIVE, ...change });

describe('configuration', () => {
  it('a process does all of the site, or the roles it is given where all of its processes share database, bus and secret', () => {
    const all = ['core', 'gateway', 'feed', 'tables', 'desk'];
    expect(loadConfig({ FAIRGAME_DATA: folder }).roles).toEqual(all);
    const shared = { DATABASE_URL: 'postgres://127.0.0.1/fair', NATS_URL: 'nats://127.0.0.1', FAIRGAME_SECRET: SECRET };
    const given = { FAIRGAME_DATA: folder, FAIRGAME_ROLES: 'desk, feed', ...shared };
    expect(loadConfig(given).roles).toEqual(['feed', 'desk']);
    expect(() => loadConfig({ ...given, FAIRGAME_ROLES: 'core,bank' })).toThrow(
      'FAIRGAME_ROLES: bank is none of core, gateway, feed, tables, desk',
    );
    for (const name of Object.keys(shared))
      expect(() => loadConfig({ ...given, [name]: undefined })).toThrow(
        /FAIRGAME_ROLES names a part of the roles: all processes then need one DATABASE_URL .*, one NATS_URL and one FAIRGAME_SECRET/,
      );
    expect(loadConfig({ FAIRGAME_DATA: folder, FAIRGAME_ROLES: all.join() }).roles).toEqual(all);
  });

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
    const sealed = one.keyring.seal('a', 'text');
    expect(loadConfig({ FAIRGAME_DATA: folder }).keyring.open('a', sealed)).toBe('text');
    for (const name of ['secret', 'operator.json']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('[SEC-C2] a live site does not start without its secret, with a short one, or with an example', () => {
    expect(loadConfig(LIVE).keyring.keys[0]!.toString('hex')).toBe(SECRET);
    expect(start({ FAIRGAME_SECRET: undefined })).toThrow('FAIRGAME_SECRET is missing');
    const twice = `${SECRET},${SECRET}`;
    for (const secret of ['short', 'changeme'.repeat(8), '0'.repeat(64), '0123456789abcdef'.repeat(4), twice]) {
      expect(start({ FAIRGAME_SECRET: secret })).toThrow('FAIRGAME_SECRET must be 32 random bytes');
    }
    expect(start({ FAIRGAME_OPERATOR_PASSWORD: 'too short' })).toThrow('FAIRGAME_OPERATOR_PASSWORD');
    const older = SECRET.replace('8f', '9e');
    expect(start({ FAIRGAME_SECRET: `${SECRET}, ${older}` })().keyring.keys).toHaveLength(2);
  });

  it('[CAR-43] a live site does not start without a support text, a database or its https address', () => {
    expect(start({ FAIRGAME_SUPPORT: undefined })).toThrow('FAIRGAME_SUPPORT is missing');
    expect(start({ DATABASE_URL: undefined })).toThrow('DATABASE_URL is missing');
    expect(start({ FAIRGAME_ORIGIN: 'http://play.example' })).toThrow('FAIRGAME_ORIGIN');
  });

  it('[SEC-C4] a live site has no demo players and no made-up operator', () => {
    expect(loadConfig(LIVE)).toMatchObject({ demoPlayers: false, operator: undefined });
    expect(start({ FAIRGAME_DEMO_PLAYERS: 'on' })).toThrow('FAIRGAME_DEMO_PLAYERS is on');
    expect(start({ FAIRGAME_CROWD: '200' })).toThrow('FAIRGAME_CROWD is not 0');
  });

  it('[SEC-C2] a live site names all that would be careless in one list', () => {
    const careless = {
      FAIRGAME_FEED: undefined,
      FAIRGAME_DEMO_PLAYERS: 'on',
      FAIRGAME_LIMIT_FACTOR: '0',
      FAIRGAME_CARD_SPEED: '100',
      FAIRGAME_TRUST_PROXY: '0.0.0.0/0',
      FAIRGAME_OPERATOR_PASSWORD: 'aaaaaaaaaaaaaaa',
      FAIRGAME_PASSWORD_MIN: '8',
      FAIRGAME_METRICS_TOKEN: undefined,
      FAIRGAME_PROVIDER_A_URL: 'http://a.example',
      FAIRGAME_PROVIDER_A_ORIGIN: 'https://a.example',
      FAIRGAME_PROVIDER_A_KEYS: `one:${SECRET}`,
      FAIRGAME_PROVIDER_B_URL: 'https://b.example',
      FAIRGAME_EXTRA_ORIGINS: 'http://dev.example',
      DATABASE_URL: 'postgres://site@db.example/fair',
      NATS_URL: 'nats://bus.example:4222',
      SMTP_URL: undefined,
    };
    let told = '';
    try {
      start(careless)();
    } catch (error) {
      told = (error as Error).message;
    }
    for (const [name, reason] of [
      ['FAIRGAME_FEED', 'is simulated'],
      ['FAIRGAME_DEMO_PLAYERS', 'is on'],
      ['FAIRGAME_LIMIT_FACTOR', 'must be 0.1 to 10'],
      ['FAIRGAME_CARD_SPEED', 'must be 1'],
      ['FAIRGAME_TRUST_PROXY', ': 0.0.0.0/0 believes half the world'],
      ['FAIRGAME_OPERATOR_PASSWORD', 'is too easy to guess'],
      ['FAIRGAME_PASSWORD_MIN', 'must be at least 15'],
      ['FAIRGAME_METRICS_TOKEN', 'is missing'],
      ['FAIRGAME_PROVIDER_A_URL', 'must be https'],
      ['FAIRGAME_EXTRA_ORIGINS', ': http://dev.example is not https'],
      ['DATABASE_URL', 'leaves this machine: it needs sslmode=verify-full'],
      ['DATABASE_URL', 'leaves this machine: it needs a password'],
      ['NATS_URL', 'leaves this machine: it needs tls://'],
      ['NATS_URL', 'leaves this machine: it needs NATS_CREDS, or NATS_USER and NATS_PASSWORD'],
      ['SMTP_URL', 'is missing'],
    ] as const) {
      expect(told).toContain(`${name}${reason.startsWith(':') ? '' : ' '}${reason}`);
    }
  });

  it('[SEC-C1] [SEC-Z9] a live site takes what is safe beside it', () => {
    for (const good of [
      { FAIRGAME_TRUST_PROXY: 'none' },
      { FAIRGAME_TRUST_PROXY: '10.0.0.0/8, fd00::/8, 203.0.113.7' },
      { DATABASE_URL: 'postgres://site@127.0.0.1/fair' },
      { DATABASE_URL: 'postgres://site@localhost/fair?host=/var/run/postgresql' },
      { DATABASE_URL: 'postgres://site@db.example/fair?sslmode=verify-full', PGPASSWORD: 'word' },
      { NATS_URL: 'nats://127.0.0.1:4222, nats://localhost:4223' },
      { NATS_URL: 'tls://bus.example:4222', NATS_USER: 'site', NATS_PASSWORD: 'word', NATS_REPLICAS: '3' },
      { SMTP_URL: 'none' },
      { SMTP_URL: 'smtp://localhost:25' },
      { SMTP_URL: 'smtp://mx.example:587?requireTLS=true' },
      { FAIRGAME_FEED: 'none' },
      { FAIRGAME_OPERATOR_PASSWORD: 'quarry lantern 9 moth' },
    ]) {
      expect(start(good), JSON.stringify(good)).not.toThrow();
    }
    for (const [name, text] of [
      ['FAIRGAME_TRUST_PROXY', undefined],
      ['FAIRGAME_TRUST_PROXY', 'everyone'],
      ['FAIRGAME_TRUST_PROXY', '10.0.0.0/33'],
      ['FAIRGAME_TRUST_PROXY', '2000::/3'],
      ['FAIRGAME_FEED', 'recorded'],
      ['FAIRGAME_LIMIT_FACTOR', '1000'],
      ['FAIRGAME_METRICS_TOKEN', 'short'],
      ['DATABASE_URL', 'postgres://site:word@db.example/fair?sslmode=no-verify'],
      ['DATABASE_READ_URL', 'postgres://site:word@db2.example/fair'],
      ['SMTP_URL', 'smtp://mx.example:587'],
    ] as const) {
      expect(start({ [name]: text }), `${name} ${text}`).toThrow(name);
    }
    expect(loadConfig({ ...LIVE, FAIRGAME_TRUST_PROXY: 'none', SMTP_URL: 'none' })).toMatchObject({
      trustProxy: [],
      smtpUrl: undefined,
    });
  });

  it('where the bus is, and how one signs in there, is checked and kept to itself', () => {
    expect(loadConfig(LIVE).bus).toBeUndefined();
    for (const [settings, reason] of [
      [{ NATS_URL: 'http://127.0.0.1:4222' }, 'NATS_URL must be addresses'],
      [{ NATS_URL: 'nats://site:word@127.0.0.1' }, 'NATS_URL must not hold a password'],
      [{ NATS_USER: 'site' }, 'NATS_USER and NATS_PASSWORD go together'],
      [{ NATS_CREDS: '/etc/site.creds' }, 'NATS_CREDS_FILE names one'],
      [{ NATS_CA: 'no certificate' }, 'NATS_CA must be certificates'],
      [{ NATS_REPLICAS: '2' }, 'NATS_REPLICAS must be 1, 3 or 5'],
    ] as const) {
      expect(start({ NATS_URL: 'nats://127.0.0.1:4222', ...settings }), reason).toThrow(reason);
    }
    const config = loadConfig({
      ...LIVE,
      NATS_URL: 'nats://127.0.0.1',
      NATS_USER: 'site',
      NATS_PASSWORD: 'known word',
    });
    expect(config.bus).toMatchObject({ servers: ['nats://127.0.0.1'], user: 'site', replicas: 1 });
    expect(JSON.stringify(maskConfig(config))).not.toContain('known word');
  });

  it.skipIf(process.platform === 'win32')('a data folder is shut, or refused where others use it too', () => {
    const made = (name: string, file?: string): string => {
      const path = join(folder, name);
      mkdirSync(path);
      chmodSync(path, 0o755);
      if (file) writeFileSync(join(path, file), '');
      return path;
    };
    for (const dir of [made('empty'), made('ours', 'provider-keys.json'), made('live', 'audit-head.json')]) {
      loadConfig({ FAIRGAME_DATA: dir });
      expect(statSync(dir).mode & 0o777).toBe(0o700);
    }
    const shared = made('shared', 'holiday.jpg');
    expect(() => loadConfig({ FAIRGAME_DATA: shared })).toThrow('is open to other users');
    expect(statSync(shared).mode & 0o777).toBe(0o755);
  });

  it('values may stand in files, wrong ones are named all at once', () => {
    writeFileSync(join(folder, 'url'), 'postgres://a:b@localhost/d\n');
    expect(loadConfig({ ...LIVE, DATABASE_URL: undefined, DATABASE_URL_FILE: join(folder, 'url') }).databaseUrl).toBe(
      'postgres://a:b@localhost/d',
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

  it('what the house may lose is without a bound until it is set', () => {
    expect(loadConfig(LIVE).houseLoss).toEqual({ marketMinor: 0, eventMinor: 0 });
    const set = { FAIRGAME_HOUSE_LOSS_MARKET: '5000000', FAIRGAME_HOUSE_LOSS_EVENT: '9000000' };
    expect(loadConfig({ ...LIVE, ...set }).houseLoss).toEqual({ marketMinor: 5_000_000, eventMinor: 9_000_000 });
    expect(start({ FAIRGAME_HOUSE_LOSS_EVENT: '-1' })).toThrow('FAIRGAME_HOUSE_LOSS_EVENT');
  });

  it('[SEC-L2] prints without a secret', () => {
    const text = JSON.stringify(
      maskConfig(
        loadConfig({
          ...LIVE,
          FAIRGAME_OPERATOR_PASSWORD: 'chief-of-the-house-1',
          DATABASE_READ_URL: 'postgres://reader:readword@db2.example/fair?sslmode=verify-full',
        }),
      ),
    );
    for (const word of [SECRET, 'word@', 'reader:', 'chief-of', 'mailword', 'bbbb']) expect(text).not.toContain(word);
    expect(text).toContain('db.example');
  });
});

describe('docs/operations.md', () => {
  it('names every setting the program reads', () => {
    const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const source = ['config', 'config-live']
      .map((name) => readFileSync(new URL(`../src/${name}.ts`, import.meta.url), 'utf8'))
      .join();
    const names = [...source.matchAll(/(?:value|number|choice|onOff|list|origin)\('([A-Z_]+)'/g)].map(
      (match) => match[1]!,
    );
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) expect(text).toContain(`\`${name}\``);
  });
});

describe('npm start', () => {
  const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));
  /** Port 1 is nobody's: a script that starts the site all the same ends by itself or is ended. */
  const told = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], {
      encoding: 'utf8',
      timeout: 5000,
      env: { ...process.env, PORT: '1', FAIRGAME_DATA: folder, FAIRGAME_PROVIDERS: 'off' },
    });
  it('that is asked for help lists settings that docs/operations.md has, and ends', () => {
    const { status, stdout } = told('--help');
    expect(status).toBe(0);
    const names = [...stdout.matchAll(/^ {2}([A-Z_]+(?:, [A-Z_]+)*)/gm)].flatMap(([, all]) => all!.split(', '));
    expect(names).toContain('PORT');
    expect(names).toContain('FAIRGAME_FEED');
    const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    // The ports of the demonstration providers are no business of who runs a site.
    for (const name of names.filter((one) => !/^PROVIDER_[AB]_PORT$/.test(one))) expect(page).toContain(`\`${name}\``);
  });

  it('names an option that it does not know, and ends', () => {
    const { status, stderr } = told('--prot', '8080');
    expect(status).toBe(2);
    expect(stderr).toContain('"--prot"');
    expect(stderr).toContain('--help');
  });
});
