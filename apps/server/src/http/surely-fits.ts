/**
 * Says of most good inputs in a fraction of the schema's own time that they are good. Only a yes counts: then the schema would
 * take the value and give it back as it is. Of all else, and of whatever a schema has that is not known here, the schema decides.
 */
import type { AnyCall } from '@fairgame/contract';

type Schema = NonNullable<AnyCall['body']>;
type Fits = (value: unknown) => boolean;

const known = new WeakMap<Schema, Fits | null>();

/** `value`: as JSON has it. */
export function surelyFits(schema: Schema, value: unknown): boolean {
  let fits = known.get(schema);
  if (fits === undefined) {
    fits = fitsOf(schema);
    known.set(schema, fits);
  }
  return fits?.(value) ?? false;
}

/** What the library says of a schema; its types are those of its makers, of which here is what is read. */
interface Def {
  type: string;
  format?: string;
  shape?: Record<string, unknown>;
  catchall?: unknown;
  innerType?: unknown;
  element?: unknown;
  entries?: Record<string, string>;
  values?: readonly unknown[];
  checks?: unknown[];
  coerce?: boolean;
}

const defOf = (schema: unknown): Def => (schema as { _zod: { def: Def } })._zod.def;

/** Null: not known. */
function fitsOf(schema: unknown): Fits | null {
  const def = defOf(schema);
  const checks = (def.checks ?? []).map(checkOf);
  const kind = KINDS[def.type]?.(def) ?? null;
  if (kind === null || def.coerce || checks.includes(null)) return null;
  const all = checks.filter((check) => check !== null);
  const [first, second] = all;
  if (!first) return kind;
  if (!second) return (value) => kind(value) && first(value);
  return (value) => kind(value) && all.every((check) => check(value));
}

const KINDS: Readonly<Record<string, (def: Def) => Fits | null>> = {
  number: ({ format }) => (format === 'safeint' ? Number.isSafeInteger : null),
  string: ({ format }) => (format === undefined ? (value) => typeof value === 'string' : null),
  unknown: () => () => true,
  boolean: () => (value) => typeof value === 'boolean',
  enum({ entries }) {
    const values: ReadonlySet<unknown> = new Set(Object.values(entries!));
    return (value) => values.has(value);
  },
  literal({ values }) {
    return (value) => values!.includes(value);
  },
  optional: ({ innerType }) => fitsOf(innerType),
  nullable({ innerType }) {
    const inner = fitsOf(innerType);
    return inner && ((value) => value === null || inner(value));
  },
  array({ element }) {
    const inner = fitsOf(element);
    return inner && ((value) => Array.isArray(value) && value.every(inner));
  },
  object: objectFits,
};

function objectFits({ shape, catchall }: Def): Fits | null {
  if (catchall === undefined || defOf(catchall).type !== 'never') return null;
  const fields = new Map<string, { fits: Fits; isRequired: boolean }>();
  for (const [name, schema] of Object.entries(shape!)) {
    const fits = fitsOf(schema);
    if (!fits) return null;
    fields.set(name, { fits, isRequired: defOf(schema).type !== 'optional' });
  }
  const required = [...fields.values()].filter(({ isRequired }) => isRequired).length;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let missing = required;
    for (const name in value) {
      const field = fields.get(name);
      if (!field?.fits((value as Record<string, unknown>)[name])) return false;
      if (field.isRequired) missing--;
    }
    return missing === 0;
  };
}

interface CheckDef {
  check: string;
  format?: string;
  pattern?: RegExp;
  value?: number;
  inclusive?: boolean;
  minimum?: number;
  maximum?: number;
}
interface Check {
  _zod: { def: CheckDef };
}

function checkOf(check: unknown): Fits | null {
  const { def } = (check as Check)._zod;
  const { value: bound = 0, pattern } = def;
  switch (def.check) {
    case 'greater_than':
      return def.inclusive ? (value) => (value as number) >= bound : (value) => (value as number) > bound;
    case 'less_than':
      return def.inclusive ? (value) => (value as number) <= bound : (value) => (value as number) < bound;
    case 'string_format':
      return def.format === 'regex' && pattern && !pattern.global && !pattern.sticky
        ? (value) => pattern.test(value as string)
        : null;
    case 'min_length':
      return (value) => (value as ArrayLike<unknown>).length >= def.minimum!;
    case 'max_length':
      return (value) => (value as ArrayLike<unknown>).length <= def.maximum!;
    // A unit or a description.
    case 'meta':
    case 'describe':
      return () => true;
    default:
      return null;
  }
}
