/** What a call takes, as words of a command line: read from its contract, so that the two cannot drift apart. */
import { type AnyCall, jsonSchema, parseMinor } from '@fairgame/contract';

/** The command line is not right; told with a way to the help. */
export class Usage extends Error {}

export type Part = 'params' | 'query' | 'body';

export interface Field {
  readonly name: string;
  readonly part: Part;
  readonly required: boolean;
  /** `amountMinor` is `--amount`, `ageVerified` is `--age-verified`, and what players call by another name has that. */
  readonly flag: string;
  /** What stands for the value in the help. */
  readonly value: string;
  /** Throws Usage. Null: too deep for one word, the command says it its own way. */
  readonly parse: ((text: string) => unknown) | null;
}

interface Schema {
  type?: string;
  enum?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  prefixItems?: unknown;
  anyOf?: readonly Schema[];
}

/** `betId` of the specification's calls is the market. */
const CALLED: Readonly<Record<string, string>> = {
  userName: 'name',
  userId: 'user',
  betId: 'market',
  matchId: 'match',
  runnerId: 'runner',
  ids: 'bets',
};

export function fieldsOf(call: AnyCall): Field[] {
  return (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = call[part];
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = jsonSchema(schema) as Schema;
    return Object.entries(properties).map(([name, property]): Field => {
      const read = reader(name, property);
      return {
        name,
        part,
        required: required.includes(name),
        flag: CALLED[name] ?? name.replace(/Minor$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        value: read?.value ?? 'VALUE',
        parse: read && ((text) => read.parse(text)),
      };
    });
  });
}

interface Reader {
  value: string;
  parse(text: string): unknown;
}

function reader(name: string, schema: Schema): Reader | null {
  if (schema.anyOf) {
    const nullable = schema.anyOf.some(({ type }) => type === 'null');
    const inner = nullable ? reader(name, schema.anyOf.find(({ type }) => type !== 'null')!) : null;
    return inner && { value: `${inner.value}|none`, parse: (text) => (text === 'none' ? null : inner.parse(text)) };
  }
  if (schema.enum) {
    const choices = schema.enum;
    const parse = (text: string) => {
      if (!choices.includes(text)) throw new Usage(`${text} is not one of ${choices.join(', ')}.`);
      return text;
    };
    return { value: choices.join('|'), parse };
  }
  switch (schema.type) {
    case 'integer':
      return name.endsWith('Minor') ? { value: '100.00', parse: amount } : { value: 'N', parse: whole };
    case 'boolean':
      return { value: 'yes|no', parse: yesOrNo };
    case 'string':
      return { value: 'TEXT', parse: (text) => text };
    case 'array':
      if (schema.items?.type === 'integer') return { value: 'N[,N]', parse: wholes };
      if (schema.items?.type === 'string')
        return { value: 'TEXT[,TEXT]', parse: (text) => (text === 'none' ? [] : words(text)) };
      return null;
    default:
      return null;
  }
}

/** "100.00", "-25.00" (its sign may be the one that stands for an option's dash, see cli.ts). */
export function amount(text: string): number {
  const negative = /^[-\u2212]/.test(text);
  const minor = parseMinor(negative ? text.slice(1) : text);
  if (minor === null) throw new Usage(`${text} is not an amount like 100.00.`);
  return negative ? -minor : minor;
}

export function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Usage(`${text} is not a whole number.`);
  return Number(text);
}

/** An option beside the fields that its command cannot do without. Throws Usage. */
export function needed(own: Readonly<Record<string, unknown>>, name: string): string {
  const value = own[name];
  if (typeof value !== 'string') throw new Usage(`--${name} is missing.`);
  return value;
}

export const words = (text: string): string[] => text.split(',').map((part) => part.trim());
export const wholes = (text: string): number[] => words(text).map(whole);

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new Usage(`${text} is not yes or no.`);
  return text === 'yes';
}

/** House prices: "2.00:100.00" is decimal odds, "95:100.00" a rate per 100. */
export function levels(text: string | undefined): Array<[number, number]> {
  if (text === undefined) return [];
  return words(text).map((part) => {
    const [price = '', size = ''] = part.split(':');
    return [price.includes('.') ? amount(price) : whole(price), amount(size)];
  });
}
