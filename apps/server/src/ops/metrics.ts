import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CoreMeter } from '../core/types.ts';
import type { HttpMetrics } from '../http/http.ts';
import { createCoreMeter, type Watched, watchSite } from './core-metrics.ts';

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
  core: CoreMeter;
  /** A call was refused with this code. */
  refused(code: string): void;
  /** Read at every scrape. */
  watch(sources: Watched): void;
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
  const refusals = new Counter({
    name: 'xch_refusals_total',
    help: 'Refused calls by code: limits, blocked accounts, wrong codes, busy moments',
    labelNames: ['code'],
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
    core: createCoreMeter(registry),
    refused: (code) => refusals.inc({ code }),
    watch: (sources) => watchSite(registry, sources),
  };
}
