/** The door of every call, whichever way it comes (a request, an open socket): who may make it, how often, and with what. */
import { type AnyCall, CodedError, tooLate } from '@fairgame/contract';
import { expiryOf } from './age.ts';
import { checkPart } from './input.ts';
import type { ListenerOptions } from './options.ts';
import { paceOf } from './pace.ts';
import type { OperatorGate, Session, Sessions } from './session.ts';

/** Who comes, before anything of the input is looked at. */
export interface Comer {
  ip: string;
  /** As soon as it is known: whoever tells of a refusal needs it, too. */
  fairSession: Session | null;
}

/** What a comer shows at the door. */
export interface Shown {
  token: string | undefined;
  /** The player himself was at it. */
  attended: boolean;
}

/** The parts of an input as they came. */
export interface Given {
  params: unknown;
  query: unknown;
  body: unknown;
  /** Until when the act is wanted (`DEADLINE_HEADER`). */
  deadline: unknown;
}

/** What the door knows of a call that may be made. */
export interface Passed {
  params: unknown;
  query: unknown;
  body: unknown;
  session: Session | null;
  expiresAt: number | undefined;
}

export interface Door {
  useSessions: (sessions: Sessions) => void;
  useOperators: (gate: OperatorGate) => void;
  /** To be waited for before `enter`; null: nothing to wait for. */
  look(call: AnyCall, shown: Shown): Promise<void> | null;
  /** Decided before a byte of the body is read. Throws why the comer may not make the call now. */
  enter(call: AnyCall, comer: Comer, shown: Shown): void;
  /** Checks the input of a comer who has entered, and what depends on it. */
  pass(call: AnyCall, comer: Comer, given: Given): Passed;
}

export function createDoor({ clock, pace, metrics, pauses }: ListenerOptions): Door {
  let sessions: Sessions | undefined;
  let operators: OperatorGate | undefined;

  /** The session that asks, when it may make this call. Throws why not. */
  function whoAsks(call: AnyCall, comer: Comer, { token, attended }: Shown): Session | null {
    if (call.who === 'public') return null;
    if (token === undefined) throw new CodedError('NOT_SIGNED_IN');
    const session = sessions?.sessionOf(token) ?? null;
    if (!session) throw new CodedError('SESSION_ENDED');
    sessions?.touch(session, attended);
    comer.fairSession = session;
    if (call.who === 'operator') {
      if (session.role !== 'operator' || !operators) throw new CodedError('NOT_ALLOWED');
      operators.mayCall(session, call);
      return session;
    }
    if (call.who === 'pending') return session;
    if (session.pending) throw new CodedError('CODE_REQUIRED');
    if (session.forceChangePassword) throw new CodedError('PASSWORD_CHANGE_REQUIRED');
    if (session.role !== 'user') throw new CodedError('NOT_ALLOWED');
    if (call.who === 'real' && session.isDemo) throw new CodedError('DEMO_NOT_ALLOWED');
    return session;
  }

  return {
    useSessions(given) {
      sessions = given;
    },
    useOperators(given) {
      operators = given;
    },
    look: (call, { token }) => (call.who === 'public' || token === undefined ? null : (sessions?.look(token) ?? null)),
    enter(call, comer, shown) {
      // Nobody knows how long it waited while the process stood: what would act is refused, nothing was taken.
      if (call.method !== 'GET' && pauses.isRecent()) throw tooLate();
      const userId = whoAsks(call, comer, shown)?.userId;
      const { kind, cost } = paceOf(call);
      // What holds several instructions is counted when it is known how many.
      const most = pace.wait('refused', comer.ip, userId);
      refuseFast(
        metrics,
        kind,
        most || (call.many ? pace.wait(kind, comer.ip, userId) : pace.take(kind, comer.ip, userId, cost)),
      );
    },
    pass(call, comer, { params, query, body, deadline }) {
      const session = comer.fairSession;
      const now = clock();
      const passed: Passed = {
        params: checkPart(call, 'params', call.params === undefined ? undefined : params),
        query: checkPart(call, 'query', query),
        body: call.method === 'POST' ? checkPart(call, 'body', body) : undefined,
        session,
        expiresAt: call.method === 'GET' ? undefined : expiryOf(deadline, now),
      };
      if (session?.stepUpDue && call.errors.includes('STEP_UP_REQUIRED')) throw new CodedError('STEP_UP_REQUIRED');
      if (call.many) {
        const { kind, cost } = paceOf(call);
        const count = (passed.body as Record<string, readonly unknown[]>)[call.many]!.length;
        refuseFast(metrics, kind, pace.take(kind, comer.ip, session?.userId, cost * count));
      }
      return passed;
    },
  };
}

function refuseFast(metrics: ListenerOptions['metrics'], kind: ReturnType<typeof paceOf>['kind'], waitS: number): void {
  if (waitS === 0) return;
  metrics?.limited(kind);
  throw new CodedError('RATE_LIMITED', { retryAfterS: waitS });
}
