/**
 * The exchange format for a program, with what Node brings along: calls by REST and JSON-RPC, and the stream, folded.
 * Money and prices are decimal numbers on the wire; `cents` makes integers of them, which are what to compare and add.
 */
import { request as plainRequest } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { connect as plainConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';

export interface Place {
  /** Of the calls: http:// on the machine itself, https:// elsewhere. */
  base: string;
  /** host:port of the stream. */
  stream: string;
  appKey: string;
  /** An authority to trust beside the machine's own, as PEM. */
  ca?: string;
}

export type Side = 'BACK' | 'LAY';

export interface Instruction {
  orderType: 'LIMIT';
  selectionId: number;
  handicap?: number;
  side: Side;
  customerOrderRef?: string;
  limitOrder: {
    size: number;
    price: number;
    persistenceType: 'LAPSE' | 'PERSIST';
    timeInForce?: 'FILL_OR_KILL';
    minFillSize?: number;
  };
}

export interface PlaceReport {
  status: 'SUCCESS' | 'FAILURE' | 'TIMEOUT';
  errorCode?: string;
  instruction: Instruction;
  betId?: string;
  averagePriceMatched?: number;
  sizeMatched?: number;
  orderStatus?: 'PENDING' | 'EXECUTABLE' | 'EXECUTION_COMPLETE' | 'EXPIRED';
}

export interface CancelReport {
  status: 'SUCCESS' | 'FAILURE' | 'TIMEOUT';
  errorCode?: string;
  instruction: { betId: string; sizeReduction?: number };
  sizeCancelled?: number;
}

export interface ReplaceReport {
  status: 'SUCCESS' | 'FAILURE' | 'TIMEOUT';
  errorCode?: string;
  cancelInstructionReport: CancelReport;
  placeInstructionReport: PlaceReport;
}

export interface Report<R> {
  status: 'SUCCESS' | 'FAILURE' | 'PROCESSED_WITH_ERRORS' | 'TIMEOUT';
  errorCode?: string;
  instructionReports: R[];
}

/** An order as the stream tells it, always whole. */
export interface StreamOrder {
  id: string;
  p: number;
  s: number;
  side: 'B' | 'L';
  /** Executable, or execution complete. */
  status: 'E' | 'EC';
  /** Persistence: lapse, persist. */
  pt: 'L' | 'P';
  /** Average price matched, and sizes matched, remaining, lapsed, cancelled, voided. */
  avp?: number;
  sm: number;
  sr: number;
  sl: number;
  sc: number;
  sv: number;
  /** What we called the order and its strategy. */
  rfo: string;
  rfs: string;
}

export interface Definition {
  status: 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';
  inPlay: boolean;
  betDelay: number;
  version: number;
  marketBaseRate: number;
  runners: Array<{ id: number; sortPriority: number; status: 'ACTIVE' | 'REMOVED' | 'WINNER' | 'LOSER' }>;
}

/** Price in hundredths -> size in hundredths. */
export type Levels = Map<number, number>;

export interface RunnerBook {
  /** What can be backed, and what can be laid. */
  back: Levels;
  lay: Levels;
}

export interface Market {
  definition: Definition;
  runners: Map<number, RunnerBook>;
}

export const cents = (value: number): number => Math.round(value * 100);

/** The best price of a side in hundredths; undefined where there is none. */
export const bestBack = ({ back }: RunnerBook): number | undefined =>
  back.size ? Math.max(...back.keys()) : undefined;
export const bestLay = ({ lay }: RunnerBook): number | undefined => (lay.size ? Math.min(...lay.keys()) : undefined);

/** A call was refused: the format's code, e.g. INVALID_SESSION_INFORMATION. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(`${code}: ${text}`);
    this.code = code;
  }
}

type Area = 'betting' | 'account' | 'heartbeat';
const METHODS = { betting: 'SportsAPING', account: 'AccountAPING', heartbeat: 'HeartbeatAPING' } as const;

export class Exchange {
  readonly place: Place;
  token = '';
  private readonly agent: Agent | undefined;
  private lastId = 0;

  constructor(place: Place) {
    this.place = place;
    this.agent = place.base.startsWith('https:')
      ? new Agent({ keepAlive: true, ...(place.ca ? { ca: place.ca } : {}) })
      : undefined;
  }

  /** Throws Refused with the code of the sign-in. Six digits of an authenticator app stand behind the password. */
  async login(username: string, password: string): Promise<void> {
    const told = await this.identity('login', { username, password });
    if (told.status !== 'SUCCESS') throw new Refused(told.error!, 'login');
    this.token = told.token!;
  }

  /** A session lives twelve hours; this gives it twelve more. */
  keepAlive = () => this.identity('keepAlive');
  logout = () => this.identity('logout');

  close(): void {
    this.agent?.destroy();
  }

  private async identity(name: string, form: Record<string, string> = {}): Promise<Record<string, string>> {
    const type = 'application/x-www-form-urlencoded';
    const { body } = await this.post(`/api/${name}`, new URLSearchParams(form).toString(), type);
    return body as Record<string, string>;
  }

  /** One operation by REST: the bare result. Throws Refused. */
  async rest<T>(area: 'betting' | 'account', operation: string, params: object): Promise<T> {
    const { status, body } = await this.post(`/exchange/${area}/rest/v1.0/${operation}/`, JSON.stringify(params));
    if (status !== 200) throw refusal((body as { detail?: unknown }).detail, operation);
    return body as T;
  }

  /** One operation by JSON-RPC. Throws Refused. */
  async rpc<T>(area: Area, operation: string, params: object): Promise<T> {
    return (await this.batch<[T]>(area, [[operation, params]]))[0];
  }

  /** Several operations in one request; the results in their order. Throws Refused at the first that is refused. */
  async batch<T extends unknown[]>(area: Area, calls: ReadonlyArray<readonly [string, object]>): Promise<T> {
    const asked = calls.map(([operation, params]) => ({
      jsonrpc: '2.0',
      method: `${METHODS[area]}/v1.0/${operation}`,
      params,
      id: ++this.lastId,
    }));
    const { body } = await this.post(`/exchange/${area}/json-rpc/v1`, JSON.stringify(asked));
    const answers = new Map((body as RpcAnswer[]).map((answer) => [answer.id, answer]));
    return asked.map(({ id, method }) => {
      const answer = answers.get(id);
      if (!answer || answer.error) throw refusal(answer?.error?.data, method);
      return answer.result;
    }) as T;
  }

  private post(path: string, body: string, type = 'application/json'): Promise<{ status: number; body: unknown }> {
    const url = new URL(path, this.place.base);
    const request = url.protocol === 'https:' ? tlsRequest : plainRequest;
    const headers = {
      'content-type': type,
      accept: 'application/json',
      'x-application': this.place.appKey,
      ...(this.token ? { 'x-authentication': this.token } : {}),
    };
    return new Promise((resolve, reject) => {
      const asked = request(
        url,
        { method: 'POST', headers, ...(this.agent ? { agent: this.agent } : {}) },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (piece: string) => {
            text += piece;
          });
          answer.on('error', reject);
          answer.on('end', () => {
            try {
              resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) });
            } catch (error) {
              reject(error instanceof Error ? error : new Error(String(error)));
            }
          });
        },
      );
      asked.setTimeout(30_000, () => asked.destroy(new Error(`no answer: ${path}`)));
      asked.on('error', reject);
      asked.end(body);
    });
  }
}

