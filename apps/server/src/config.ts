import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';
import type { BusSettings } from './bus/bus.ts';
import { readBus } from './bus-settings.ts';
import { carelessSettings } from './config-live.ts';
import type { Currency, Terms } from './core/core.ts';
import { readCurrencies, readTerms } from './currency-settings.ts';
import { createKeyring, type Keyring } from './keyring.ts';
import { ownerFile, ownerFolder } from './owner-files.ts';
import { type ProgramsSettings, readPrograms } from './programs-settings.ts';
import { maskProvider, type ProviderSettings, readProviders } from './provider-settings.ts';
import { readRoles, type SiteRole } from './roles.ts';
import { type Env, PORTS, readSettings, type Settings } from './settings.ts';

/**
 * Everything the server can be told, read once from the environment and checked before anything starts. A value may stand
 * in a file instead: NAME_FILE=/path. Without any setting this is a local demonstration site; `FAIRGAME_PROFILE=production`
 * refuses to start on what would be careless there.
 */
export interface Config {
  profile: 'local' | 'production';
  /** Folder of the project; the built client is below it. */
  root: string;
  dataDir: string;
  webDist: string;
  databaseUrl: string | undefined;
  /** What this process does of the site. */
  roles: readonly SiteRole[];
  /** What carries messages to the site's other processes; undefined: there are none. */
  bus: BusSettings | undefined;
  /** A replica of it, for reports. */
  databaseReadUrl: string | undefined;
  /** Of the accounts; the first is the home currency. Each has books and a ledger of its own. */
  currencies: readonly Currency[];
  /** What is different in the worlds of these currencies. */
  terms: Partial<Record<Currency, Terms>>;
  /** Go by this machine's clock even where the times in the database contradict it. */
  trustClock: boolean;
  /** Whole months that keys are kept beside the running one. */
  keepKeysMonths: number;
  /** What a PostgreSQL must promise before bets are acknowledged on it. */
  durability: { strict: boolean; asyncReplica: boolean };
  /** Whether a live site starts with a database role that could change the audit log. */
  auditOwner: 'refuse' | 'accept';
  host: string;
  port: number;
  /** A listener of its own for operators, documents and metrics; undefined: they are on the players'. */
  operatorListener: { host: string; port: number } | undefined;
  /** Addresses and ranges of proxies whose forwarded headers are believed (trust SEC-Z9); none by default. */
  trustProxy: string[];
  /** The address players use, `https://...`; empty on a local machine. */
  publicOrigin: string | undefined;
  /** Further origins that may open sockets, beside the site's own (development: the client's own port). */
  extraOrigins: string[];
  /** Seals what must not be read from the database: second-factor secrets. */
  keyring: Keyring;
  logLevel: (typeof LOG_LEVELS)[number];
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Whom a push service may write to about this site: `mailto:` or `https:`. */
  pushContact: string;
  /** Takes push services on this machine; for tests. */
  pushLoopback: boolean;
  feed: 'simulated' | 'recorded' | 'stream' | 'none';
  feedSpeed: number;
  /** Seed of the simulated slate; a secret one is drawn when absent. */
  feedSeed: string | undefined;
  /** How many simulated players bet beside the simulated prices. */
  crowd: number;
  /** Card tables play this many times as fast; for tests. */
  cardSpeed: number;
  /** Take the first person's authenticator away: he lost it, and nobody else may. */
  operatorReset: boolean;
  /** What one person may credit in a day without a second one; minor units. */
  creditAloneMinor: number;
  feedFiles: string[];
  /** Hosts of stream and score frames (`https://host`), for the CSP and the frame addresses. */
  streamHost: string | undefined;
  scoreHost: string | undefined;
  /** Further hosts of frames, beside those of the providers. */
  frameHosts: string[];
  /** Live casino: the two providers, or none. */
  providers: ProviderSettings[];
  /** The door for programs; undefined: none. */
  programs: ProgramsSettings | undefined;
  supportText: string;
  demoPlayers: boolean;
  /** The first operator's sign-in; on a local site made up and kept in the data folder. */
  operator: { userName: string; password: string } | undefined;
  /** Whoever carries it may read /metrics from another machine. */
  metricsToken: string | undefined;
  /** Multiplies every rate limit; 0 switches them off (load tests). */
  limitFactor: number;
  /** What the house may lose at worst, minor units, in a market and over an event; 0: no bound. */
  houseLoss: { marketMinor: number; eventMinor: number };
  /** TCP connections in all, and of one address or /64. */
  connectionLimits: { all: number; perAddress: number };
  /** Sockets of one account in one namespace, connections of one address, events of one socket a second (SEC-W3). */
  socketLimits: { perAccount: number; perAddress: number; eventsPerSecond: number };
  /** Shortest new password of an account without a second factor (trust SEC-A1). */
  passwordMin: number;
  /** Wait between "not ready" and the last accepted call at shutdown, for the balancer in front. */
  drainWaitMs: number;
  hardStopMs: number;
  /** Checks every reply against the contract before it leaves; for tests and development. */
  checkReplies: boolean;
}

