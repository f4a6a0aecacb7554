/** Outcomes as they are kept under their keys: without names of fields, since there is one for every bet there ever was. */
import type { ErrorBody, ErrorCode } from '@fairgame/contract';
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
  // Later fields come last: answers that are kept know them by their place.
  'firstPrice',
  'width',
] as const satisfies ReadonlyArray<keyof Bet>;

type PackedEvent = ['b', ...unknown[]] | ['w', number, number, number, number, number?] | Event;

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
  const { seq, at, events } = fate.answer;
  return JSON.stringify([seq, at, events.map(packEvent)]);
}

/** Throws when the text is none of the three. */
export function unpackFate(text: string): Fate {
  const packed = JSON.parse(text) as [number, number, PackedEvent[]] | Refusal | null;
  if (packed === null) return { is: 'burnt' };
  if (!Array.isArray(packed)) {
    if (typeof packed.code !== 'string') throw new Error('a key is kept without an outcome');
    return { is: 'refused', refusal: packed };
  }
  const [seq, at, events] = packed;
  return { is: 'taken', answer: { seq, at, events: events.map(unpackEvent), replayed: false } };
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
