import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { HttpMetrics } from '../http/http.ts';

/** What live casino counts. */
export interface ProviderMetrics {
  /** `op` in neutral words, of our calls (launch, games, round, transactions) and of theirs to the wallet (debit ...). */
  called(provider: string, op: string, code: string, seconds: number): void;
  unreconciled(provider: string, differences: number): void;
  watchBreaker(provider: string, read: () => 0 | 1 | 2): void;
}

export interface Metrics {
  registry: Registry;
  http: HttpMetrics;
  providers: ProviderMetrics;
  /** Reads core and database at every scrape. */
  watch(sources: { core: Core; db: Db; sockets?: () => number }): void;
}

/** Prometheus metrics by the names of trust 6.2. No user or market id is ever a label. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'xch_http_requests_total',
    help: 'Answered calls',
    labelNames: ['route', 'method', 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'xch_http_request_duration_seconds',
    help: 'Time to the answer',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = new Gauge({ name: 'xch_http_in_flight', help: 'Calls under way', registers });
  const limited = new Counter({
    name: 'xch_rate_limited_total',
    help: 'Calls refused for their pace',
    labelNames: ['rule'],
    registers,
  });

  const providerCalls = new Counter({
    name: 'xch_provider_calls_total',
    help: 'Calls to and of the providers of live casino',
    labelNames: ['provider', 'op', 'code'],
    registers,
  });
  const providerSeconds = new Histogram({
    name: 'xch_provider_call_seconds',
    help: 'Time to the answer of a call to or of a provider',
    labelNames: ['provider', 'op'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 1, 2.5, 5],
    registers,
  });
  const unreconciled = new Gauge({
    name: 'xch_provider_unreconciled_total',
    help: 'Differences the last reconciliation found',
    labelNames: ['provider'],
    registers,
  });
  const breakers = new Map<string, () => 0 | 1 | 2>();
  const breakerState: Gauge = new Gauge({
    name: 'xch_provider_breaker_state',
    help: '0 closed, 1 half open, 2 open',
    labelNames: ['provider'],
    registers,
    collect: () => {
      for (const [provider, read] of breakers) breakerState.set({ provider }, read());
    },
  });

  return {
    registry,
    providers: {
      called(provider, op, code, took) {
        providerCalls.inc({ provider, op, code });
        providerSeconds.observe({ provider, op }, took);
      },
      unreconciled: (provider, differences) => unreconciled.set({ provider }, differences),
      watchBreaker: (provider, read) => void breakers.set(provider, read),
    },
    http: {
      started: () => inFlight.inc(),
      answered(route, method, status, took) {
        inFlight.dec();
        requests.inc({ route, method, code: String(status) });
        seconds.observe({ route }, took);
      },
      limited: (rule) => limited.inc({ rule }),
    },
    watch({ core, db, sockets }) {
      const gauge = (name: string, help: string, read: () => number): void => {
        const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read()) });
      };
      gauge('xch_core_queue_depth', 'Commands waiting for the writer', () => core.health().queueDepth);
      gauge('xch_core_queue_age_seconds', 'Age of the oldest waiting command', () => core.health().oldestMs / 1000);
      gauge('xch_core_seq', 'Last committed command', () => core.health().seq);
      gauge('xch_core_epoch', 'Epoch of the writer', () => core.health().epoch);
      gauge('xch_leader', '1 while this process writes', () => (core.health().available ? 1 : 0));
      gauge('xch_db_up', '1 while the database answers', () => (db.healthy() ? 1 : 0));
      gauge('xch_markets', 'Markets in memory', () => core.read.markets().length);
      if (sockets) gauge('xch_socket_connections', 'Open sockets', sockets);
    },
  };
}
