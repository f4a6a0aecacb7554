/** `npm run operator -- help`: the operator's minimum on the command line; talks to the running server by HTTP. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type AnyCall,
  CALLS,
  type ErrorBody,
  type InputOf,
  minorToText,
  parseMinor,
  type ReplyOf,
} from '@fairgame/contract';

const USAGE = `usage: npm run operator -- COMMAND [ARGUMENTS] [--json]

players
  create-player NAME [--password P] [--currency EUR|BRL|USD] [--credit 100.00] [--email A] [--keep-password]
  credit NAME AMOUNT --reason R [--kind deposit|withdrawal|correction|creditReference]   (-25.00 takes money out)
  block NAME --reason R [--betting]         unblock NAME --reason R [--betting]
  force-logout NAME|--all --reason R        reset-password NAME --reason R
  player NAME                               one account record
  set-state NAME STATE --reason R           active, frozen, blocked, closed, self-excluded, "cooling off", inactive, dormant
  protect NAME [--jurisdiction INT|GB|MT|SE] [--minutes N|none] [--age yes|no] --reason R
                                            figures that count, session time a day, age verified
  revoke NAME --reason R                    the player asks to end a restriction whose period is over
events and markets
  add-match --sport cricket|football|tennis|politics --title T --competition C --start ISO --teams "A,B"
  add-session MATCH NAME [--kind session|overByover|ballByBall|fancy1]
  quote MARKET RUNNER [--back 2.00:100.00,1.99:50.00] [--lay 2.02:100.00] [--line N]   (rates: whole numbers without a dot)
  suspend --market ID|--match ID --reason R
  resume  --market ID|--match ID --reason R
  declare MARKET --winner ID[,ID] | --score N | --yes | --no | --tie | --void REASON
  undeclare MARKET --reason R
  delete-bet ID[,ID] --reason R             set-reason ID[,ID] --reason R
texts and clients
  set-marquee TEXT [--type banner1]         set-rules FILE.json
  refresh-all --reason R
  audit [--limit 50]
live casino
  reconcile [--day 2026-11-19]              movements of a day (UTC; yesterday) against the providers' lists; ends with 1
                                            where anything differs or a provider does not answer
  open-rounds [--hours 24]                  rounds that a provider has left open for longer
  void-round PROVIDER USER-ID ROUND --reason TEXT
                                            gives the stakes back of a round left open for 14 days

The server: FAIRGAME_URL, else http://127.0.0.1:PORT (3000). Signs in with FAIRGAME_OPERATOR_TOKEN, or
FAIRGAME_OPERATOR_USER and FAIRGAME_OPERATOR_PASSWORD, or the file the server keeps in its data folder.`;

const { operator, protection, provider } = CALLS;
const OPTIONS = {
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  betting: { type: 'boolean' },
  yes: { type: 'boolean' },
  no: { type: 'boolean' },
  tie: { type: 'boolean' },
  'keep-password': { type: 'boolean' },
  password: { type: 'string' },
  currency: { type: 'string' },
  credit: { type: 'string' },
  email: { type: 'string' },
  reason: { type: 'string' },
  hours: { type: 'string' },
  kind: { type: 'string' },
  sport: { type: 'string' },
  title: { type: 'string' },
  competition: { type: 'string' },
  start: { type: 'string' },
  teams: { type: 'string' },
  back: { type: 'string' },
  lay: { type: 'string' },
  line: { type: 'string' },
  market: { type: 'string' },
  match: { type: 'string' },
  winner: { type: 'string' },
  score: { type: 'string' },
  void: { type: 'string' },
  type: { type: 'string' },
  limit: { type: 'string' },
  jurisdiction: { type: 'string' },
  minutes: { type: 'string' },
  age: { type: 'string' },
  day: { type: 'string' },
} as const;

class Usage extends Error {}

const dataDir = resolve(process.env.FAIRGAME_DATA ?? 'data');
const tokenFile = join(dataDir, 'operator.token');
const base = (process.env.FAIRGAME_URL ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`).replace(/\/$/, '');

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { values, positionals } = readArgs();
    const [command, ...rest] = positionals;
    if (command === undefined || command === 'help') {
      console.log(USAGE);
      return command === undefined ? 2 : 0;
    }
    const { data, message } = await run(command, rest, values);
    if (values.json) console.log(JSON.stringify(data));
    else if (command === 'reconcile') console.log(message);
    else console.log([message, data === null ? undefined : describe(data)].filter(Boolean).join('\n'));
    return command === 'reconcile' && !(data as Reconciled).clean ? 1 : 0;
  } catch (error) {
    console.error((error as Error).message);
    if (error instanceof Usage) console.error('npm run operator -- help tells more.');
    return error instanceof Usage ? 2 : 1;
  }
}

function readArgs() {
  try {
    // Amounts like -25.00 are values, not options.
    const args = process.argv.slice(2).map((arg) => (/^-\d/.test(arg) ? `\u2212${arg.slice(1)}` : arg));
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Usage((error as Error).message);
  }
}

type Values = ReturnType<typeof readArgs>['values'];

async function run(
  command: string,
  rest: string[],
  o: Values,
): Promise<{ data: unknown; message: string | undefined }> {
  const arg = (at: number, what: string): string => rest[at] ?? missing(what);
  const named = (name: 'reason' | 'sport' | 'title' | 'competition' | 'start' | 'teams'): string =>
    o[name] ?? missing(`--${name}`);
  const reason = () => named('reason');
  switch (command) {
    case 'create-player':
      return send(operator.createPlayer, {
        body: {
          userName: arg(0, 'NAME'),
          ...(o.password === undefined ? {} : { password: o.password }),
          ...(o.currency === undefined ? {} : { currency: o.currency as 'EUR' }),
          ...(o.credit === undefined ? {} : { creditMinor: amount(o.credit) }),
          ...(o.email === undefined ? {} : { email: o.email }),
          forceChangePassword: !o['keep-password'],
        },
      });
    case 'credit':
      return send(operator.credit, {
        body: {
          userName: arg(0, 'NAME'),
          amountMinor: amount(arg(1, 'AMOUNT')),
          reason: reason(),
          ...(o.kind === undefined ? {} : { kind: o.kind as 'deposit' }),
        },
      });
    case 'block':
    case 'unblock': {
      const what = o.betting ? 'betting' : 'account';
      return send(operator.block, {
        body: { userName: arg(0, 'NAME'), what, on: command === 'block', reason: reason() },
      });
    }
    case 'force-logout':
      return send(operator.forceLogout, {
        body: { ...(o.all ? {} : { userName: arg(0, 'NAME or --all') }), reason: reason() },
      });
    case 'reset-password':
      return send(operator.resetPassword, { body: { userName: arg(0, 'NAME'), reason: reason() } });
    case 'player':
      return send(operator.player, { params: { userName: arg(0, 'NAME') } });
    case 'set-state':
      return send(protection.operatorState, {
        body: { userName: arg(0, 'NAME'), state: arg(1, 'STATE') as 'active', reason: reason() },
      });
    case 'protect':
      return send(protection.operatorSettings, {
        body: {
          userName: arg(0, 'NAME'),
          ...(o.jurisdiction === undefined ? {} : { jurisdiction: o.jurisdiction as 'INT' }),
          ...(o.minutes === undefined ? {} : { sessionMinutes: o.minutes === 'none' ? null : whole(o.minutes) }),
          ...(o.age === undefined ? {} : { ageVerified: o.age === 'yes' }),
          reason: reason(),
        },
      });
    case 'revoke':
      return send(protection.operatorRevoke, { body: { userName: arg(0, 'NAME'), reason: reason() } });
    case 'add-match':
      return send(operator.addMatch, {
        body: {
          matchType: named('sport') as 'cricket',
          title: named('title'),
          competitionName: named('competition'),
          startAt: named('start'),
          teams: named('teams')
            .split(',')
            .map((team) => team.trim()),
        },
      });
    case 'add-session':
      return send(operator.addSession, {
        body: {
          matchId: whole(arg(0, 'MATCH')),
          name: arg(1, 'NAME'),
          ...(o.kind === undefined ? {} : { kind: o.kind as 'session' }),
        },
      });
    case 'quote':
      return send(operator.quote, {
        body: {
          betId: whole(arg(0, 'MARKET')),
          runnerId: whole(arg(1, 'RUNNER')),
          back: levels(o.back),
          lay: levels(o.lay),
          ...(o.line === undefined ? {} : { line: whole(o.line) }),
        },
      });
    case 'suspend':
    case 'resume': {
      const target =
        o.market === undefined
          ? { matchId: whole(o.match ?? missing('--market or --match')) }
          : { betId: whole(o.market) };
      return send(command === 'suspend' ? operator.suspend : operator.resume, {
        body: { ...target, reason: reason() },
      });
    }
    case 'declare':
      return send(operator.declare, { body: { betId: whole(arg(0, 'MARKET')), result: resultOf(o) } });
    case 'undeclare':
      return send(operator.undeclare, { body: { betId: whole(arg(0, 'MARKET')), reason: reason() } });
    case 'delete-bet':
      return send(operator.deleteBet, { body: { ids: ids(arg(0, 'ID')), reason: reason() } });
    case 'set-reason':
      return send(operator.deleteReason, { body: { ids: ids(arg(0, 'ID')), reason: reason() } });
    case 'set-marquee':
      return send(operator.marquee, {
        body: { value: rest.join(' ') || missing('TEXT'), ...(o.type === undefined ? {} : { type: o.type }) },
      });
    case 'set-rules':
      return send(operator.rules, {
        body: JSON.parse(readFileSync(arg(0, 'FILE.json'), 'utf8')) as InputOf<typeof operator.rules>['body'],
      });
    case 'refresh-all':
      return send(operator.refreshAll, { body: { reason: reason() } });
    case 'audit':
      return send(operator.audit, { query: { limit: o.limit ?? '50' } });
    case 'reconcile': {
      const told = await send(provider.reconcile, { body: o.day === undefined ? {} : { day: o.day } });
      return { data: told.data, message: o.json ? undefined : reconciled(told.data as Reconciled) };
    }
    case 'open-rounds':
      return send(provider.openRounds, { query: o.hours === undefined ? {} : { hours: o.hours } });
    case 'void-round':
      return send(provider.voidRound, {
        body: {
          provider: arg(0, 'a provider'),
          userId: whole(arg(1, 'a user id')),
          round: arg(2, 'a round'),
          reason: o.reason ?? missing('--reason'),
        },
      });
    default:
      throw new Usage(`There is no command "${command}".`);
  }
}

// ------------------------------------------------------------------------------------------------ the server

async function send<C extends AnyCall>(
  call: C,
  input: InputOf<C>,
): Promise<{ data: unknown; message: string | undefined }> {
  const known =
    process.env.FAIRGAME_OPERATOR_TOKEN ?? (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : undefined);
  if (known) {
    const told = await request(call, input, known);
    if (told.status !== 401 || process.env.FAIRGAME_OPERATOR_TOKEN) return outcome(told);
  }
  return outcome(await request(call, input, await signIn()));
}

async function signIn(): Promise<string> {
  const told = await request(operator.login, { body: credentials() });
  const { token } = outcome(told).data as ReplyOf<typeof operator.login>;
  if (existsSync(dataDir)) writeFileSync(tokenFile, token, { mode: 0o600 });
  return token;
}

function credentials(): { userName: string; password: string } {
  const { FAIRGAME_OPERATOR_USER: userName = 'operator', FAIRGAME_OPERATOR_PASSWORD: password } = process.env;
  if (password) return { userName, password };
  const file = join(dataDir, 'operator.json');
  if (!existsSync(file))
    throw new Error(`No sign-in: start the server once, or set FAIRGAME_OPERATOR_PASSWORD (looked for ${file}).`);
  return JSON.parse(readFileSync(file, 'utf8')) as { userName: string; password: string };
}

interface Told {
  status: number;
  json: { data?: unknown; message?: string; code?: string; field?: string };
}

async function request(call: AnyCall, input: unknown, token?: string): Promise<Told> {
  const {
    params = {},
    query,
    body,
  } = input as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
  const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  let response: Response;
  try {
    response = await fetch(`${base}/api${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`, {
      method: call.method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Error(`No server answers at ${base}. Is it running? (FAIRGAME_URL or PORT name another one.)`);
  }
  return { status: response.status, json: (await response.json()) as Told['json'] };
}

function outcome({ status, json }: Told): { data: unknown; message: string | undefined } {
  if (status === 200) return { data: json.data, message: json.message };
  const { code, field, message } = json as ErrorBody;
  throw new Error(`${message} (${status} ${code}${field ? `, ${field}` : ''})`);
}

// ------------------------------------------------------------------------------------------------ words to values

function missing(what: string): never {
  throw new Usage(`${what} is missing.`);
}

function amount(text: string): number {
  const negative = text.startsWith('\u2212');
  const minor = parseMinor(negative ? text.slice(1) : text);
  if (minor === null) throw new Usage(`${text} is not an amount like 100.00.`);
  return negative ? -minor : minor;
}

function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Usage(`${text} is not a whole number.`);
  return Number(text);
}

const ids = (text: string): number[] => text.split(',').map((part) => whole(part.trim()));

/** "2.00:100.00" is decimal odds, "95:100.00" a rate per 100. */
function levels(text: string | undefined): Array<[number, number]> {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const [price = '', size = ''] = part.trim().split(':');
    return [price.includes('.') ? amount(price) : whole(price), amount(size)];
  });
}

