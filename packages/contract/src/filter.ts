import * as z from 'zod/mini';
import { CodedError } from './errors.ts';

/**
 * The closed grammar of list filters (decisions.md): a value is one of
 *   eq{value}   inArr[{value},{value},...]   between{from}|{to}   isNull
 * and sort is {column}:ASC or {column}:DESC, several with commas. Columns are named per call; anything else is 400.
 */
export type Filter =
  | { op: 'eq'; value: string }
  | { op: 'inArr'; values: string[] }
  | { op: 'between'; from: string; to: string }
  | { op: 'isNull' };

export const MAX_LIST = 50;
export const MAX_RANGE_MS = 366 * 86_400_000;

/** Reads a filter value. Throws BAD_FILTER naming the field. `eq` braces are optional: `eq5` and `eq{5}` are the same. */
export function parseFilter(field: string, value: string, ops: ReadonlyArray<Filter['op']>): Filter {
  const bad = () => new CodedError('BAD_FILTER', { field });
  const allow = (filter: Filter): Filter => {
    if (!ops.includes(filter.op)) throw bad();
    return filter;
  };
  if (value.length > 2000) throw bad();
  if (value === 'isNull') return allow({ op: 'isNull' });
  const eq = /^eq\{?([^{}|,[\]]{1,100})\}?$/.exec(value);
  if (eq) return allow({ op: 'eq', value: eq[1]! });
  const list = /^inArr\[([^[\]{}|]{1,1900})\]$/.exec(value);
  if (list) {
    const values = list[1]!.split(',').map((v) => v.trim());
    if (values.length > MAX_LIST || values.some((v) => v === '')) throw bad();
    return allow({ op: 'inArr', values });
  }
  const between = /^between\{?([^{}|]{4,40})\}?\|\{?([^{}|]{4,40})\}?$/.exec(value);
  if (between) {
    const [from, to] = [Date.parse(between[1]!), Date.parse(between[2]!)];
    if (!Number.isFinite(from) || !Number.isFinite(to) || to < from || to - from > MAX_RANGE_MS) throw bad();
    return allow({ op: 'between', from: between[1]!, to: between[2]! });
  }
  throw bad();
}

export interface Sort {
  column: string;
  direction: 'ASC' | 'DESC';
}

/** Reads a sort value; columns outside the list are refused. */
export function parseSort(value: string, columns: readonly string[]): Sort[] {
  return value.split(',').map((part) => {
    const match = /^([A-Za-z.]{1,60}):(ASC|DESC)$/.exec(part.trim());
    if (!match || !columns.includes(match[1]!)) throw new CodedError('BAD_FILTER', { field: 'sort' });
    return { column: match[1]!, direction: match[2] as Sort['direction'] };
  });
}

/** Filter text in a query; read by parseFilter on the server. */
export const filterText = () => z.optional(z.string().check(z.maxLength(2000)));
export const sortText = () => z.optional(z.string().check(z.maxLength(200)));
export const keyword = () => z.optional(z.string().check(z.maxLength(100)));

/** Builders for callers. */
export const eq = (value: string | number): string => `eq${value}`;
export const inArr = (values: ReadonlyArray<string | number>): string => `inArr[${values.join(',')}]`;
export const between = (from: string, to: string): string => `between${from}|${to}`;
export const isNull = 'isNull';
