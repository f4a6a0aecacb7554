import type { Core } from '../core/types.ts';
import { DbLost } from '../db/db.ts';
import { createHttp, type Http } from '../http/http.ts';
import { healthRoutes } from '../ops/ops.ts';
import type { Ground } from './ground.ts';

/** The listeners, with health and metrics; what is refused for its safety stands in the log. */
export function openDoor({ config, db, clock, steady, log, metrics }: Ground, core: Core): Http {
  const http = createHttp({
    config,
    log,
    // The line of a call holds nothing that could have to be cut out, and looking for it costs more than writing it.
    callLog: log.child({}, { redact: [] }),
    clock,
    steady,
    metrics: metrics.http,
    seen: { seq: () => core.health().seq, reached: (seq) => core.reached(seq) },
    isOutage: (error) => error instanceof DbLost || !db.healthy(),
    onRefused: (what) => {
      metrics.refused(what.code, what.route);
      if (!SECURITY_CODES.has(what.code)) return;
      const { code, route: call, field, ip, session, requestId } = what;
      log.info({ security: 'refused', code, call, field, ip, user: session?.userId, requestId }, 'security');
    },
  });
  healthRoutes({ http, core, db, metrics, config });
  return http;
}

const SECURITY_CODES = new Set([
  'BAD_INPUT',
  'UNKNOWN_FIELD',
  'BAD_JSON',
  'UNSUPPORTED_TYPE',
  'TOO_LARGE',
  'NOT_ALLOWED',
  'DEMO_NOT_ALLOWED',
  'RATE_LIMITED',
  'SESSION_ENDED',
  'CODE_REQUIRED',
  'PASSWORD_CHANGE_REQUIRED',
  'KEY_REUSED',
]);
