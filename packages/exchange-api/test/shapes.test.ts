/** What the documents say of requests is what the readers read: no member more, none less, and the same of them mandatory. */
import { jsonSchema } from '@fairgame/contract';
import { describe, expect, it } from 'vitest';
import {
  ASKED,
  Given,
  mustBeOurs,
  type OperationName,
  ParamError,
  readAvailable,
  readBooks,
  readCancel,
  readCatalogue,
  readClearedOrders,
  readCurrentOrders,
  readHeartbeat,
  readListing,
  readMarketWish,
  readOrderWish,
  readPlace,
  readProfit,
  readRaces,
  readReplace,
  readRunnerBook,
  readStatement,
  readTimeRanges,
  readUpdate,
  readUpdateKeys,
  STREAM_ASKED,
  wrongIn,
  wrongInLine,
} from '../src/exchange-api.ts';

interface Schema {
  type?: string;
  enum?: string[];
  const?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  pattern?: string;
  minimum?: number;
}

const nothing = () => undefined;
const READERS: Record<OperationName, (given: Given) => unknown> = {
  listEventTypes: readListing,
  listCompetitions: readListing,
  listTimeRanges: readTimeRanges,
  listEvents: readListing,
  listMarketTypes: readListing,
  listCountries: readListing,
  listVenues: readListing,
  listMarketCatalogue: readCatalogue,
  listMarketBook: readBooks,
  listRunnerBook: readRunnerBook,
  placeOrders: readPlace,
  cancelOrders: readCancel,
  updateOrders: readUpdate,
  replaceOrders: readReplace,
  listCurrentOrders: readCurrentOrders,
  listClearedOrders: readClearedOrders,
  listMarketProfitAndLoss: readProfit,
  heartbeat: readHeartbeat,
  listAvailableEvents: readAvailable,
  listScores: readUpdateKeys,
  listIncidents: readUpdateKeys,
  listRaceDetails: readRaces,
  getAccountFunds: mustBeOurs,
  getAccountDetails: nothing,
  getAccountStatement: readStatement,
  listCurrencyRates: nothing,
  getDeveloperAppKeys: nothing,
  transferFunds: nothing,
  createDeveloperAppKeys: nothing,
};
/** Read where the connection meets them. */
const AT_THE_DOOR = new Set(['op', 'id']);

/** Everything that may stand there, each member once. */
function sampleOf(schema: Schema, name = ''): unknown {
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, one]) => [key, sampleOf(one, key)]));
    case 'array':
      return [sampleOf(schema.items!, name)];
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1);
    default:
      if (name === 'wallet') return 'UK';
      return ['from', 'to', 'matchedSince'].includes(name) ? '2026-04-18T12:00:00.000Z' : 'x1';
  }
}

/** A value that notes in `read` which members were looked for, by their paths. */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    getOwnPropertyDescriptor(target, key) {
      if (typeof key === 'string' && !Array.isArray(target)) read.add(`${path}.${key}`);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    get(target, key) {
      const one = Reflect.get(target, key);
      return typeof key === 'string' ? watched(one, Array.isArray(target) ? path : `${path}.${key}`, read) : one;
    },
  });
}

function pathsOf(schema: Schema, path: string): string[] {
  const inner = schema.anyOf?.[0] ?? schema.items;
  if (inner) return pathsOf(inner, path);
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => [
    `${path}.${name}`,
    ...pathsOf(one, `${path}.${name}`),
  ]);
}

/** The sample's member that leads to an object with one member more. */
function withMember(
  sample: Record<string, unknown>,
  above: readonly string[],
  holder: Record<string, unknown>,
  name: string,
): Record<string, unknown> {
  const more = { ...holder, [name]: 'x1' };
  return above.length === 0 ? more : { ...sample, [above[0]!]: more };
}

