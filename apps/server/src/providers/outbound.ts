/** Our calls to one provider: a time for each, the breaker in front, everything counted. No provider waits for another. */
import type { Log } from '../db/db.ts';
import type { ProviderMetrics } from '../ops/ops.ts';
import {
  type Dialect,
  type FetchText,
  type ProviderClient,
  ProviderFault,
  ProviderRefusal,
} from './adapters/dialect.ts';
import { type Breaker, type BreakerState, createBreaker } from './breaker.ts';

export interface Outbound extends ProviderClient {
  breaker(): BreakerState;
}

const TIME_MS: Readonly<Record<keyof ProviderClient, number>> = {
  launch: 3000,
  round: 3000,
  games: 5000,
  transactions: 15_000,
};
const MOST_BYTES = 8 * 1024 * 1024;
const AS_NUMBER: Readonly<Record<BreakerState, 0 | 1 | 2>> = { closed: 0, 'half-open': 1, open: 2 };

/** Every method throws ProviderRefusal or ProviderFault, nothing else. */
export function createOutbound(opts: {
  provider: string;
  baseUrl: string;
  dialect: Dialect;
  steady: () => number;
  log: Log;
  metrics: ProviderMetrics | undefined;
}): Outbound {
  const { provider, baseUrl, dialect, log, metrics } = opts;
  const breaker: Breaker = createBreaker(opts.steady);
  metrics?.watchBreaker(provider, () => AS_NUMBER[breaker.state()]);

  async function through<T>(op: keyof ProviderClient, ask: (client: ProviderClient) => Promise<T>): Promise<T> {
    if (!breaker.may()) {
      metrics?.called(provider, op, 'SHUT', 0);
      throw new ProviderFault('the provider is not asked at the moment: too many of its answers failed');
    }
    const started = performance.now();
    const ended = (code: string, well: boolean) => {
      breaker.ended(well);
      metrics?.called(provider, op, code, (performance.now() - started) / 1000);
    };
    try {
      const told = await ask(dialect.client(fetching(baseUrl, TIME_MS[op])));
      ended('OK', true);
      return told;
    } catch (error) {
      const refused = error instanceof ProviderRefusal;
      ended(refused ? 'REFUSED' : 'FAULT', refused);
      if (refused || error instanceof ProviderFault) {
        // Who asked says what it means for him.
        log.info({ provider, op, reason: (error as Error).message }, 'a provider did not answer as asked');
        throw error;
      }
      throw new ProviderFault('the answer of the provider could not be read', error);
    }
  }

  return {
    games: () => through('games', (client) => client.games()),
    launch: (ask) => through('launch', (client) => client.launch(ask)),
    round: (roundId, playerRef) => through('round', (client) => client.round(roundId, playerRef)),
    transactions: (from, to, after) => through('transactions', (client) => client.transactions(from, to, after)),
    breaker: () => breaker.state(),
  };
}

function fetching(baseUrl: string, timeoutMs: number): FetchText {
  return async ({ method, path, headers, body }) => {
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, headers: response.headers, text: await bounded(response) };
    } catch (error) {
      if (error instanceof ProviderFault) throw error;
      throw new ProviderFault(
        (error as Error).name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : 'the provider is not there',
        error,
      );
    }
  };
}

/** The body, given up where it is larger than any answer needs to be. */
async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > MOST_BYTES) throw new ProviderFault('the answer of the provider is too large');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}