export type { ProgramsSettings, RecordingsSettings } from './programs-settings.ts';
export type { Env } from './settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const EXAMPLES = ['changeme', 'secret', 'example', 'password', '0123456789abcdef'];

/** Reads and checks the configuration. Throws one Error that names every wrong setting, and what else is wrong (`more`). */
export function loadConfig(env: Env, more: readonly string[] = []): Config {
  const { value, number, choice, onOff, list, origin, problems } = readSettings(env);
  const profile = choice('FAIRGAME_PROFILE', 'local', ['local', 'production']);
  const root = resolve(value('FAIRGAME_ROOT') ?? process.cwd());
  const dataText = value('FAIRGAME_DATA') ?? 'data';
  const dataDir = isAbsolute(dataText) ? dataText : join(root, dataText);
  const databaseUrl = value('DATABASE_URL');
  const publicOrigin = origin('FAIRGAME_ORIGIN', profile === 'production' ? ['https:'] : ['https:', 'http:']);
  const scoreHost = origin('FAIRGAME_SCORE_HOST', ['https:']);
  const trustProxy = readProxies(value, list, problems);
  const smtpUrl = value('SMTP_URL') === 'none' ? undefined : value('SMTP_URL');

  // On a demonstration site one port is easier to find; on a live one operators are not where players are.
  const operatorsOwn = profile === 'production' || value('OPERATOR_PORT') !== undefined;
  const secrets = readSecrets(value, problems);
  const bus = readBus(value, list, number, problems);
  const config: Config = {
    profile,
    root,
    dataDir,
    webDist: join(root, 'apps', 'web', 'dist'),
    databaseUrl,
    bus,
    roles: readRoles(list, { database: !!databaseUrl, bus: !!bus, secret: secrets.length > 0 }, problems),
    databaseReadUrl: value('DATABASE_READ_URL'),
    currencies: readCurrencies(list('FAIRGAME_CURRENCIES'), problems),
    terms: readTerms(value('FAIRGAME_LIMITS'), problems),
    // The contract with a provider asks that a transaction is known for 13 months.
    keepKeysMonths: number('FAIRGAME_KEEP_KEYS', 14, 13, 1200),
    trustClock: choice('FAIRGAME_CLOCK', 'check', ['check', 'trust']) === 'trust',
    durability: {
      strict: profile === 'production',
      asyncReplica: choice('FAIRGAME_ASYNC_REPLICA', 'refuse', ['refuse', 'accept']) === 'accept',
    },
    auditOwner: choice('FAIRGAME_AUDIT_OWNER', 'refuse', ['refuse', 'accept']),
    host: value('HOST') ?? (profile === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: number('PORT', PORTS.players, 0, 65_535),
    operatorListener: operatorsOwn
      ? { host: value('OPERATOR_HOST') ?? '127.0.0.1', port: number('OPERATOR_PORT', PORTS.operators, 0, 65_535) }
      : undefined,
    trustProxy,
    publicOrigin,
    extraOrigins: list('FAIRGAME_EXTRA_ORIGINS'),
    keyring: createKeyring([Buffer.alloc(32)]),
    logLevel: choice('FAIRGAME_LOG', profile === 'production' ? 'info' : 'warn', LOG_LEVELS),
    smtpUrl,
    mailFrom: value('MAIL_FROM') ?? 'fairGame <no-reply@localhost>',
    pushContact: readContact(value('FAIRGAME_PUSH_CONTACT'), publicOrigin, problems),
    pushLoopback: onOff('FAIRGAME_PUSH_LOOPBACK', false),
    feed: choice('FAIRGAME_FEED', 'simulated', ['simulated', 'recorded', 'stream', 'none']),
    feedSpeed: number('FAIRGAME_FEED_SPEED', 1, 0.01, 10_000),
    feedSeed: value('FAIRGAME_FEED_SEED'),
    crowd: number('FAIRGAME_CROWD', 0, 0, 2000),
    cardSpeed: number('FAIRGAME_CARD_SPEED', 1, 0.1, 100),
    operatorReset: onOff('FAIRGAME_OPERATOR_RESET', false),
    creditAloneMinor: number('FAIRGAME_CREDIT_ALONE_MINOR', 100_000, 0, Number.MAX_SAFE_INTEGER),
    feedFiles: list('FAIRGAME_FEED_FILES'),
    streamHost: origin('FAIRGAME_STREAM_HOST', ['https:']),
    scoreHost,
    frameHosts: list('FAIRGAME_FRAME_HOSTS'),
    providers: readProviders(value, profile === 'production', problems),
    programs: readPrograms({ value, number }, dataDir, problems),
    supportText: value('FAIRGAME_SUPPORT') ?? '',
    demoPlayers: onOff('FAIRGAME_DEMO_PLAYERS', profile === 'local' && !databaseUrl),
    operator: readOperator(value, problems),
    metricsToken: value('FAIRGAME_METRICS_TOKEN'),
    limitFactor: number('FAIRGAME_LIMIT_FACTOR', 1, 0, 1_000_000),
    houseLoss: {
      marketMinor: number('FAIRGAME_HOUSE_LOSS_MARKET', 0, 0, Number.MAX_SAFE_INTEGER),
      eventMinor: number('FAIRGAME_HOUSE_LOSS_EVENT', 0, 0, Number.MAX_SAFE_INTEGER),
    },
    connectionLimits: {
      all: number('FAIRGAME_CONNECTIONS', 20_000, 10, 1_000_000),
      perAddress: number('FAIRGAME_CONNECTIONS_PER_ADDRESS', 250, 2, 1_000_000),
    },
    socketLimits: {
      perAccount: number('FAIRGAME_SOCKETS_PER_ACCOUNT', 5, 1, 10_000),
      perAddress: number('FAIRGAME_SOCKETS_PER_ADDRESS', 20, 1, 1_000_000),
      eventsPerSecond: number('FAIRGAME_SOCKET_EVENTS', 20, 1, 10_000),
    },
    passwordMin: number('FAIRGAME_PASSWORD_MIN', 15, 8, 64),
    drainWaitMs: number('FAIRGAME_DRAIN_WAIT_MS', profile === 'production' ? 5000 : 0, 0, 60_000),
    hardStopMs: number('FAIRGAME_HARD_STOP_MS', 30_000, 100, 120_000),
    checkReplies: onOff('FAIRGAME_CHECK_REPLIES', false),
  };
  problems.push(...contradictions(config));
  if (profile === 'production') problems.push(...carelessSettings(config, value));
  problems.push(...ownerFolder(dataDir), ...more);
  if (problems.length > 0) throw new Error(`Configuration: ${problems.join('; ')}`);
  if (!config.operator && profile === 'local') config.operator = localOperator(dataDir);
  config.keyring = createKeyring(secrets.length > 0 ? secrets : [localSecret(dataDir)]);
  return config;
}

/** Settings that are wrong, or that miss another one. */
function contradictions({ frameHosts, metricsToken, databaseReadUrl, databaseUrl }: Config): string[] {
  const problems = frameHosts
    .filter((host) => !/^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(host))
    .map((host) => `FAIRGAME_FRAME_HOSTS: ${host} is not an https origin`);
  if (metricsToken !== undefined && metricsToken.length < 32)
    problems.push('FAIRGAME_METRICS_TOKEN needs at least 32 characters');
  if (databaseReadUrl && !databaseUrl)
    problems.push('DATABASE_READ_URL is of a replica of DATABASE_URL, which is missing');
  return problems;
}

/** The site's keys for commands beside the server: from the setting, else from the data folder; null where neither has them. */
export function keyringBeside(env: Env, dataDir: string): Keyring | null {
  const problems: string[] = [];
  const secrets = readSecrets(readSettings(env).value, problems);
  if (problems.length > 0) throw new Error(problems.join('; '));
  if (secrets.length > 0) return createKeyring(secrets);
  return existsSync(join(dataDir, SECRET_FILE)) ? createKeyring([localSecret(dataDir)]) : null;
}

/** The configuration as it may be printed: secrets and passwords in addresses are masked. */
export function maskConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    keyring: '***',
    metricsToken: config.metricsToken && '***',
    feedSeed: config.feedSeed && '***',
    providers: config.providers.map(maskProvider),
    programs: config.programs && { ...config.programs, tls: config.programs.tls && '***' },
    operator: config.operator && { ...config.operator, password: '***' },
    bus: config.bus && { ...config.bus, creds: config.bus.creds && '***', password: config.bus.password && '***' },
    databaseUrl: config.databaseUrl?.replace(/\/\/[^@/]*@/, '//***@'),
    databaseReadUrl: config.databaseReadUrl?.replace(/\/\/[^@/]*@/, '//***@'),
    smtpUrl: config.smtpUrl?.replace(/\/\/[^@/]*@/, '//***@'),
  };
}

