export type { World } from '../core/types.ts';

/** Conditions joined by AND. Values only ever become parameters; the condition texts are constants of the program. */
export class Where {
  readonly params: unknown[];
  private conditions: string[] = [];

  /** Behind the parameters of another part of the statement. */
  constructor(params: readonly unknown[] = []) {
    this.params = [...params];
  }

  /** `end` closes what the condition opened. */
  and(condition: string, value: unknown, end = ''): this {
    this.params.push(value);
    this.conditions.push(`${condition} $${this.params.length}${end}`);
    return this;
  }

  /** Rows behind a place in descending order. */
  before(columns: string, place: readonly [number, number]): this {
    this.params.push(...place);
    const n = this.params.length;
    this.conditions.push(`(${columns}) < ($${n - 1}::bigint, $${n}::bigint)`);
    return this;
  }

  anyOf(column: string, values: readonly (string | number)[], type: 'bigint' | 'text'): this {
    this.params.push(values);
    this.conditions.push(`${column} = ANY($${this.params.length}::${type}[])`);
    return this;
  }

  anyPair(columns: string, pairs: ReadonlyArray<readonly [number, number]>): this {
    this.params.push(
      pairs.map(([first]) => first),
      pairs.map(([, second]) => second),
    );
    const n = this.params.length;
    this.conditions.push(`(${columns}) IN (SELECT * FROM unnest($${n - 1}::bigint[], $${n}::bigint[]))`);
    return this;
  }

  also(condition: string): this {
    this.conditions.push(condition);
    return this;
  }

  get sql(): string {
    return `WHERE ${this.conditions.join(' AND ')}`;
  }

  /** LIMIT and OFFSET of a page counted from 1. */
  page(page: number, limit: number): string {
    return this.slice(limit, (page - 1) * limit);
  }

  /** So many of them behind the first few. */
  slice(limit: number, offset: number): string {
    this.params.push(limit, offset);
    return `LIMIT $${this.params.length - 1} OFFSET $${this.params.length}`;
  }
}

/** A pattern that finds the text anywhere and takes nothing in it for a wildcard. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}