interface RpcAnswer {
  id: number;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** `{ exceptionname, [exceptionname]: { errorCode, errorDetails } }`. */
function refusal(data: unknown, what: string): Refused {
  const named = (data ?? {}) as Record<string, { errorCode?: string; errorDetails?: string } | undefined>;
  const told = Object.values(named).find((one) => typeof one === 'object' && one.errorCode !== undefined);
  return new Refused(told?.errorCode ?? 'UNKNOWN', `${what} ${told?.errorDetails ?? ''}`);
}

/** A line of the stream. */
export interface Change {
  op: string;
  pt?: number;
  id?: number;
  ct?: string;
  segmentType?: string;
  initialClk?: string;
  clk?: string;
  statusCode?: string;
  errorCode?: string;
  connectionClosed?: boolean;
  mc?: MarketChange[];
  oc?: Array<{
    id: string;
    closed?: boolean;
    fullImage?: boolean;
    orc?: Array<{ id: number; fullImage?: boolean; uo?: StreamOrder[]; mb?: Pair[]; ml?: Pair[] }>;
  }>;
}
type Pair = [price: number, size: number];
export interface MarketChange {
  id: string;
  img?: boolean;
  marketDefinition?: Definition;
  rc?: Array<{ id: number; atb?: Pair[]; atl?: Pair[] }>;
}

export interface StreamWish {
  /** Of markets; without EX_ALL_OFFERS and EX_MARKET_DEF nothing is folded. */
  fields: string[];
  orders: boolean;
}

/**
 * Markets and orders as the stream tells them. A connection that breaks is made again, and goes on where it was; what
 * happened meanwhile is folded as if it had never been away. `onChange` is called behind every message.
 */
export class Stream {
  readonly markets = new Map<string, Market>();
  readonly orders = new Map<string, StreamOrder>();
  /** Matched backs and lays by `market.runner`, price by price. */
  readonly matched = new Map<string, RunnerBook>();
  readonly closed = new Set<string>();
  /** How the subscription to markets began: SUB_IMAGE, or RESUB_DELTA after a break. */
  readonly beginnings: string[] = [];
  onChange: () => void = () => undefined;
  /** Each line as it came. */
  onLine: (change: Change) => void = () => undefined;
  /** The site ended it: the session is over, or a line was wrong. Not called for breaks. */
  onEnd: (code: string) => void = () => undefined;
  private readonly exchange: Exchange;
  private readonly marketIds: string[];
  private readonly wish: StreamWish;
  private socket: Socket | null = null;
  private clocks: { initialClk?: string; clk?: string } = {};
  private id = 0;
  private waitMs = 0;
  private stopped = false;

