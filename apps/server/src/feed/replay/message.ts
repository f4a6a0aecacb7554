/**
 * One line of a market stream as checked, typed values (exchange reference 14.1). Money becomes minor units and prices
 * hundredths here, once; nothing behind this file sees a float amount.
 */

type StreamMarketStatus = 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';

export interface RunnerDefinition {
  key: string;
  runnerId: number;
  /** Hundredths; 0 outside handicap markets. */
  handicap: number;
  name: string | null;
  /** ACTIVE, WINNER, LOSER, PLACED, REMOVED, REMOVED_VACANT, HIDDEN. */
  status: string;
  sortPriority: number;
  /** Hundredths of a percent; 0 where the sport has none. */
  adjustmentFactor: number;
}

export interface Definition {
  status: StreamMarketStatus;
  inPlay: boolean;
  version: number;
  betDelaySeconds: number;
  numberOfWinners: number;
  eventId: string;
  eventTypeId: string;
  eventName: string | null;
  marketName: string | null;
  marketType: string;
  bettingType: string;
  ladder: string;
  venue: string | null;
  countryCode: string | null;
  /** Milliseconds since 1970, 0 when the definition has no time. */
  marketTimeMs: number;
  openDateMs: number;
  turnInPlay: boolean;
  /** Percent in hundredths (5 is 500). */
  baseRate: number;
  runners: RunnerDefinition[];
}

/** Pairs [price, sizeMinor]; size 0 deletes. */
type PriceLevels = Array<[number, number]>;
/** Triples [level, price, sizeMinor]; size 0 deletes. */
type NumberedLevels = Array<[number, number, number]>;

export const PRICE_LISTS = ['atb', 'atl', 'trd', 'spb', 'spl'] as const;
export const LEVEL_LISTS = ['batb', 'batl', 'bdatb', 'bdatl'] as const;
export type PriceList = (typeof PRICE_LISTS)[number];
export type LevelList = (typeof LEVEL_LISTS)[number];

export interface RunnerDelta {
  key: string;
  runnerId: number;
  handicap: number;
  /** Hundredths. */
  lastPrice?: number;
  totalMinor?: number;
  /** Near and far starting price: decimal odds off the ladder, NaN and Infinity are legal. */
  nearPrice?: number;
  farPrice?: number;
  prices: Array<[PriceList, PriceLevels]>;
  levels: Array<[LevelList, NumberedLevels]>;
}

export interface MarketDelta {
  marketId: string;
  image: boolean;
  conflated: boolean;
  totalMinor?: number;
  definition?: Definition;
  runners: RunnerDelta[];
}

export interface MarketMessage {
  op: 'mcm';
  /** Of the subscription it answers; null where the line has none (recordings). */
  subscription: number | null;
  publishTime: number;
  change: 'SUB_IMAGE' | 'RESUB_DELTA' | 'HEARTBEAT' | 'UPDATE';
  segment: 'SEG_START' | 'SEG' | 'SEG_END' | null;
  initialClk: string | null;
  clk: string | null;
  heartbeatMs: number | null;
  /** 503: the data is late. */
  status: number | null;
  markets: MarketDelta[];
}

/** A line of another kind (connection, status, orders, scores): counted, not folded. */
export interface OtherMessage {
  op: 'other';
  name: string;
  fields: Record<string, unknown>;
}

/** Why a line is not taken. */
export class Malformed extends Error {}

