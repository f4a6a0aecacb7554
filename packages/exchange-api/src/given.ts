/** What a program sends, read with patience: numbers may come as text, null is absent, members we do not know are passed over. */
import { ParamError } from './errors.ts';

const MOST_TEXT = 1000;
const MOST_LIST = 5000;

export class Given {
  private readonly value: Readonly<Record<string, unknown>>;

  /** Throws ParamError where it is no object. Absent is empty. */
  constructor(value: unknown, name = 'params') {
    if (value !== undefined && value !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw new ParamError(name);
    this.value = (value ?? {}) as Record<string, unknown>;
  }

  raw(name: string): unknown {
    const value = Object.hasOwn(this.value, name) ? this.value[name] : undefined;
    return value === null ? undefined : value;
  }

  /** To the letter: null is told back as null. */
  sent(name: string): unknown {
    return Object.hasOwn(this.value, name) ? this.value[name] : undefined;
  }

  names(): string[] {
    return Object.keys(this.value).filter((name) => this.raw(name) !== undefined);
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** Numbers are taken for their text. Empty counts as absent. */
  text(name: string): string | undefined {
    return textOf(this.raw(name), name);
  }

  int(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^-?\d{1,16}(\.0+)?$/.test(text) || !Number.isSafeInteger(Number(text))) throw new ParamError(name);
    return Number(text);
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    throw new ParamError(name);
  }

  word<L extends readonly string[]>(name: string, words: L): L[number] | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!words.includes(text)) throw new ParamError(name);
    return text;
  }

  /** An empty list restricts nothing and counts as absent. */
  texts(name: string): string[] | undefined {
    return this.list(name, (one) => textOf(one, name) ?? '');
  }

  words<L extends readonly string[]>(name: string, words: L): Array<L[number]> | undefined {
    return this.list(name, (one) => {
      if (typeof one !== 'string' || !words.includes(one)) throw new ParamError(name);
      return one as L[number];
    });
  }

  list<T>(name: string, read: (one: unknown) => T): T[] | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length > MOST_LIST) throw new ParamError(name);
    return value.length === 0 ? undefined : value.map(read);
  }

  object(name: string): Given | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Given(value, name);
  }

  /** Milliseconds of a moment as text. */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const at = Date.parse(text);
    if (!/^\d{4}-\d\d-\d\d(T|$)/.test(text) || !Number.isFinite(at)) throw new ParamError(name);
    return at;
  }

  /** Both ends belong to it. */
  range(name: string): { from?: number; to?: number } | undefined {
    const value = this.object(name);
    if (!value) return undefined;
    const [from, to] = [value.time('from'), value.time('to')];
    if (from === undefined && to === undefined) return undefined;
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  }
}

/** The value, which the operation cannot do without. */
export function must<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new ParamError(name);
  return value;
}

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string' || value.length > MOST_TEXT) throw new ParamError(name);
  return value;
}
