/** What is told of an error, and to whom: its caller, security, the log, the pace; the same whichever way the call came. */
import { CodedError } from '@fairgame/contract';
import type { FastifyRequest } from 'fastify';
import { type Failure, failureOf } from './failure.ts';
import type { ListenerOptions } from './options.ts';
import type { Session } from './session.ts';

const OUTAGE = 'This is not available at the moment. Nothing was taken. Please try again.';

interface About {
  requestId: string;
  ip: string;
  /** Name of the call, where it is known. */
  call: string | undefined;
  session: Session | null;
}

export type RefusalOf = (error: unknown, about: About) => Failure;

export const aboutOf = (req: FastifyRequest): About => ({
  requestId: req.id,
  ip: req.ip,
  call: req.routeOptions?.config?.callName,
  session: req.fairSession,
});

/** Turns whatever was thrown into the one error shape, tells security of it, and counts what the caller did wrong. */
export function createRefusals(opts: ListenerOptions): RefusalOf {
  const { log, pace } = opts;
  return (error, { requestId, ip, call, session: known }) => {
    const session = known ?? undefined;
    let failure = failureOf(error, requestId);
    if (failure.unexpected && opts.isOutage?.(error)) {
      log.warn({ err: error, requestId }, 'the database is away');
      failure = failureOf(new CodedError('UNAVAILABLE', { message: OUTAGE }), requestId);
    }
    if (failure.unexpected) log.error({ err: error, call, requestId }, 'unexpected error');
    const { statusCode, code, field } = failure.body;
    if (statusCode >= 400 && statusCode < 500 && statusCode !== 429) pace.count('refused', ip, session?.userId);
    opts.onRefused?.({ code, route: call ?? '-', ip, session, requestId, ...(field === undefined ? {} : { field }) });
    return failure;
  };
}