  constructor(exchange: Exchange, marketIds: string[], wish: Partial<StreamWish> = {}) {
    this.exchange = exchange;
    this.marketIds = marketIds;
    this.wish = { fields: ['EX_ALL_OFFERS', 'EX_MARKET_DEF'], orders: true, ...wish };
    this.open();
  }

  stop(): void {
    this.stopped = true;
    this.socket?.destroy();
  }

  /** Drops the connection, as a network would. */
  drop(): void {
    this.socket?.destroy();
  }

  private open(): void {
    if (this.stopped) return;
    const { stream, base, ca } = this.exchange.place;
    const at = stream.lastIndexOf(':');
    const [host, port] = [stream.slice(0, at), Number(stream.slice(at + 1))];
    const socket = base.startsWith('https:')
      ? tlsConnect({ host, port, servername: host, ...(ca ? { ca } : {}) })
      : plainConnect({ host, port });
    this.socket = socket;
    socket.setEncoding('utf8');
    // Longer silent than twice the heartbeat that was asked for: the connection is dead and nobody said so.
    socket.setTimeout(12_000, () => socket.destroy());
    let rest = '';
    socket.on('data', (piece) => {
      rest += String(piece);
      const lines = rest.split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) this.take(JSON.parse(line) as Change);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.again());
    this.subscribe();
  }

  private subscribe(): void {
    const { appKey } = this.exchange.place;
    this.send({ op: 'authentication', id: ++this.id, appKey, session: this.exchange.token });
    this.send({
      op: 'marketSubscription',
      id: ++this.id,
      marketFilter: { marketIds: this.marketIds },
      marketDataFilter: { fields: this.wish.fields },
      heartbeatMs: 5000,
      ...this.clocks,
    });
    if (!this.wish.orders) return;
    const orderFilter = { includeOverallPosition: true, partitionMatchedByStrategyRef: false };
    this.send({ op: 'orderSubscription', id: ++this.id, orderFilter, heartbeatMs: 5000 });
  }

  /** At once the first time, then later and later. */
  private again(): void {
    if (this.stopped) return;
    setTimeout(() => this.open(), this.waitMs);
    this.waitMs = Math.min(30_000, Math.max(250, this.waitMs * 2));
  }

  private send(message: object): void {
    this.socket?.write(`${JSON.stringify(message)}\r\n`);
  }

  private take(change: Change): void {
    this.onLine(change);
    if (change.op === 'status' && change.statusCode === 'FAILURE' && change.connectionClosed) {
      this.stop();
      this.onEnd(change.errorCode ?? 'UNKNOWN');
      return;
    }
    if (change.op === 'mcm') {
      this.waitMs = 0;
      if (change.initialClk !== undefined) this.clocks.initialClk = change.initialClk;
      if (change.clk !== undefined) this.clocks.clk = change.clk;
      if (change.ct !== undefined && change.ct !== 'HEARTBEAT') this.beginnings.push(change.ct);
      for (const one of change.mc ?? []) foldMarket(this.markets, one);
    }
    if (change.op === 'ocm') {
      // The image has open orders alone: what is not in it ended while we were away.
      if (change.ct === 'SUB_IMAGE') {
        this.orders.clear();
        this.matched.clear();
      }
      for (const one of change.oc ?? []) this.foldOrders(one);
    }
    this.onChange();
  }

  private foldOrders({ id, closed, orc }: NonNullable<Change['oc']>[number]): void {
    if (closed) this.closed.add(id);
    for (const runner of orc ?? []) {
      for (const order of runner.uo ?? []) this.orders.set(order.id, order);
      const name = `${id}.${runner.id}`;
      const position = runner.fullImage ? undefined : this.matched.get(name);
      const { back, lay } = position ?? { back: new Map(), lay: new Map() };
      foldLevels(back, runner.mb);
      foldLevels(lay, runner.ml);
      this.matched.set(name, { back, lay });
    }
  }
}

/** Images replace, definitions come whole, sizes are absolute and 0 takes a level away. */
function foldMarket(markets: Map<string, Market>, { id, img, marketDefinition, rc }: MarketChange): void {
  const known = img ? undefined : markets.get(id);
  const definition = marketDefinition ?? known?.definition;
  // A change of what we have no image of: the image comes.
  if (!definition) return;
  const runners = known?.runners ?? new Map<number, RunnerBook>();
  for (const change of rc ?? []) {
    const runner = runners.get(change.id) ?? { back: new Map(), lay: new Map() };
    foldLevels(runner.back, change.atb);
    foldLevels(runner.lay, change.atl);
    runners.set(change.id, runner);
  }
  markets.set(id, { definition, runners });
}

function foldLevels(levels: Levels, changes: readonly Pair[] | undefined): void {
  for (const [price, size] of changes ?? [])
    if (size === 0) levels.delete(cents(price));
    else levels.set(cents(price), cents(size));
}