/** Reads one line; throws Malformed with the field at fault. */
export function parseMessage(text: string): MarketMessage | OtherMessage {
  const raw = parseJson(text);
  if (!isObject(raw)) throw new Malformed('not a JSON object');
  const op = raw.op;
  if (typeof op !== 'string') throw new Malformed('op is missing');
  if (op !== 'mcm') return { op: 'other', name: op, fields: raw };
  if (!isTime(raw.pt)) throw new Malformed('pt is not a time');
  const changeType = raw.ct ?? 'UPDATE';
  if (!oneOf(changeType, ['SUB_IMAGE', 'RESUB_DELTA', 'HEARTBEAT', 'UPDATE'] as const))
    throw new Malformed('ct is unknown');
  const segment = raw.segmentType ?? null;
  if (segment !== null && !oneOf(segment, ['SEG_START', 'SEG', 'SEG_END'] as const))
    throw new Malformed('segmentType is unknown');
  return {
    op: 'mcm',
    subscription: isFiniteNumber(raw.id) ? raw.id : null,
    publishTime: raw.pt,
    change: changeType,
    segment,
    initialClk: optionalText(raw.initialClk),
    clk: optionalText(raw.clk),
    heartbeatMs: isFiniteNumber(raw.heartbeatMs) ? raw.heartbeatMs : null,
    status: isFiniteNumber(raw.status) ? raw.status : null,
    markets: list(raw.mc, 'mc').map(marketDelta),
  };
}