/** Each object of a sample with its schema. */
function objectsIn(schema: Schema, value: unknown): Array<{ schema: Schema; value: Record<string, unknown> }> {
  if (schema.type === 'array') return objectsIn(schema.items!, (value as unknown[])[0]);
  if (schema.type !== 'object') return [];
  const own = value as Record<string, unknown>;
  return [
    { schema, value: own },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => objectsIn(one, own[name])),
  ];
}

describe('what is asked', () => {
  const stream = { marketSubscription: readMarketWish, orderSubscription: readOrderWish };
  const all: Array<[string, object, (given: Given) => unknown]> = [
    ...Object.entries(READERS).map(([name, read]): [string, object, typeof read] => [
      name,
      jsonSchema(ASKED[name as OperationName]),
      read,
    ]),
    ...Object.entries(stream).map(([name, read]): [string, object, typeof read] => [
      name,
      jsonSchema(STREAM_ASKED[name as keyof typeof stream]),
      read,
    ]),
  ];

  it.each(all)('%s reads what its shape names', (_name, shape, read) => {
    const schema = shape as Schema;
    const sample = sampleOf(schema) as Record<string, unknown>;
    const found = new Set<string>();
    const look = () => read(new Given(watched(sample, '', found)));
    look();
    // Where one name stands for another, that is looked for only where the first is missing.
    for (const one of objectsIn(schema, sample))
      for (const [name, before] of Object.entries(one.value)) {
        if (one.schema.required?.includes(name)) continue;
        one.value[name] = null;
        look();
        one.value[name] = before;
      }
    const named = new Set(pathsOf(schema, '').filter((path) => !AT_THE_DOOR.has(path.slice(1))));
    expect([...named].filter((path) => !found.has(path))).toEqual([]);
    for (const path of [...found].filter((one) => !named.has(one))) {
      // Looked for in order to be refused.
      const [name, ...above] = path.slice(1).split('.').reverse();
      const holder = above.reverse().reduce<Record<string, unknown>>((at, key) => at[key] as never, sample);
      expect(() => read(new Given({ ...sample, ...withMember(sample, above, holder, name!) })), path).toThrow(
        ParamError,
      );
    }
  });

  it.each(all)('%s wants what its shape demands, and knows no other words', (_name, shape, read) => {
    const schema = shape as Schema;
    const sample = sampleOf(schema);
    for (const one of objectsIn(schema, sample)) {
      for (const [name, member] of Object.entries(one.schema.properties ?? {})) {
        if (AT_THE_DOOR.has(name)) continue;
        const before = one.value[name];
        one.value[name] = null;
        const isWanted = one.schema.required?.includes(name) ?? false;
        if (isWanted) expect(() => read(new Given(sample)), name).toThrow(ParamError);
        else expect(() => read(new Given(sample)), name).not.toThrow();
        if (member.enum) {
          one.value[name] = 'NO_SUCH_WORD';
          expect(() => read(new Given(sample)), name).toThrow(ParamError);
        }
        one.value[name] = before;
      }
    }
  });
});

describe('what is answered', () => {
  it('is wrong with a member more, a member less, null, and a date without its decimals', () => {
    const good = { marketId: '1.200000001', marketName: 'Match Odds', totalMatched: 0 };
    expect(wrongIn('listMarketCatalogue', [good])).toBeNull();
    expect(wrongIn('listMarketCatalogue', [{ ...good, settleTime: '2026-04-18T12:00:00.000Z' }])).toContain(
      'settleTime',
    );
    expect(wrongIn('listMarketCatalogue', [{ ...good, marketName: undefined }])).toContain('marketName');
    expect(wrongIn('listMarketCatalogue', [{ ...good, competition: null }])).toContain('competition');
    expect(wrongIn('listMarketCatalogue', [{ ...good, marketStartTime: '2026-04-18T12:00:00Z' }])).toContain(
      'marketStartTime',
    );
    expect(wrongIn('listNothing', [])).toContain('without a shape');
    expect(wrongInLine({ op: 'connection', connectionId: 'a-1' } as object)).toBeNull();
    expect(wrongInLine({ op: 'connection' } as object)).toContain('connectionId');
  });
});
