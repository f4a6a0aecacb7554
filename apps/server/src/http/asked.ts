import type { AnyCall, BodyOf, ErrorBody, ParamsOf, QueryOf, ReplyOf } from '@fairgame/contract';
import type { FastifyRequest } from 'fastify';
import type { Session } from './session.ts';

/** What a handler gets. All of it is checked against the contract before. */
export interface Asked<C extends AnyCall, S = Session> {
  params: ParamsOf<C>;
  query: QueryOf<C>;
  body: BodyOf<C>;
  session: S;
  ip: string;
  device: string;
  requestId: string;
  /** Moment of the process' steady clock from which the asker wants the act no more; undefined when he set no end. */
  expiresAt: number | undefined;
  /** Tells whoever must know that a part of the call was refused; gives what its caller is told. */
  refused: (error: unknown) => ErrorBody;
  /** Not there on the line. */
  req: FastifyRequest;
  /** Adds a header to the answer. Not there on the line. */
  header: (name: string, value: string) => void;
}

/** A handler answers the call's data, or data with a message for the player: exactly the keys `data` and `message`. */
type Told<C extends AnyCall> = ReplyOf<C> | { data: ReplyOf<C>; message: string };
export type Handler<C extends AnyCall, S = Session> = (asked: Asked<C, S>) => Promise<Told<C>> | Told<C>;

export type AnyAsked = Asked<AnyCall, Session | null>;

/** What a caller calls itself. */
export const deviceOf = (userAgent: string | undefined): string => String(userAgent ?? '').slice(0, 200);
