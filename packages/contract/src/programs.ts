import * as z from 'zod/mini';
import { call, idText, nothing } from './call.ts';

/** `bet` may also place, change and cancel. */
const rights = z.enum(['read', 'bet']);

export const programKey = z.object({
  id: z.int(),
  name: z.string(),
  /** What the program sends with every call. */
  key: z.string(),
  rights,
  /** Addresses and ranges it may come from; none: from anywhere. */
  addresses: z.array(z.string()),
  /** SHA-256 of the client certificate it may sign in with, in hexadecimal; null for none. */
  certificate: z.nullable(z.string()),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
});
export type ProgramKey = z.output<typeof programKey>;

export const programs = {
  list: call('programs.list', {
    method: 'GET',
    path: '/programs/keys',
    who: 'real',
    summary: "The keys of the player's programs, and whether the site has a door for them.",
    reply: z.object({ open: z.boolean(), keys: z.array(programKey) }),
  }),
  create: call('programs.create', {
    method: 'POST',
    path: '/programs/keys',
    who: 'real',
    summary: 'Makes a key for a program.',
    body: z.strictObject({
      name: z.string().check(z.regex(/^[\w .-]{1,40}$/)),
      rights,
      addresses: z.array(z.string().check(z.maxLength(50))).check(z.maxLength(20)),
      certificate: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    }),
    reply: programKey,
    errors: ['STEP_UP_REQUIRED', 'NAME_TAKEN', 'NOT_ALLOWED'],
  }),
  revoke: call('programs.revoke', {
    method: 'POST',
    path: '/programs/keys/revoke',
    who: 'real',
    summary: 'Takes a key away: programs that used it are signed out at once.',
    body: z.strictObject({ id: z.int() }),
    reply: nothing,
    errors: ['NOT_FOUND'],
  }),
  recorded: call('programs.recorded', {
    method: 'GET',
    path: '/programs/recordings',
    who: 'player',
    summary:
      'Which of these markets (at most 50, with commas) have a recording: where the site keeps them, once there is a result.',
    query: z.strictObject({ marketIds: z.string().check(z.regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,49}$/)) }),
    reply: z.object({ marketIds: z.array(z.int()) }),
  }),
  recording: call('programs.recording', {
    method: 'GET',
    path: '/programs/recordings/market/:marketId',
    who: 'player',
    summary:
      'What the books of a market looked like until its result, in the home currency: lines as the stream of programs has them, packed by bzip2. Where the site keeps recordings.',
    params: z.strictObject({ marketId: idText() }),
    file: 'application/x-bzip2',
    reply: z.string(),
    errors: ['NOT_FOUND'],
  }),
  recordings: call('programs.recordings', {
    method: 'GET',
    path: '/programs/recordings/day/:day',
    who: 'player',
    summary: 'The recordings of all markets that had their result on a day (UTC), as one tar.',
    params: z.strictObject({ day: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)) }),
    file: 'application/x-tar',
    reply: z.string(),
    errors: ['NOT_FOUND'],
  }),
};