function readSecrets(value: Settings['value'], problems: string[]): Buffer[] {
  const secrets = (value('FAIRGAME_SECRET') ?? '').split(/[,\s]+/).filter(Boolean);
  if (!secrets.every(secretFits) || new Set(secrets).size !== secrets.length) {
    problems.push(
      'FAIRGAME_SECRET must be 32 random bytes, as 64 hex digits, and no example; older ones after a comma',
    );
  }
  return secrets.map((hex) => Buffer.from(hex, 'hex'));
}

function readContact(text: string | undefined, origin: string | undefined, problems: string[]): string {
  if (text === undefined) return origin?.startsWith('https:') ? origin : 'mailto:no-reply@localhost';
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(text))
    problems.push('FAIRGAME_PUSH_CONTACT must be a mailto: or an https: address');
  return text;
}

function readOperator(value: Settings['value'], problems: string[]): Config['operator'] {
  const password = value('FAIRGAME_OPERATOR_PASSWORD');
  if (password === undefined) return undefined;
  if (password.length < 15) problems.push('FAIRGAME_OPERATOR_PASSWORD needs at least 15 characters');
  return { userName: value('FAIRGAME_OPERATOR_USER') ?? 'operator', password };
}

/** Addresses and ranges; `none` says that nothing stands in front. */
function readProxies(value: Settings['value'], list: Settings['list'], problems: string[]): string[] {
  const name = 'FAIRGAME_TRUST_PROXY';
  const entries = value(name) === 'none' ? [] : list(name);
  for (const entry of entries)
    if (!isRange(entry)) problems.push(`${name}: ${entry} is no address and no range of addresses`);
  return entries;
}

