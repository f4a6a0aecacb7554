import { CALLS, operator } from '@fairgame/contract';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CoreMeter } from '../core/types.ts';
import type { HttpMetrics } from '../http/http.ts';
import type { ProgramMeter } from '../programs/programs.ts';
import { createCoreMeter, type Watched, watchSite } from './core-metrics.ts';
import { createProgramMeter } from './program-metrics.ts';
import { createProviderMetrics, type ProviderMetrics } from './provider-metrics.ts';
import { tally } from './tally.ts';

export type { ProviderMetrics } from './provider-metrics.ts';

export interface Metrics {
  registry: Registry;
  http: HttpMetrics;
  providers: ProviderMetrics;
  core: CoreMeter;
  programs: ProgramMeter;
  /** A call was refused with this code; `route` is its name. */
  refused(code: string, route: string): void;
  /** Read at every scrape. */
  watch(sources: Watched): void;
}

const { auth, protection } = CALLS;
const LOGINS = new Set([auth.login.name, auth.demo.name, operator.login.name]);
const FACTORS = new Set([auth.verify.name, auth.authenticator.name]);
const LIMITS = new Set([
  'EXPOSURE_LIMIT',
  'MARKET_EXPOSURE_LIMIT',
  'BET_LIMIT',
  'HOUSE_LIMIT',
  'LOSS_LIMIT',
  'STAKE_LIMIT',
  'WAGER_LIMIT',
  'DEPOSIT_LIMIT',
  'SESSION_TIME_LIMIT',
]);

function registryOf(roles: string | undefined): Registry {
  const registry = new Registry();
  if (roles !== undefined) registry.setDefaultLabels({ roles });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Prometheus metrics by the names of trust 6.2. No user or market id is ever a label; `roles` where a process has a part of them. */
export function createMetrics(roles?: string): Metrics {
  const registry = registryOf(roles);
  const registers = [registry];
  const countRequest = tally({
    name: 'xch_http_requests_total',
    help: 'Answered calls',
    labelNames: ['route', 'method', 'code'],
    registry,
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
  const reports = new Counter({
    name: 'xch_csp_reports_total',
    help: 'What browsers blocked by our policy',
    registers,
  });

  const outcomes = countOutcomes(registry);

  return {
    registry,
    providers: createProviderMetrics(registry),
    http: {
      started: () => inFlight.inc(),
      answered(route, method, status, took) {
        inFlight.dec();
        countRequest(route, method, String(status));
        seconds.observe({ route }, took);
        if (status === 200) outcomes.told(route, 'ok');
      },
      limited: (rule) => limited.inc({ rule }),
      reported: () => reports.inc(),
    },
    core: createCoreMeter(registry),
    programs: createProgramMeter(registry),
    refused: outcomes.refused,
    watch: (sources) => watchSite(registry, sources),
  };
}

/** Calls that are counted by what became of them, and what refused them. */
function countOutcomes(registry: Registry) {
  const counter = (name: string, help: string, label: string) =>
    new Counter({ name, help, labelNames: [label], registers: [registry] });
  const refusals = counter(
    'xch_refusals_total',
    'Refused calls by code: limits, blocked accounts, wrong codes, busy moments',
    'code',
  );
  const logins = counter('xch_logins_total', 'Sign-ins by outcome: ok, or the code of the refusal', 'result');
  const factors = counter('xch_mfa_total', 'Codes of a second factor by outcome', 'result');
  const limits = counter('xch_limits_hit_total', 'Acts that a limit refused', 'kind');
  const checks = counter(
    'xch_reality_checks_total',
    'Reality checks that were answered, and acts that waited for one',
    'action',
  );

  function told(route: string, result: string): void {
    if (LOGINS.has(route)) logins.inc({ result });
    if (FACTORS.has(route)) factors.inc({ result });
    if (route === protection.answerReality.name && result === 'ok') checks.inc({ action: 'answered' });
  }

  function refused(code: string, route: string): void {
    refusals.inc({ code });
    told(route, code);
    if (LIMITS.has(code)) limits.inc({ kind: code });
    if (code === 'REALITY_CHECK_DUE') checks.inc({ action: 'due' });
  }

  return { told, refused };
}
