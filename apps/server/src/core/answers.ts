/** Answers as they are kept under their keys: without names, since there is one for every bet there ever was. */
import type { Bet, Event } from '@fairgame/exchange';
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
] as const satisfies ReadonlyArray<keyof Bet>;

type PackedEvent = ['b', ...unknown[]] | ['w', number, number, number, number] | Event;

export function packAnswer(answer: Answer): string {
  return JSON.stringify([answer.seq, answer.at, answer.events.map(packEvent)]);
}

/** Null: the key is burnt. Throws when the text is not an answer. */
export function unpackAnswer(text: string): Answer | null {
  const packed = JSON.parse(text) as [number, number, PackedEvent[]] | null;
  if (packed === null) return null;
  const [seq, at, events] = packed;
  return { seq, at, events: events.map(unpackEvent), replayed: false };
}

function packEvent(event: Event): PackedEvent {
  if (event.type === 'bet') return ['b', ...BET_FIELDS.map((name) => event.bet[name] ?? null)];
  if (event.type !== 'wallet') return event;
  return ['w', event.accountId, event.balanceMinor, event.exposureMinor, event.version];
}

function unpackEvent(packed: PackedEvent): Event {
  if (!Array.isArray(packed)) return packed;
  if (packed[0] === 'w') {
    const [, accountId, balanceMinor, exposureMinor, version] = packed as ['w', number, number, number, number];
    return { type: 'wallet', accountId, balanceMinor, exposureMinor, version };
  }
  const pairs = BET_FIELDS.map((name, i) => [name, packed[i + 1]] as const).filter(([, value]) => value !== null);
  return { type: 'bet', bet: Object.fromEntries(pairs) as unknown as Bet };
}