function isRange(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  return more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

function secretFits(text: string): boolean {
  const distinct = new Set(text.toLowerCase()).size;
  return /^[0-9a-fA-F]{64}$/.test(text) && distinct >= 8 && !EXAMPLES.some((example) => text.startsWith(example));
}

/** The file that `npm run operator` on the same machine signs in with. */
const OPERATOR_FILE = 'operator.json';

function localOperator(dataDir: string): { userName: string; password: string } {
  const text = ownerFile(dataDir, OPERATOR_FILE, () =>
    JSON.stringify({ userName: 'operator', password: randomBytes(24).toString('base64url') }),
  );
  const kept = JSON.parse(text) as { userName?: unknown; password?: unknown };
  if (typeof kept.userName !== 'string' || typeof kept.password !== 'string') {
    throw new Error(`Configuration: the file "${OPERATOR_FILE}" in the data folder is damaged`);
  }
  return { userName: kept.userName, password: kept.password };
}

const SECRET_FILE = 'secret';

function localSecret(dataDir: string): Buffer {
  const text = ownerFile(dataDir, SECRET_FILE, () => randomBytes(32).toString('hex')).trim();
  if (!secretFits(text)) throw new Error('Configuration: the file "secret" in the data folder is damaged');
  return Buffer.from(text, 'hex');
}