/** Recorders written in other languages leave bare NaN and Infinity in their JSON: those are read as their text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/[:[,]\s*-?(NaN|Infinity)\b/.test(text)) {
      try {
        return JSON.parse(text.replace(/([:[,]\s*)(-?(?:NaN|Infinity))\b/g, '$1"$2"'));
      } catch {
        // Falls through to the one message below.
      }
    }
    throw new Malformed('not JSON');
  }
}

function marketDelta(raw: unknown): MarketDelta {
  if (!isObject(raw)) throw new Malformed('mc holds something that is not a market');
  if (typeof raw.id !== 'string' || raw.id === '') throw new Malformed('mc.id is missing');
  const delta: MarketDelta = {
    marketId: raw.id,
    image: raw.img === true,
    conflated: raw.con === true,
    runners: list(raw.rc, 'rc').map(runnerDelta),
  };
  const total = number(raw.tv, 'tv');
  if (total !== undefined && Number.isFinite(total)) delta.totalMinor = Math.round(total * 100);
  if (raw.marketDefinition !== undefined && raw.marketDefinition !== null)
    delta.definition = definition(raw.marketDefinition);
  return delta;
}

function runnerDelta(raw: unknown): RunnerDelta {
  if (!isObject(raw)) throw new Malformed('rc holds something that is not a runner');
  const delta: RunnerDelta = { ...runnerKey(raw, 'rc'), prices: [], levels: [] };
  const last = number(raw.ltp, 'ltp');
  if (last !== undefined && Number.isFinite(last)) delta.lastPrice = Math.round(last * 100);
  const total = number(raw.tv, 'tv');
  if (total !== undefined && Number.isFinite(total)) delta.totalMinor = Math.round(total * 100);
  const near = number(raw.spn, 'spn');
  if (near !== undefined) delta.nearPrice = near;
  const far = number(raw.spf, 'spf');
  if (far !== undefined) delta.farPrice = far;
  for (const name of PRICE_LISTS) {
    if (raw[name] === undefined || raw[name] === null) continue;
    delta.prices.push([name, list(raw[name], name).map((row) => pair(row, name))]);
  }
  for (const name of LEVEL_LISTS) {
    if (raw[name] === undefined || raw[name] === null) continue;
    delta.levels.push([name, list(raw[name], name).map((row) => triple(row, name))]);
  }
  return delta;
}

function definition(raw: unknown): Definition {
  if (!isObject(raw)) throw new Malformed('marketDefinition is not an object');
  const status = raw.status;
  if (!oneOf(status, ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'] as const))
    throw new Malformed('marketDefinition.status is unknown');
  if (!Array.isArray(raw.runners)) throw new Malformed('marketDefinition.runners is missing');
  const ladder = isObject(raw.priceLadderDefinition) ? raw.priceLadderDefinition.type : undefined;
  return {
    status,
    inPlay: raw.inPlay === true,
    version: isFiniteNumber(raw.version) ? raw.version : 0,
    betDelaySeconds: within(raw.betDelay, 0, 3600, 0),
    numberOfWinners: within(raw.numberOfWinners, 0, 10_000, 1),
    eventId: optionalText(raw.eventId) ?? '',
    eventTypeId: optionalText(raw.eventTypeId) ?? '',
    eventName: optionalText(raw.eventName),
    marketName: optionalText(raw.name),
    marketType: optionalText(raw.marketType) ?? '',
    bettingType: optionalText(raw.bettingType) ?? 'ODDS',
    ladder: typeof ladder === 'string' ? ladder : 'CLASSIC',
    venue: optionalText(raw.venue),
    countryCode: optionalText(raw.countryCode),
    marketTimeMs: time(raw.marketTime),
    openDateMs: time(raw.openDate),
    turnInPlay: raw.turnInPlayEnabled === true,
    baseRate: within(isFiniteNumber(raw.marketBaseRate) ? raw.marketBaseRate * 100 : 0, 0, 10_000, 0),
    runners: raw.runners.map(runnerDefinition),
  };
}

function runnerDefinition(raw: unknown): RunnerDefinition {
  if (!isObject(raw)) throw new Malformed('marketDefinition.runners holds something that is not a runner');
  return {
    ...runnerKey(raw, 'marketDefinition.runners'),
    name: optionalText(raw.name),
    status: optionalText(raw.status) ?? 'ACTIVE',
    sortPriority: isFiniteNumber(raw.sortPriority) ? raw.sortPriority : 0,
    adjustmentFactor: within(isFiniteNumber(raw.adjustmentFactor) ? raw.adjustmentFactor * 100 : 0, 0, 9999, 0),
  };
}

function runnerKey(raw: Record<string, unknown>, where: string): { key: string; runnerId: number; handicap: number } {
  const id = typeof raw.id === 'string' ? Number(raw.id) : raw.id;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    throw new Malformed(`${where}.id is not a runner id`);
  const handicap = number(raw.hc, `${where}.hc`) ?? 0;
  if (!Number.isFinite(handicap)) throw new Malformed(`${where}.hc is not a number`);
  const hundredths = Math.round(handicap * 100) || 0;
  return { key: `${id}/${hundredths}`, runnerId: id, handicap: hundredths };
}

function pair(row: unknown, name: string): [number, number] {
  if (!Array.isArray(row) || row.length !== 2) throw new Malformed(`${name} holds something that is not [price, size]`);
  return [price(row[0], name), size(row[1], name)];
}

function triple(row: unknown, name: string): [number, number, number] {
  if (!Array.isArray(row) || row.length !== 3)
    throw new Malformed(`${name} holds something that is not [level, price, size]`);
  if (!Number.isSafeInteger(row[0]) || row[0] < 0) throw new Malformed(`${name} level is not a number`);
  return [row[0] as number, price(row[1], name), size(row[2], name)];
}

function price(raw: unknown, name: string): number {
  if (!isFiniteNumber(raw)) throw new Malformed(`${name} price is not a number`);
  return Math.round(raw * 100);
}

function size(raw: unknown, name: string): number {
  if (!isFiniteNumber(raw) || raw < 0) throw new Malformed(`${name} size is not an amount`);
  return Math.round(raw * 100);
}

/** A number, or one of the texts that stand for numbers JSON has no word for. */
function number(raw: unknown, name: string): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'number') return raw;
  if (raw === 'NaN') return Number.NaN;
  if (raw === 'Infinity') return Number.POSITIVE_INFINITY;
  if (raw === '-Infinity') return Number.NEGATIVE_INFINITY;
  throw new Malformed(`${name} is not a number`);
}

function list(raw: unknown, name: string): unknown[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) throw new Malformed(`${name} is not a list`);
  return raw;
}

function time(raw: unknown): number {
  const ms = typeof raw === 'string' ? Date.parse(raw) : raw;
  return isTime(ms) ? ms : 0;
}

function optionalText(raw: unknown): string | null {
  return typeof raw === 'string' ? raw : typeof raw === 'number' ? String(raw) : null;
}

/** Milliseconds, from 1970 to 2100. */
function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 4_102_444_800_000;
}

/** A whole number held within bounds, or the default when it is no number. */
function within(raw: unknown, least: number, most: number, other: number): number {
  return isFiniteNumber(raw) ? Math.min(most, Math.max(least, Math.round(raw))) : other;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function oneOf<T extends string>(value: unknown, words: readonly T[]): value is T {
  return (words as readonly unknown[]).includes(value);
}