function resultOf(o: Values): InputOf<typeof operator.declare>['body']['result'] {
  if (o.winner !== undefined) return { kind: 'winners', runnerIds: ids(o.winner) };
  if (o.score !== undefined) return { kind: 'score', score: whole(o.score) };
  if (o.yes || o.no) return { kind: 'yes', yes: Boolean(o.yes) };
  if (o.tie) return { kind: 'tie' };
  if (o.void !== undefined) return { kind: 'void', reason: o.void };
  return missing('--winner, --score, --yes, --no, --tie or --void');
}

type Reconciled = ReplyOf<typeof provider.reconcile>;

function reconciled({ day, clean, providers }: Reconciled): string {
  const money = (minor: number | null) => (minor === null ? 'nothing' : minorToText(minor));
  const lines = providers.flatMap(({ provider: name, reachable, theirs, ours, pending, differences }) => [
    reachable
      ? `${name}: ${theirs} movements of theirs, ${ours} of ours, ${pending} on their way, ${differences.length} differences`
      : `${name}: does not answer`,
    ...differences.map(
      ({ kind, what, txId, roundId, theirsMinor, oursMinor }) =>
        `  ${kind}: ${what} ${txId} of round ${roundId}, theirs ${money(theirsMinor)}, ours ${money(oursMinor)}`,
    ),
  ]);
  const words = providers.length === 0 ? 'no providers are configured' : clean ? 'clean' : 'NOT CLEAN';
  return [...lines, `${day}: ${words}`].join('\n');
}

/** Key and value lines; amounts in minor units are shown as money. */
function describe(data: unknown): string {
  if (Array.isArray(data)) return data.map((row) => JSON.stringify(row)).join('\n');
  if (typeof data !== 'object' || data === null) return String(data);
  return Object.entries(data)
    .map(
      ([key, value]) =>
        `  ${key}: ${key.endsWith('Minor') && typeof value === 'number' ? minorToText(value) : JSON.stringify(value)}`,
    )
    .join('\n');
}
