/**
 * What an adapter is: one file that knows a provider's dialect and nothing else. It opens and reads the provider's calls
 * to our wallet, writes our answers, and makes our calls to the provider. Money rules live behind ProviderWallet; signature
 * windows, replay, pace and time-outs are the same for all dialects (callbacks.ts, outbound.ts).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Movement, WalletAnswer, WalletCode, WalletRow, WalletSession } from '../movement.ts';

/** A call of a provider to the wallet, in neutral words. */
export type WalletCall =
  | { readonly op: 'authenticate'; readonly token: string; readonly game: string }
  | { readonly op: 'balance' | 'sessionEnd'; readonly sessionId: string }
  | { readonly op: 'debit'; readonly movement: Movement }
  | { readonly op: 'credit'; readonly movement: Movement & { refTx?: string; roundClosed: boolean } }
  | { readonly op: 'debitCredit'; readonly movement: Movement & { creditMinor: number; roundClosed: boolean } }
  | { readonly op: 'rollback'; readonly movement: Omit<Movement, 'amountMinor'> & { refTx: string } }
  | { readonly op: 'promoCredit'; readonly movement: Movement & { reason: string } }
  | { readonly op: 'roundEnd'; readonly movement: Omit<Movement, 'amountMinor' | 'txId'> };

export type CallAnswer = WalletAnswer & { readonly session?: WalletSession; readonly nickname?: string };

/** A request as it came. `call` is the variable part of the address, empty where a dialect has one address. */
export interface RawRequest {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly call: string;
}

/** A request whose signature is good. Its time and nonce are still to be checked. */
export interface Opened {
  /** When it was signed, milliseconds since 1970. */
  readonly at: number;
  readonly nonce: string;
  /** The parsed body; undefined where it is not JSON that we take. */
  readonly body: unknown;
}

