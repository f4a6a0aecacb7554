/** The operations by their names: who may ask, how often, and what went wrong in the format's words. */
import { CodedError } from '@fairgame/contract';
import { type Api, ApiError, Given, ParamError, UnknownMethod, wrongIn } from '@fairgame/exchange-api';
import { DbLost, type Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Caller } from './entry.ts';
import { outcomeOf, type ProgramMeter } from './meter.ts';
import type { ProgramSession } from './sessions.ts';

export interface Operation {
  api: Api;
  /** What can change a bet; a key to read with may not ask. Costs as much as it has instructions. */
  bets?: true;
  /** Reads much: few at once for one account. */
  heavy?: (params: Given) => boolean;
  run(params: Given, caller: Caller): unknown;
}

/** Needs a session and no key. */
export interface KeylessOperation {
  api: Api;
  keyless(params: Given, session: ProgramSession): unknown;
}

interface Who {
  caller: () => Promise<Caller>;
  holder: () => Promise<ProgramSession>;
}

const HEAVY_AT_ONCE = 3;

function codeOf(error: unknown): string {
  if (error instanceof ParamError) return 'INVALID_PARAMS';
  return error instanceof ApiError || error instanceof CodedError ? error.code : 'UNEXPECTED_ERROR';
}

export class Operations {
  private readonly known = new Map<string, Operation | KeylessOperation>();
  private readonly heavy = new Map<number, number>();
  private readonly http: Pick<Http, 'mayAsk'>;
  private readonly log: Log;
  private readonly meter: ProgramMeter;
  private readonly checks: boolean;

  /** `checks`: every answer is held to the format's shapes. */
  constructor(parts: { http: Pick<Http, 'mayAsk'>; log: Log; meter: ProgramMeter; checks: boolean }) {
    this.http = parts.http;
    this.log = parts.log;
    this.meter = parts.meter;
    this.checks = parts.checks;
  }

  add(operations: Readonly<Record<string, Operation | KeylessOperation>>): void {
    for (const [name, operation] of Object.entries(operations)) this.known.set(`${operation.api} ${name}`, operation);
  }

  /** Throws UnknownMethod, ParamError, ApiError, and what the rooms behind throw (`told`). */
  async run(api: Api, name: string, given: unknown, who: Who): Promise<unknown> {
    const operation = this.known.get(`${api} ${name}`);
    if (!operation) throw new UnknownMethod(name);
    const began = performance.now();
    const count = (outcome: string) => this.meter.called(name, outcome, (performance.now() - began) / 1000);
    try {
      const answer = await this.decide(operation, name, given, who);
      const wrong = this.checks ? wrongIn(name, answer) : null;
      if (wrong) throw new Error(`the answer of ${name} is not of the format: ${wrong}`);
      count(outcomeOf(answer));
      return answer;
    } catch (error) {
      count(codeOf(error));
      throw error;
    }
  }

  private async decide(
    operation: Operation | KeylessOperation,
    name: string,
    given: unknown,
    who: Who,
  ): Promise<unknown> {
    const params = new Given(given);
    if ('keyless' in operation) return operation.keyless(params, await who.holder());
    const caller = await who.caller();
    const { userId } = caller.session;
    const began = performance.now();
    if (operation.bets && !caller.key.mayBet) throw new ApiError('ACCESS_DENIED');
    const cost = operation.bets ? Math.max(1, params.list('instructions', () => null)?.length ?? 1) : 1;
    if (!this.http.mayAsk(operation.bets ? 'programBet' : 'program', caller.ip, userId, cost))
      throw new ApiError('TOO_MANY_REQUESTS');
    try {
      if (!operation.heavy?.(params)) return await operation.run(params, caller);
      return await this.oneOfFew(userId, () => operation.run(params, caller));
    } finally {
      const ms = Math.round(performance.now() - began);
      this.log.info({ call: `program.${name}`, ms, user: userId, requestId: caller.requestId }, 'call');
    }
  }

  /** An error as the format says it; what is ours stands in the log and is not told. */
  told(error: unknown, requestId: string): Error {
    if (error instanceof ApiError || error instanceof ParamError || error instanceof UnknownMethod) return error;
    if (error instanceof CodedError && error.code === 'RATE_LIMITED') return new ApiError('TOO_MANY_REQUESTS');
    if (error instanceof DbLost || (error instanceof CodedError && ['BUSY', 'UNAVAILABLE'].includes(error.code)))
      return new ApiError('SERVICE_BUSY');
    this.log.error({ err: error, requestId }, 'an operation of a program failed');
    return new ApiError('UNEXPECTED_ERROR');
  }

  private async oneOfFew(userId: number, work: () => unknown): Promise<unknown> {
    const running = this.heavy.get(userId) ?? 0;
    if (running >= HEAVY_AT_ONCE) throw new ApiError('TOO_MANY_REQUESTS');
    this.heavy.set(userId, running + 1);
    try {
      return await work();
    } finally {
      const left = this.heavy.get(userId)! - 1;
      if (left === 0) this.heavy.delete(userId);
      else this.heavy.set(userId, left);
    }
  }
}
