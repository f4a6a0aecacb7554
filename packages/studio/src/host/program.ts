/**
 * A provider as a program. Environment, every key may also stand in a file named by NAME_FILE:
 *
 * PORT, HOST       where it listens
 * PUBLIC_URL       its origin as browsers see it; launch addresses begin with it
 * OPERATOR_URL     the site for wallet calls
 * PARENT_ORIGIN    origins of the site that may frame its pages, comma between
 * FAIRGAME_DATA    folder for its journal, in a folder of its own; without it nothing outlives the program
 * PAGE_FOLDER      the built game page, where it is not beside the sources (packages/studio/dist)
 * CHAOS            faults on purpose (chaos.ts)
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Provider } from './core.ts';
import { createHost, type Dialect } from './server.ts';

export interface ProviderEnv {
  readonly port: number;
  readonly host: string;
  readonly publicOrigin: string;
  readonly operatorUrl: string;
  readonly parentOrigins: readonly string[];
  readonly dataFolder: string | null;
  readonly pageFolder: string | null;
  readonly chaos: string;
  /** `id:value,id:value` of a variable or the file that NAME_FILE names. Throws where there is none. */
  keys(name: string): readonly { readonly id: string; readonly value: string }[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** Throws with the variable at fault. `entry` is the file that was started, to find the page from. */
export function providerEnv(env: Env, code: 'a' | 'b', defaultPort: number, entry: string): ProviderEnv {
  const port = Number(env.PORT ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT is no port.');
  const host = env.HOST ?? '127.0.0.1';
  const origin = (name: string, value: string) => {
    if (!URL.canParse(value)) throw new Error(`${name} is no address: ${value}`);
    return new URL(value).origin;
  };
  const list = (text: string) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return {
    port,
    host,
    publicOrigin: origin('PUBLIC_URL', env.PUBLIC_URL ?? `http://localhost:${port}`),
    operatorUrl: origin('OPERATOR_URL', env.OPERATOR_URL ?? 'http://127.0.0.1:3000'),
    parentOrigins: list(env.PARENT_ORIGIN ?? 'http://localhost:3000').map((one) => origin('PARENT_ORIGIN', one)),
    dataFolder: env.FAIRGAME_DATA ? join(env.FAIRGAME_DATA, `provider-${code}`) : null,
    pageFolder: env.PAGE_FOLDER ?? pageBeside(dirname(entry)),
    chaos: env.CHAOS ?? '',
    keys(name) {
      const file = env[`${name}_FILE`];
      const text = env[name] ?? (file ? readFileSync(file, 'utf8') : '');
      const keys = list(text.replaceAll('\n', ',')).map((one) => {
        const [id = '', ...rest] = one.split(':');
        return { id, value: rest.join(':') };
      });
      if (keys.length === 0 || keys.some(({ id, value }) => !/^[\w-]{1,32}$/.test(id) || value === ''))
        throw new Error(`${name} is needed: id:key, or several with commas between.`);
      return keys;
    },
  };
}

/** packages/studio/dist, from the sources of an app or from its bundle. */
function pageBeside(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const page = join(at, 'packages/studio/dist');
    if (existsSync(page)) return page;
  }
  return join(folder, 'page');
}

/** Starts a provider, prints `ready http://...` and ends it cleanly at SIGTERM or SIGINT. */
export async function runProvider(env: ProviderEnv, provider: Provider, dialect: Dialect): Promise<void> {
  const host = createHost({
    provider,
    dialect,
    publicOrigin: env.publicOrigin,
    parentOrigins: env.parentOrigins,
    dataFolder: env.dataFolder,
    pageFolder: env.pageFolder,
    chaos: env.chaos,
    log: (text, what) => console.error(JSON.stringify({ at: Date.now(), provider: provider.code, text, ...what })),
  });
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    // Calls on their way are on the journal: five seconds are enough for all others.
    setTimeout(() => process.exit(0), 4500).unref();
    host.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  await host.http.listen({ port: env.port, host: env.host });
  const address = host.http.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : env.port;
  console.log(`ready http://${env.host}:${port}`);
}
