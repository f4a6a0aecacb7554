/** What a live site must not start with: settings that are fine on a demonstration site and careless where money is real. */
import { BlockList, isIP, isIPv4 } from 'node:net';
import { isCommon } from './auth/common-passwords.ts';
import type { Config } from './config.ts';

/** Fewer bits than these in a trusted range would believe half the world. Private IPv6 ranges are long by nature. */
const LEAST_BITS = { ipv4: 8, ipv6: 32, ipv6Private: 7 };
const SAFE_SSL = new Set(['require', 'verify-ca', 'verify-full']);

/** One sentence for each careless setting; none when the site may start. `value` reads a setting as it was given. */
export function carelessSettings(config: Config, value: (name: string) => string | undefined): string[] {
  return [
    ...absent(config, value),
    ...trusted(config, value),
    ...bus(config.bus),
    ...database('DATABASE_URL', config.databaseUrl, value('PGPASSWORD')),
    ...database('DATABASE_READ_URL', config.databaseReadUrl, value('PGPASSWORD')),
    ...mail(value('SMTP_URL')),
    ...demonstration(config),
    ...config.providers
      .filter(({ baseUrl }) => !baseUrl.startsWith('https:'))
      .map(({ id }) => `FAIRGAME_PROVIDER_${id.toUpperCase()}_URL must be https: stakes and wins travel on it`),
    ...config.extraOrigins
      .filter((origin) => !origin.startsWith('https:'))
      .map((origin) => `FAIRGAME_EXTRA_ORIGINS: ${origin} is not https`),
  ];
}

function absent(config: Config, value: (name: string) => string | undefined): string[] {
  const problems: string[] = [];
  if (!value('FAIRGAME_SECRET')) problems.push('FAIRGAME_SECRET is missing');
  if (!config.databaseUrl) problems.push('DATABASE_URL is missing: the embedded database is not for real money');
  if (!config.publicOrigin) problems.push('FAIRGAME_ORIGIN is missing');
  // Session limits and some exclusions need support: without a way to reach it players are stranded (CAR-43).
  if (!config.supportText) problems.push('FAIRGAME_SUPPORT is missing: players must be able to reach support');
  if (!value('FAIRGAME_METRICS_TOKEN'))
    problems.push('FAIRGAME_METRICS_TOKEN is missing: metrics tell of the business and are read with a token');
  return problems;
}

/** Whose word about a caller's address is believed: without it all players behind a proxy are one address. */
function trusted(config: Config, value: (name: string) => string | undefined): string[] {
  const name = 'FAIRGAME_TRUST_PROXY';
  if (!value(name)) return [`${name} is missing: the proxies in front by address, or none`];
  return config.trustProxy.filter(isWide).map((entry) => `${name}: ${entry} believes half the world`);
}

function isWide(entry: string): boolean {
  const [address = '', bits] = entry.split('/');
  if (bits === undefined || isIP(address) === 0) return false;
  if (isIPv4(address)) return Number(bits) < LEAST_BITS.ipv4;
  return Number(bits) < (/^f[cd]/i.test(address) ? LEAST_BITS.ipv6Private : LEAST_BITS.ipv6);
}

function database(name: string, text: string | undefined, passwordApart: string | undefined): string[] {
  if (text === undefined) return [];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return [`${name} must be an address`];
  if (isLoopback(url.searchParams.get('host') ?? url.hostname)) return [];
  const problems: string[] = [];
  if (!SAFE_SSL.has(url.searchParams.get('sslmode') ?? ''))
    problems.push(`${name} leaves this machine: it needs sslmode=verify-full`);
  if (url.password === '' && passwordApart === undefined && !url.searchParams.has('sslcert'))
    problems.push(`${name} leaves this machine: it needs a password or a client certificate`);
  return problems;
}

function bus(settings: Config['bus']): string[] {
  if (!settings || settings.servers.every((server) => isLoopback(new URL(server).hostname))) return [];
  const problems: string[] = [];
  if (!settings.servers.every((server) => server.startsWith('tls:')))
    problems.push('NATS_URL leaves this machine: it needs tls://');
  if (settings.creds === undefined && settings.password === undefined)
    problems.push('NATS_URL leaves this machine: it needs NATS_CREDS, or NATS_USER and NATS_PASSWORD');
  return problems;
}

function mail(text: string | undefined): string[] {
  if (text === undefined)
    return ['SMTP_URL is missing: security notices and codes go by mail; say none to do without them'];
  if (text === 'none') return [];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol)) return ['SMTP_URL must be an address of smtp or smtps, or none'];
  const safe = url.protocol === 'smtps:' || url.searchParams.get('requireTLS') === 'true' || isLoopback(url.hostname);
  return safe ? [] : ['SMTP_URL leaves this machine: it needs smtps or ?requireTLS=true'];
}

/** Made-up results, known passwords, limits lifted: what a demonstration site lives on. */
function demonstration(config: Config): string[] {
  const problems: string[] = [];
  if (config.feed === 'simulated' || config.feed === 'recorded')
    problems.push(
      `FAIRGAME_FEED is ${config.feed}: nobody may bet on results that are made up or known; stream or none`,
    );
  if (config.crowd > 0) problems.push('FAIRGAME_CROWD is not 0: its players have no money of their own');
  if (config.demoPlayers) problems.push('FAIRGAME_DEMO_PLAYERS is on: their passwords are known to everyone');
  if (config.limitFactor < 0.1 || config.limitFactor > 10)
    problems.push('FAIRGAME_LIMIT_FACTOR must be 0.1 to 10 on a live site');
  if (config.pushLoopback) problems.push('FAIRGAME_PUSH_LOOPBACK is on: players could have this machine called');
  if (config.cardSpeed !== 1) problems.push('FAIRGAME_CARD_SPEED must be 1 on a live site');
  if (config.passwordMin < 15) problems.push('FAIRGAME_PASSWORD_MIN must be at least 15 on a live site');
  const { operator } = config;
  if (operator && isCommon(operator.password.normalize('NFKC'), operator.userName))
    problems.push('FAIRGAME_OPERATOR_PASSWORD is too easy to guess');
  return problems;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** This machine by name or address, or a socket of its file system. */
function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  if (plain === '' || plain === 'localhost' || plain.startsWith('/')) return true;
  return isIP(plain) !== 0 && loopback.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
