/** What the calls of people behind the site are made of. */
import * as z from 'zod/mini';
import { call, id } from './call.ts';
import type { ErrorCode } from './errors.ts';
import type { Right } from './rights.ts';

/** Set: a second person has to agree before anything happens. The number of the request. */
export const request = z.nullable(z.int());
export const reason = z.string().check(z.minLength(3), z.maxLength(300));
export const userName = z.string().check(z.regex(/^[A-Za-z0-9_.-]{3,32}$/));
export const result = z.union([
  z.strictObject({ kind: z.literal('winners'), runnerIds: z.array(id()).check(z.minLength(1), z.maxLength(60)) }),
  /** The finish: 1 the best, equal ranks level; at least as many as there are places. */
  z.strictObject({
    kind: z.literal('ranks'),
    ranks: z
      .array(z.strictObject({ runnerId: id(), rank: z.int().check(z.minimum(1), z.maximum(400)) }))
      .check(z.minLength(1), z.maxLength(400)),
  }),
  z.strictObject({ kind: z.literal('score'), score: z.int().check(z.minimum(0), z.maximum(100_000)) }),
  z.strictObject({ kind: z.literal('yes'), yes: z.boolean() }),
  z.strictObject({ kind: z.literal('tie') }),
  z.strictObject({ kind: z.literal('void'), reason }),
]);

interface More {
  right: Right | 'any' | 'entering';
  keyed?: boolean;
  proof?: boolean;
  errors?: readonly ErrorCode[];
}

export const op = <B extends z.ZodMiniType, R extends z.ZodMiniType>(
  name: string,
  path: string,
  summary: string,
  body: B,
  reply: R,
  more: More,
) =>
  call(`operator.${name}`, {
    method: 'POST',
    path: `/operator${path}`,
    who: 'operator',
    summary,
    body,
    reply,
    ...more,
  });

/** Moves money: the body has a key made by the caller, and a repeated call acts once. */
export const moves = (right: Right) => ({ right, keyed: true, proof: true }) as const;
/** The call was carried out before under this key; nothing happened again. */
export const repeated = z.object({ request, repeated: z.boolean() });
