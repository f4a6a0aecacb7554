/** Outcomes as they are kept under their keys: without names of fields, since there is one for every bet there ever was. */
import type { ErrorBody, ErrorCode } from '@fairgame/contract';
import type { Bet, Command, Event } from '@fairgame/exchange';
import type { Answer } from './types.ts';

const BET_FIELDS = [
  'betId',
  'accountId',
  'marketId',
  'runnerId',
  'kind',
  'side',
  'price',
  'matchedSum',
  'sizeMinor',
  'matchedMinor',
  'remainingMinor',
  'cancelledMinor',
  'lapsedMinor',
  'voidedMinor',
  'persistence',
  'status',
  'dueAt',
  'placedAt',
  'line',
  'box',
  'winMinor',
  'lossMinor',
  'endCode',
  'reason',
  'result',
  'profitMinor',
  'version',
  // Later fields come last: answers that are kept know them by their place.
  'firstPrice',
  'width',
] as const satisfies ReadonlyArray<keyof Bet>;

type PackedEvent = ['b', ...unknown[]] | ['w', number, number, number, number, number?] | Event;

/** An answer without names of fields: its command, its time and its events. */
export type PackedAnswer = [seq: number, at: number, events: PackedEvent[]];

/**
 * Of the events of a command only what tells its asker of his own bets and wallet: as an answer is kept under its key, and as it
 * goes to another process. Books and other players' bets are no part of it.
 */
export function ownEvents(command: Command, events: readonly Event[]): Event[] {
  const accountId = 'accountId' in command ? command.accountId : undefined;
  return events.filter((event) => {
    if (event.type === 'bet') return accountId === undefined || event.bet.accountId === accountId;
    if (event.type === 'wallet') return accountId === undefined || event.accountId === accountId;
    if (event.type === 'conditional') return event.conditional.accountId === accountId;
    return TOLD.has(event.type);
  });
}

const TOLD: ReadonlySet<Event['type']> = new Set<Event['type']>(['account', 'settled', 'undeclared', 'movement']);

export function packAnswer({ seq, at, events }: Answer): PackedAnswer {
  return [seq, at, events.map(packEvent)];
}

export function unpackAnswer([seq, at, events]: PackedAnswer): Answer {
  return { seq, at, events: events.map(unpackEvent), replayed: false };
}

/** A refusal as it was told. */
export interface Refusal {
  code: ErrorCode;
  field?: string | undefined;
  current?: ErrorBody['current'];
}

/** What became of a key. Each of the three is for good: nothing else can come of a request under it. */
export type Fate = { is: 'taken'; answer: Answer } | { is: 'refused'; refusal: Refusal } | { is: 'burnt' };

export function packFate(fate: Fate): string {
  if (fate.is === 'burnt') return 'null';
  if (fate.is === 'refused') {
    const { code, field, current } = fate.refusal;
    return JSON.stringify({ code, field, current });
  }
  return answerText(fate.answer);
}

/** As `packAnswer`, written as text at once: there is one for every bet. */
function answerText({ seq, at, events }: Answer): string {
  let text = '';
  for (const event of events) text += `${text === '' ? '' : ','}${eventText(event)}`;
  return `[${seq},${at},[${text}]]`;
}

function eventText(event: Event): string {
  if (event.type === 'wallet') {
    const { accountId, balanceMinor, exposureMinor, version, heldMinor } = event;
    return `["w",${accountId},${balanceMinor},${exposureMinor},${version},${heldMinor}]`;
  }
  return event.type === 'bet' ? betText(event.bet) : JSON.stringify(event);
}

/** BET_FIELDS in their order. Where the last are absent they are left out. */
function betText(bet: Bet): string {
  let text = `["b",${bet.betId},${bet.accountId},${bet.marketId},${bet.runnerId},"${bet.kind}","${bet.side}",${bet.price},`;
  text += `${bet.matchedSum},${bet.sizeMinor},${bet.matchedMinor},${bet.remainingMinor},${bet.cancelledMinor},`;
  text += `${bet.lapsedMinor},${bet.voidedMinor},"${bet.persistence}","${bet.status}",${bet.dueAt},${bet.placedAt},`;
  const { line, box, winMinor, lossMinor, endCode, reason, firstPrice, width } = bet;
  text += `${line ?? null},${box ?? null},${winMinor ?? null},${lossMinor ?? null},`;
  text += endCode === undefined && reason === undefined ? 'null,null' : `${word(endCode)},${word(reason)}`;
  text += `,"${bet.result}",${bet.profitMinor},${bet.version}`;
  if (firstPrice !== undefined || width !== undefined) text += `,${firstPrice ?? null},${width ?? null}`;
  return `${text}]`;
}

const word = (text: string | undefined): string => (text === undefined ? 'null' : JSON.stringify(text));

/** Throws when the text is none of the three. */
export function unpackFate(text: string): Fate {
  const packed = JSON.parse(text) as PackedAnswer | Refusal | null;
  if (packed === null) return { is: 'burnt' };
  if (!Array.isArray(packed)) {
    if (typeof packed.code !== 'string') throw new Error('a key is kept without an outcome');
    return { is: 'refused', refusal: packed };
  }
  return { is: 'taken', answer: unpackAnswer(packed) };
}

function packEvent(event: Event): PackedEvent {
  if (event.type === 'bet') return ['b', ...BET_FIELDS.map((name) => event.bet[name] ?? null)];
  if (event.type !== 'wallet') return event;
  return ['w', event.accountId, event.balanceMinor, event.exposureMinor, event.version, event.heldMinor];
}

function unpackEvent(packed: PackedEvent): Event {
  if (!Array.isArray(packed)) return packed;
  if (packed[0] === 'w') {
    const [, accountId, balanceMinor, exposureMinor, version, heldMinor = 0] = packed as [
      'w',
      number,
      number,
      number,
      number,
      number?,
    ];
    return { type: 'wallet', accountId, balanceMinor, exposureMinor, heldMinor, version };
  }
  const pairs = BET_FIELDS.map((name, i) => [name, packed[i + 1]] as const).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { type: 'bet', bet: Object.fromEntries(pairs) as unknown as Bet };
}
