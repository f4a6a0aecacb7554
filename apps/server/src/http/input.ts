import { type AnyCall, CodedError } from '@fairgame/contract';
import { surelyFits } from './surely-fits.ts';

const MAX_DEPTH = 8;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
/** Exactly application/json, with utf-8 named or not (trust SEC-Z4). One parser takes all spellings, so none skips a check. */
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

export function isJsonType(contentType: string | undefined): boolean {
  return contentType !== undefined && JSON_TYPE.test(contentType);
}

/**
 * Parses a body. Throws BAD_JSON; BAD_INPUT when nested deeper than any call needs, and for a field that stands twice;
 * UNKNOWN_FIELD for prototype keys.
 */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CodedError('BAD_JSON');
  }
  refuseHostile(value);
  const twice = fieldTwice(text, value);
  if (twice !== null) throw refusedFor(twice);
  return value;
}

const refusedFor = (field: string): CodedError =>
  new CodedError('BAD_INPUT', { field, message: 'A field of the request stands twice.' });

/** In the place of a value that was read from text with a field that stands twice. */
export class FieldTwice {
  readonly field: string;

  constructor(field: string) {
    this.field = field;
  }

  /** Throws BAD_INPUT naming the field where the value is one. */
  static refuse(value: unknown): void {
    if (value instanceof FieldTwice) throw refusedFor(value.field);
  }
}

/** Checks one part of a call's input against its schema and gives back what the schema made of it. */
export function checkPart(call: AnyCall, part: 'params' | 'query' | 'body', value: unknown): unknown {
  const schema = call[part];
  if (schema === undefined) {
    const extra = typeof value === 'object' && value !== null ? Object.keys(value)[0] : undefined;
    if (extra !== undefined) throw new CodedError('UNKNOWN_FIELD', { field: extra });
    if (value !== undefined && (typeof value !== 'object' || value === null))
      throw new CodedError('BAD_INPUT', { field: part });
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
  refuseHostile(value);
  return { ...value };
}

function hasKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'key' in value;
}

/** Half of a character. */
const LONE = /\p{Surrogate}/u;

const isUnfit = (value: unknown): boolean => typeof value === 'string' && (value.includes('\0') || LONE.test(value));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Where in an input a value stands. */
interface Place {
  readonly up: Place | undefined;
  readonly name: string;
}

/**
 * Throws for prototype keys, for more depth than any call needs, and for NUL and halves of characters, which no database text
 * can hold.
 */
export function refuseHostile(value: unknown, depth = 0, place?: Place): void {
  if (isUnfit(value)) throw new CodedError('BAD_INPUT', { field: fieldAt(place) });
  if (!isObject(value)) return;
  if (depth >= MAX_DEPTH)
    throw new CodedError('BAD_INPUT', { field: fieldAt(place), message: 'The request is nested too deeply.' });
  // What JSON made inherits nothing that is listed, and a list of its entries costs more than the look at them.
  for (const name in value) {
    if (FORBIDDEN.has(name)) throw new CodedError('UNKNOWN_FIELD', { field: fieldAt({ up: place, name }) });
    const inner = value[name];
    if (isUnfit(inner) || isObject(inner)) refuseHostile(inner, depth + 1, { up: place, name });
  }
}

/** By the names on the way to it. */
function fieldAt(place: Place | undefined): string {
  const names: string[] = [];
  for (let at = place; at; at = at.up) names.unshift(at.name);
  return names.join('.') || 'body';
}

/**
 * Which field of an object stands in it twice; null where none does. Of two the parser would take the last without a word, and
 * whoever looked at the text before it may have read the first. `value` is what `text` was read as: with as many fields as the
 * text has colons none was lost, and the text need not be read again.
 */
export function fieldTwice(text: string, value: unknown): string | null {
  let colons = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) colons++;
  return colons === fieldsIn(value) ? null : readTwice(text);
}

/** How many fields there are in all; however deep, as nobody may have looked before. */
function fieldsIn(value: unknown): number {
  let fields = 0;
  const left = isObject(value) ? [value] : [];
  for (let one = left.pop(); one; one = left.pop()) {
    const parts = Object.values(one);
    if (!Array.isArray(one)) fields += parts.length;
    for (const part of parts) if (isObject(part)) left.push(part);
  }
  return fields;
}

/** One token of JSON that says where something begins or ends. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

function readTwice(text: string): string | null {
  const open: Array<Set<string> | null> = [];
  for (const [token, isName] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') open.pop();
    else if (isName !== undefined) {
      const name = JSON.parse(token.slice(0, -isName.length)) as string;
      const names = open.at(-1)!;
      if (names!.has(name)) return name;
      names!.add(name);
    }
  }
  return null;
}