export interface Written {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Dialect {
  /** Address of the wallet for the router: `/provider/a/:call`. */
  readonly path: string;
  /** Null where it is not signed with a live key. */
  open(request: RawRequest): Opened | null;
  /** Throws Malformed. Fields that the dialect does not name are never read. */
  read(request: RawRequest, opened: Opened): WalletCall;
  /** The signed answer. `op` of the request where it could be read. */
  write(request: RawRequest, opened: Opened, answer: CallAnswer): Written;
  /** Body of a 401, unsigned. */
  readonly unsigned: string;
  client(fetchText: FetchText): ProviderClient;
}

/** A request that is signed well and still no call of the dialect. `code` is what it is answered with. */
export class Malformed extends Error {
  readonly code: WalletCode;
  constructor(what: string, code: WalletCode = 'UNKNOWN') {
    super(what);
    this.name = 'Malformed';
    this.code = code;
  }
}

// ------------------------------------------------------------------------------------------ our calls to a provider

/** Sends a request to the provider's own address and gives the whole answer; throws ProviderFault. */
export type FetchText = (request: {
  readonly method: 'GET' | 'POST';
  /** Path with query, below the provider's base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>;

export interface ProviderGame {
  readonly code: string;
  readonly name: string;
  readonly category: string;
  readonly family: string;
  readonly subProvider: string;
  /** Path on the provider's public origin. */
  readonly thumb: string;
  readonly status: string;
}

export interface LaunchAsk {
  readonly mode: 'real' | 'demo';
  readonly game: string;
  readonly platform: 'desktop' | 'mobile';
  readonly currency: string;
  readonly theme: 'dark' | 'light';
  readonly lobbyUrl: string;
  /** Real play only. */
  readonly playerRef?: string;
  readonly token?: string;
  readonly maxStakeMinor?: number;
  readonly realityCheckSec?: number;
}

export interface ProviderMovement extends WalletRow {
  /** PENDING: the provider is still trying to deliver it. */
  readonly state: 'DONE' | 'PENDING';
}

export interface ProviderRound {
  readonly roundId: string;
  readonly status: 'OPEN' | 'CLOSED' | 'VOID';
  readonly stakeMinor: number;
  readonly paidMinor: number;
  /** RoundProof of the studio, or several, or null; for the browser to check, never read by us. */
  readonly proof: unknown;
}

export interface ProviderClient {
  games(): Promise<ProviderGame[]>;
  launch(ask: LaunchAsk): Promise<{ url: string }>;
  round(roundId: string, playerRef: string): Promise<ProviderRound>;
  /** One page; `next` is null at the end. */
  transactions(
    fromMs: number,
    toMs: number,
    after: string | null,
  ): Promise<{ rows: ProviderMovement[]; next: string | null }>;
}

/** The provider said no, in its own words: the provider itself is well. */
export class ProviderRefusal extends Error {
  readonly code: 'GAME' | 'ROUND' | 'OTHER';
  constructor(code: ProviderRefusal['code'], text: string) {
    super(text);
    this.name = 'ProviderRefusal';
    this.code = code;
  }
}

/** The provider could not be reached, or what it said can not be believed. */
export class ProviderFault extends Error {
  constructor(text: string, cause?: unknown) {
    super(text, { cause });
    this.name = 'ProviderFault';
  }
}

// ------------------------------------------------------------------------------------------ reading what came

export type Fields = Readonly<Record<string, unknown>>;
type Refuse = (what: string) => Error;

export const malformed: Refuse = (what) => new Malformed(what);
export const faulty: Refuse = (what) => new ProviderFault(`the answer of the provider has no good ${what}`);

const ID = /^[A-Za-z0-9._:-]{1,64}$/;
const TOKEN = /^[A-Za-z0-9._:-]{1,200}$/;
export const NONCE = /^[A-Za-z0-9_-]{16,64}$/;
/** More than any account here can hold. */
const MOST_MINOR = 1_000_000_000_000;

export function objectIn(value: unknown, refuse: Refuse, what = 'object'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(what);
  return value as Fields;
}

export function listIn(fields: Fields, name: string, refuse: Refuse): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw refuse(name);
  return value;
}

export function idIn(fields: Fields, name: string, refuse: Refuse): string {
  const value = own(fields, name);
  if (typeof value !== 'string' || !ID.test(value)) throw refuse(name);
  return value;
}

export function tokenIn(fields: Fields, name: string): string {
  const value = own(fields, name);
  if (typeof value !== 'string' || !TOKEN.test(value)) throw new Malformed(name, 'INVALID_TOKEN');
  return value;
}

export function textIn(fields: Fields, name: string, most: number, refuse: Refuse): string {
  const value = own(fields, name);
  if (typeof value !== 'string' || value === '' || value.length > most) throw refuse(name);
  return value;
}

export function flagIn(fields: Fields, name: string, refuse: Refuse): boolean {
  const value = own(fields, name);
  if (typeof value !== 'boolean') throw refuse(name);
  return value;
}

export function timeIn(fields: Fields, name: string, refuse: Refuse): number {
  const value = own(fields, name);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw refuse(name);
  return value;
}

/** Minor units from an integer of JSON. */
export function minorIn(fields: Fields, name: string, least: 0 | 1, refuse: Refuse): number {
  const value = own(fields, name);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > MOST_MINOR)
    throw refuse(name);
  return value;
}

/** Minor units from a decimal text with exactly two places. */
export function decimalIn(fields: Fields, name: string, least: 0 | 1, refuse: Refuse): number {
  const value = own(fields, name);
  const match = typeof value === 'string' ? /^(0|[1-9]\d{0,9})\.(\d{2})$/.exec(value) : null;
  const minor = match ? Number(match[1]) * 100 + Number(match[2]) : -1;
  if (minor < least || minor > MOST_MINOR) throw refuse(name);
  return minor;
}

export function decimalText(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function oneIn<T extends string>(fields: Fields, name: string, allowed: readonly T[], refuse: Refuse): T {
  const value = own(fields, name);
  if (!(allowed as readonly unknown[]).includes(value)) throw refuse(name);
  return value as T;
}

export const badAmount: Refuse = (what) => new Malformed(what, 'INVALID_AMOUNT');

/** Nothing inherited counts as sent. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export const header = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};
