import { CodedError } from './errors.ts';

/**
 * The closed grammar of list filters (docs/decisions.md): a value is one of
 *   {value}   eq{value}   inArr[{value},{value},...]   between{from}|{to}   isNull
 * where the plain form means `eq`, and an empty text means that the filter was not given. sort is {column}:ASC or
 * {column}:DESC, several with commas. Columns are named per call; anything else is 400, and so is a value that is none of
 * those a column knows.
 */
export type Filter =
  | { op: 'eq'; value: string }
  | { op: 'inArr'; values: string[] }
  | { op: 'between'; from: string; to: string }
  | { op: 'isNull' };

export const MAX_LIST = 50;
export const MAX_RANGE_MS = 366 * 86_400_000;

/** Reads a filter value. Throws BAD_FILTER naming the field. `5`, `eq5` and `eq{5}` are the same. */
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
  if (/^[^{}|,[\]]{1,100}$/.test(value)) return allow({ op: 'eq', value });
  throw bad();
}

/**
 * The values a column is asked for, by `eq` or `inArr`; undefined when the filter was not given. `known`: those there are,
 * spelt as they are; any case is understood. Throws BAD_FILTER naming the field.
 */
export function filterValues<V extends string>(
  field: string,
  value: string | undefined,
  known: readonly V[],
): V[] | undefined;
export function filterValues(field: string, value: string | undefined): string[] | undefined;
export function filterValues(
  field: string,
  value: string | undefined,
  known?: readonly string[],
): string[] | undefined {
  if (value === undefined || value === '') return undefined;
  const filter = parseFilter(field, value, ['eq', 'inArr']);
  const values = filter.op === 'inArr' ? filter.values : filter.op === 'eq' ? [filter.value] : [];
  if (!known) return values;
  return values.map((one) => {
    const found = known.find((name) => name.toLowerCase() === one.toLowerCase());
    if (found === undefined) throw new CodedError('BAD_FILTER', { field });
    return found;
  });
}

/** A range of time, ms since 1970, both inclusive: a bare date as its end means the whole day. As filterValues. */
export function filterRange(field: string, value: string | undefined): { from: number; to: number } | undefined {
  if (value === undefined || value === '') return undefined;
  const range = parseFilter(field, value, ['between']);
  return range.op === 'between' ? { from: Date.parse(range.from), to: endOf(range.to) } : undefined;
}

function endOf(date: string): number {
  const at = Date.parse(date);
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? at + 86_400_000 - 1 : at;
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

/** Builders for callers. */
export const eq = (value: string | number): string => `eq${value}`;
export const inArr = (values: ReadonlyArray<string | number>): string => `inArr[${values.join(',')}]`;
export const between = (from: string, to: string): string => `between${from}|${to}`;
export const isNull = 'isNull';
