/** The shapes of the stream's lines, there and back. */
import * as z from 'zod/mini';
import { BETTING_TYPES, MARKET_STATUSES, RUNNER_STATUSES } from './enums.ts';
import { marketFilter } from './shapes-asked.ts';
import { STREAM_ERRORS, STREAM_FIELDS } from './stream.ts';

const { optional, array, number, boolean, strictObject: object } = z;
const text = z.string();
const time = z.int();
const pair = z.tuple([number(), number()]);
const place = z.tuple([z.int(), number(), number()]);
const iso = text.check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const op = <T extends string>(word: T) => z.literal(word);

const terms = {
  id: optional(z.int()),
  conflateMs: optional(z.int().check(z.minimum(0), z.maximum(120_000))),
  heartbeatMs: optional(z.int().check(z.minimum(500), z.maximum(5000))),
  segmentationEnabled: optional(boolean()),
  initialClk: optional(text),
  clk: optional(text),
};

/** What a program writes. */
export const STREAM_ASKED = {
  authentication: z.object({ op: op('authentication'), id: optional(z.int()), appKey: text, session: text }),
  marketSubscription: z.object({
    op: op('marketSubscription'),
    ...terms,
    marketFilter: optional(marketFilter),
    marketDataFilter: optional(
      z.object({
        fields: optional(array(z.enum(STREAM_FIELDS))),
        ladderLevels: optional(z.int().check(z.minimum(1), z.maximum(10))),
      }),
    ),
  }),
  orderSubscription: z.object({
    op: op('orderSubscription'),
    ...terms,
    orderFilter: optional(
      z.object({
        includeOverallPosition: optional(boolean()),
        partitionMatchedByStrategyRef: optional(boolean()),
        customerStrategyRefs: optional(array(text)),
      }),
    ),
  }),
  heartbeat: z.object({ op: op('heartbeat'), id: optional(z.int()) }),
};

const definition = object({
  bspMarket: boolean(),
  turnInPlayEnabled: boolean(),
  persistenceEnabled: boolean(),
  marketBaseRate: number(),
  eventId: text,
  eventTypeId: text,
  numberOfWinners: z.int(),
  bettingType: z.enum(BETTING_TYPES),
  marketType: text,
  marketTime: iso,
  suspendTime: iso,
  bspReconciled: boolean(),
  complete: boolean(),
  inPlay: boolean(),
  crossMatching: boolean(),
  runnersVoidable: boolean(),
  numberOfActiveRunners: z.int(),
  betDelay: z.int(),
  status: z.enum(MARKET_STATUSES),
  runners: array(
    object({
      id: z.int(),
      hc: optional(number()),
      sortPriority: z.int(),
      status: z.enum(RUNNER_STATUSES),
      adjustmentFactor: optional(number()),
      removalDate: optional(iso),
      name: optional(text),
    }),
  ),
  regulators: array(text),
  venue: optional(text),
  countryCode: optional(text),
  raceType: optional(text),
  discountAllowed: boolean(),
  timezone: text,
  openDate: iso,
  version: z.int(),
  settledTime: optional(iso),
  priceLadderDefinition: object({ type: z.enum(['CLASSIC', 'FINEST', 'LINE_RANGE']) }),
  lineMaxUnit: optional(number()),
  lineMinUnit: optional(number()),
  lineInterval: optional(number()),
  name: optional(text),
  eventName: optional(text),
});

const change = {
  id: z.optional(z.unknown()),
  initialClk: optional(text),
  clk: text,
  conflateMs: optional(z.int()),
  heartbeatMs: optional(z.int()),
  pt: time,
  ct: optional(z.enum(['SUB_IMAGE', 'RESUB_DELTA', 'HEARTBEAT'])),
  segmentType: optional(z.enum(['SEG_START', 'SEG', 'SEG_END'])),
  status: optional(z.int()),
};
const runnerId = { id: z.int(), hc: optional(number()) };
const pairs = optional(array(pair));
const places = optional(array(place));

const marketChange = object({
  id: text,
  img: optional(boolean()),
  con: optional(boolean()),
  tv: optional(number()),
  marketDefinition: optional(definition),
  rc: optional(
    array(
      object({
        ...runnerId,
        tv: optional(number()),
        ltp: optional(number()),
        trd: pairs,
        atb: pairs,
        atl: pairs,
        batb: places,
        batl: places,
        bdatb: places,
        bdatl: places,
      }),
    ),
  ),
});

const order = object({
  id: text,
  p: number(),
  s: number(),
  side: z.enum(['B', 'L']),
  status: z.enum(['E', 'EC']),
  pt: z.enum(['L', 'P', 'MOC']),
  ot: z.enum(['L', 'LOC', 'MOC']),
  pd: time,
  md: optional(time),
  cd: optional(time),
  ld: optional(time),
  lsrc: optional(text),
  avp: optional(number()),
  sm: number(),
  sr: number(),
  sl: number(),
  sc: number(),
  sv: number(),
  rac: text,
  rc: text,
  rfo: text,
  rfs: text,
});
const position = { mb: pairs, ml: pairs };

const orderChange = object({
  id: text,
  fullImage: optional(boolean()),
  closed: optional(boolean()),
  orc: optional(
    array(
      object({
        ...runnerId,
        fullImage: optional(boolean()),
        uo: optional(array(order)),
        ...position,
        smc: optional(z.record(text, object(position))),
      }),
    ),
  ),
});

/** What it reads. */
export const STREAM_TOLD = {
  connection: object({ op: op('connection'), connectionId: text }),
  status: object({
    op: op('status'),
    id: z.optional(z.unknown()),
    statusCode: z.enum(['SUCCESS', 'FAILURE']),
    connectionClosed: boolean(),
    connectionsAvailable: optional(z.int()),
    errorCode: optional(z.enum(STREAM_ERRORS)),
    errorMessage: optional(text),
    connectionId: optional(text),
  }),
  mcm: object({ op: op('mcm'), ...change, mc: optional(array(marketChange)) }),
  ocm: object({ op: op('ocm'), ...change, oc: optional(array(orderChange)) }),
};

/** What a line has that the format does not, or lacks; null where it is as it must be. */
export function wrongInLine(message: { op?: unknown }): string | null {
  const shape = Object.hasOwn(STREAM_TOLD, String(message.op))
    ? STREAM_TOLD[message.op as keyof typeof STREAM_TOLD]
    : undefined;
  if (!shape) return 'an op without a shape';
  const told = z.safeParse(shape, message);
  return told.success ? null : JSON.stringify(told.error.issues);
}
