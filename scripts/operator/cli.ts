/** The operator's command line: commands made of the contract's calls, carried out by the running server. */
import { randomBytes } from 'node:crypto';
import type { CALLS } from '@fairgame/contract';
import { minorToText, type ReplyOf } from '@fairgame/contract';
import { Command, CommanderError } from 'commander';
import { createClient, type Env, type Input, NoAnswer, type Told } from './client.ts';
import { COMMANDS, type CommandSpec, type Own } from './commands.ts';
import { type Field, fieldsOf, Usage } from './fields.ts';

export interface Screen {
  out(text: string): void;
  err(text: string): void;
}

const ABOUT = `The operator's command line; talks to the running server by HTTP.

The server: FAIRGAME_URL, else http://127.0.0.1:OPERATOR_PORT (3001 on a live site), else :PORT (3000). Signs in with FAIRGAME_OPERATOR_TOKEN, or
FAIRGAME_OPERATOR_USER and FAIRGAME_OPERATOR_PASSWORD, or as one of the people that a local site keeps in its data folder.
The code of the authenticator is asked for, or given by --totp; FAIRGAME_OPERATOR_TOTP may hold the secret where a machine
signs in.
A command that moves money prints its key. When no answer came, repeat the line with --key KEY: it acts once.`;

interface Global {
  json?: boolean;
  as?: string;
  totp?: string;
}

/** Carries out one line. Answers the exit code: 0, 1 where it failed, 2 where the line is not right. */
export async function runOperator(args: readonly string[], env: Env, screen: Screen): Promise<number> {
  let code = 0;
  const program = new Command('npm run operator --')
    .description(ABOUT)
    .option('--json', 'the answer as JSON')
    .option('--as <NAME>', 'who signs in')
    .option('--totp <CODE>', 'code of the authenticator')
    .configureOutput({
      writeOut: (text) => screen.out(text.trimEnd()),
      writeErr: (text) => screen.err(text.trimEnd()),
    })
    .exitOverride();
  for (const spec of COMMANDS)
    addCommand(program, spec, async (input, key) => {
      code = await carryOut(spec, input, key, env, screen, program.opts<Global>());
    });
  try {
    // Amounts like -25.00 are values, not options.
    const line = args.map((arg) => (/^-\d/.test(arg) ? `\u2212${arg.slice(1)}` : arg));
    await program.parseAsync(line, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    screen.err((error as Error).message);
    if (error instanceof Usage) screen.err('npm run operator -- help tells more.');
    return error instanceof Usage ? 2 : 1;
  }
}

type Act = (input: Input, key: string | undefined) => Promise<void>;

function addCommand(program: Command, spec: CommandSpec, act: Act): void {
  const { fixed = {}, own = {}, args = [] } = spec;
  const positional = args.map((arg) => arg.replace(/[[\].]/g, ''));
  const fields = fieldsOf(spec.call).filter(({ name }) => !(name in fixed));
  const named = (name: string): Field => fields.find((field) => field.name === name)!;
  const command = program
    .command(spec.name)
    .helpGroup(spec.group)
    .summary(spec.call.summary)
    .description(spec.call.summary)
    .addHelpText('after', `\nExample:\n  npm run operator -- ${spec.example}`);
  for (const arg of args) {
    const word = named(arg.replace(/[[\].]/g, '')).flag;
    command.argument(arg.startsWith('[') ? `[${word}]` : arg.endsWith('...') ? `<${word}...>` : `<${word}>`);
  }
  const options = fields.filter(({ name, parse }) => parse !== null && !positional.includes(name) && name !== 'key');
  const flagOf = (field: Field): string => spec.flags?.[field.name] ?? field.flag;
  const made = new Set(Object.keys(own).map((flag) => flag.split(' ', 1)[0]));
  for (const field of options)
    if (!made.has(`--${flagOf(field)}`))
      command.option(`--${flagOf(field)} <${field.value}>`, field.required ? 'needed' : '');
  if (spec.call.keyed) command.option('--key <KEY>', 'of the line that is repeated');
  for (const [flag, about] of Object.entries(own)) {
    const [name = '', value] = flag.split(' ');
    command.option(value === undefined ? name : `${name} <${value}>`, about);
  }
  command.action(async (...given: unknown[]) => {
    const words = given.slice(0, args.length) as Array<string | string[] | undefined>;
    const opts = command.opts<Record<string, string | boolean | undefined>>();
    const key = spec.call.keyed ? String(opts.key ?? `cli-${randomBytes(15).toString('base64url')}`) : undefined;
    const values: Record<string, unknown> = { ...fixed, ...(key === undefined ? {} : { key }) };
    positional.forEach((name, at) => {
      const word = words[at];
      if (word !== undefined) values[name] = named(name).parse!(typeof word === 'string' ? word : word.join(' '));
    });
    for (const field of options) {
      const text = opts[camel(flagOf(field))];
      if (typeof text === 'string' && !made.has(`--${flagOf(field)}`)) values[field.name] = field.parse!(text);
    }
    Object.assign(values, spec.fill?.(opts as Own));
    for (const field of fields)
      if (field.required && values[field.name] === undefined) throw new Usage(`--${flagOf(field)} is missing.`);
    if (args.some((arg) => arg.startsWith('[')) && Object.keys(own).length > 0 && words[0] === undefined && !opts.all)
      throw new Usage(`${named(positional[0]!).flag} or --all is missing.`);
    await act(inputOf(fields, values), key);
  });
}

/** The values where the call takes them. */
function inputOf(fields: readonly Field[], values: Readonly<Record<string, unknown>>): Input {
  const parts: { params: Record<string, string>; query: Record<string, string>; body: Record<string, unknown> } = {
    params: {},
    query: {},
    body: { ...values },
  };
  for (const { name, part } of fields) {
    if (part === 'body' || values[name] === undefined) continue;
    delete parts.body[name];
    parts[part][name] = String(values[name] as string | number);
  }
  return parts;
}

const camel = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

async function carryOut(
  spec: CommandSpec,
  input: Input,
  key: string | undefined,
  env: Env,
  screen: Screen,
  { json, as: name, totp: code }: Global,
): Promise<number> {
  let told: Told;
  try {
    told = await createClient(env, { name, code }).send(spec.call, input);
  } catch (error) {
    if (key !== undefined && error instanceof NoAnswer)
      screen.err(`Whether it was done is not known. Repeat the line with --key ${key}: it acts once.`);
    throw error;
  }
  if (json) screen.out(JSON.stringify(told.data));
  else {
    const shown = spec.name === 'reconcile' ? reconciled(told.data as Reconciled) : described(told);
    screen.out([shown, key === undefined ? '' : `  key: ${key}`].filter(Boolean).join('\n'));
  }
  return spec.name === 'reconcile' && !(told.data as Reconciled).clean ? 1 : 0;
}

// ------------------------------------------------------------------------------------------------ on the screen

type Reconciled = ReplyOf<typeof CALLS.provider.reconcile>;

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

function described({ data, message }: Told): string {
  const { request } = (data ?? {}) as { request?: number | null };
  if (typeof request === 'number') return `${message}\nSomebody else: npm run operator -- request ${request}`;
  return [message, data === null || data === undefined ? '' : describe(data)].filter(Boolean).join('\n');
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
