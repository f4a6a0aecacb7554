import { type AnyCall, CodedError } from '@fairgame/contract';
import { surelyFits } from './surely-fits.ts';

const MAX_DEPTH = 8;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
/** Exactly application/json, with utf-8 named or not (trust SEC-Z4). One parser takes all spellings, so none skips a check. */
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_TYPE.test(contentType);
}

/** Parses a body. Throws BAD_JSON; BAD_INPUT when nested deeper than any call needs; UNKNOWN_FIELD for prototype keys. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CodedError('BAD_JSON');
  }
  refuseHostile(value, 0);
  return value;
}

/** Checks one part of a call's input against its schema and gives back what the schema made of it. */
export function checkPart(call: AnyCall, part: 'params' | 'query' | 'body', value: unknown): unknown {
  const schema = call[part];
  if (schema === undefined) {
    const extra = typeof value === 'object' && value !== null ? Object.keys(value)[0] : undefined;
    if (extra !== undefined) throw new CodedError('UNKNOWN_FIELD', { field: extra });
    if (value !== undefined && (typeof value !== 'object' || value === null)) throw new CodedError('BAD_INPUT');
    return undefined;
  }
  if (part === 'body' && surelyFits(schema, value)) return value;
  const given = part === 'body' ? value : plain(value);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.path.map(String).join('.');
  const unknown = result.error.issues.find((other) => other.code === 'unrecognized_keys');
  if (unknown?.code === 'unrecognized_keys') {
    const field = [...unknown.path.map(String), unknown.keys[0] ?? ''].join('.');
    throw new CodedError('UNKNOWN_FIELD', { field });
  }
  if (part === 'body' && call.keyed && path === 'key' && !hasKey(value))
    throw new CodedError('KEY_REQUIRED', { field: 'key' });
  throw new CodedError('BAD_INPUT', { field: path || part });
}

/** Query and path objects come without a prototype; schemas want plain ones. Prototype keys stay own and are refused. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return {};
  refuseHostile(value, 0);
  return { ...value };
}

function hasKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'key' in value;
}

/** Half of a character. */
const LONE = /\p{Surrogate}/u;

/**
 * Throws for prototype keys, for more depth than any call needs, and for NUL and halves of characters, which no database text
 * can hold.
 */
export function refuseHostile(value: unknown, depth: number): void {
  if (typeof value === 'string' && (value.includes('\0') || LONE.test(value))) throw new CodedError('BAD_INPUT');
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new CodedError('BAD_INPUT', { message: 'The request is nested too deeply.' });
  if (Array.isArray(value)) {
    for (const item of value) refuseHostile(item, depth + 1);
    return;
  }
  // What JSON made inherits nothing that is listed, and a list of its entries costs more than the look at them.
  for (const key in value) {
    if (FORBIDDEN.has(key)) throw new CodedError('UNKNOWN_FIELD', { field: key });
    refuseHostile((value as Record<string, unknown>)[key], depth + 1);
  }
}
