import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What live casino counts. */
export interface ProviderMetrics {
  /** `op` in neutral words, of our calls (launch, games, round, transactions) and of theirs to the wallet (debit ...). */
  called(provider: string, op: string, code: string, seconds: number): void;
  unreconciled(provider: string, differences: number): void;
  watchBreaker(provider: string, read: () => 0 | 1 | 2): void;
}

export function createProviderMetrics(registry: Registry): ProviderMetrics {
  const registers = [registry];
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
    called(provider, op, code, took) {
      providerCalls.inc({ provider, op, code });
      providerSeconds.observe({ provider, op }, took);
    },
    unreconciled: (provider, differences) => unreconciled.set({ provider }, differences),
    watchBreaker: (provider, read) => void breakers.set(provider, read),
  };
}
