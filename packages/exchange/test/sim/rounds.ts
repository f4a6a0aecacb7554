/** Providers' games in the simulation: who sends movements, when the rules refuse them, and what they do to the money. */
import type { AccountId, Command, RefusalCode, RoundView } from '../../src/types.ts';
import { FIRST_PLAYER } from '../../src/types.ts';
import { exposureOf, freeOf } from './exposure.ts';
import { GARBAGE, somePlayer } from './glance.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

type Movement = Extract<
  Command,
  { type: 'game.debit' | 'game.debitCredit' | 'game.credit' | 'game.rollback' | 'game.promo' | 'game.end' }
>;
export type GameCommand = Movement | Extract<Command, { type: 'game.forget' }>;

/** A player's part of a round in memory. */
export interface ModelRound {
  accountId: AccountId;
  roundId: string;
  game: string;
  bets: Array<{ tx: string; amount: number; is: 'open' | 'settled' | 'back' }>;
  paid: number;
  over: 'no' | 'settled' | 'refunded';
  overAt: number;
  openedAt: number;
}

const MOST = 10_000_000_000_000;
const keyOf = (c: { accountId: AccountId; roundId: string }) => `${c.accountId}/${c.roundId}`;
const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

export function isGame(command: Command): command is GameCommand {
  return command.type.startsWith('game.');
}

/** What the round's own account holds. */
export function held(round: ModelRound): number {
  if (round.over !== 'no') return 0;
  const stakes = round.bets.reduce((sum, bet) => sum + (bet.is === 'back' ? 0 : bet.amount), 0);
  return stakes - round.paid;
}

export function someMovement(world: World, random: Random): Command {
  if (random.chance(0.04)) return { type: 'game.forget', before: 2e12 };
  const accountId = somePlayer(world, random);
  const roundId = `r${random.int(1, 5)}`;
  const at = {
    provider: 'alder',
    roundId,
    accountId: random.chance(0.02) ? 77 : accountId,
    game: random.chance(0.97) ? 'keno' : 'dice',
    currency: random.chance(0.99) ? 'EUR' : 'USD',
    label: 'Alder Games / Keno',
    // What the tables would give to a command whose round is not in memory.
    ...(world.rounds.has(`${accountId}/${roundId}`) ? {} : { archived: world.told.get(`${accountId}/${roundId}`) }),
  };
  const move = at.archived === undefined ? without(at) : { ...at, archived: structuredClone(at.archived) };
  const txId = `t${random.int(1, 1_000_000_000)}`;
  const bets = world.rounds.get(`${accountId}/${roundId}`)?.bets ?? [];
  const refTx = bets.length > 0 && random.chance(0.9) ? random.pick(bets).tx : txId;
  const free = freeOf(world, accountId);
  const stake = random.weighted([
    [8, random.int(1, 3000)],
    [1, Math.max(1, free + random.int(0, 1))],
    [0.4, random.pick(GARBAGE)],
  ]);
  const win = random.weighted([
    [3, 0],
    [4, random.int(1, 5000)],
    [0.2, random.pick(GARBAGE)],
  ]);
  const roundClosed = random.chance(0.4);
  switch (random.int(0, 9)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return { type: 'game.debit', ...move, txId, amountMinor: stake };
    case 4:
      return { type: 'game.debitCredit', ...move, txId, amountMinor: stake, creditMinor: win, roundClosed };
    case 5:
    case 6:
      return {
        type: 'game.credit',
        ...move,
        txId,
        amountMinor: win,
        roundClosed,
        ...(random.chance(0.6) ? { refTx } : {}),
      };
    case 7:
      return { type: 'game.rollback', ...move, txId, refTx };
    case 8:
      return { type: 'game.promo', ...move, txId, amountMinor: Math.max(1, win), reason: 'Bonus' };
    default:
      return { type: 'game.end', ...move };
  }
}

export function roundReasons(world: World, c: GameCommand, reasons: Set<RefusalCode>): void {
  if (c.type === 'game.forget') return;
  const account = world.accounts.get(c.accountId);
  if (!account || c.accountId < FIRST_PLAYER) {
    reasons.add('ACCOUNT_UNKNOWN');
    return;
  }
  if (c.currency !== 'EUR') reasons.add('WRONG_CURRENCY');
  const round = roundFor(world, c);
  switch (c.type) {
    case 'game.debit':
    case 'game.debitCredit': {
      if (account.blocked) reasons.add('ACCOUNT_BLOCKED');
      const credit = c.type === 'game.debit' ? 0 : c.creditMinor;
      if (!whole(c.amountMinor) || c.amountMinor > 2_147_483_647) reasons.add('AMOUNT_INVALID');
      if (!(credit === 0 || whole(credit)) || credit > MOST) reasons.add('AMOUNT_INVALID');
      if (round?.over === 'settled') reasons.add('ROUND_CLOSED');
      if (round && round.game !== c.game) reasons.add('WRONG_GAME');
      if (round?.bets.some((bet) => bet.tx === c.txId)) reasons.add('DUPLICATE_BET');
      if (!whole(c.amountMinor)) return;
      const exposure = exposureOf(world, c.accountId);
      if (freeOf(world, c.accountId) - c.amountMinor < 0) reasons.add('INSUFFICIENT_FUNDS');
      if (account.exposureLimit > 0) {
        let risk = exposure + c.amountMinor;
        for (const one of world.rounds.values()) if (one.accountId === c.accountId) risk += Math.max(0, held(one));
        if (risk > account.exposureLimit) reasons.add('EXPOSURE_LIMIT');
      }
      return;
    }
    case 'game.credit': {
      if (!(c.amountMinor === 0 || whole(c.amountMinor)) || c.amountMinor > MOST) reasons.add('AMOUNT_INVALID');
      const bets = named(round, c.refTx);
      if (bets.length === 0) reasons.add('BET_UNKNOWN');
      else if (bets.every((bet) => bet.is === 'back')) reasons.add('BET_ROLLED_BACK');
      return;
    }
    case 'game.rollback': {
      const [bet] = named(round, c.refTx);
      if (!bet) reasons.add('BET_UNKNOWN');
      else if (bet.is === 'settled') reasons.add('BET_SETTLED');
      return;
    }
    case 'game.promo':
      if (!whole(c.amountMinor) || c.amountMinor > MOST) reasons.add('AMOUNT_INVALID');
      return;
    case 'game.end':
      if (!round) reasons.add('BET_UNKNOWN');
  }
}

export function performRound(world: World, c: GameCommand, now: number): void {
  if (c.type === 'game.forget') {
    for (const [key, round] of world.rounds)
      if (round.over !== 'no' && round.overAt <= c.before) world.rounds.delete(key);
    return;
  }
  const account = world.accounts.get(c.accountId)!;
  if (c.type === 'game.promo') {
    account.ledger += c.amountMinor;
    world.provider -= c.amountMinor;
    return;
  }
  const round = roundFor(world, c) ?? {
    accountId: c.accountId,
    roundId: c.roundId,
    game: c.game,
    bets: [],
    paid: 0,
    over: 'no' as const,
    overAt: 0,
    openedAt: now,
  };
  const end = (): void => {
    world.provider += held(round);
    for (const bet of round.bets) if (bet.is === 'open') bet.is = 'settled';
    round.over = 'settled';
    round.overAt = now;
  };
  const pay = (amount: number): void => {
    account.ledger += amount;
    round.paid += amount;
    if (round.over !== 'no') world.provider -= amount;
  };
  const open = () => round.bets.some((bet) => bet.is === 'open');
  switch (c.type) {
    case 'game.debit':
    case 'game.debitCredit':
      round.over = 'no';
      round.bets.push({ tx: c.txId, amount: c.amountMinor, is: c.type === 'game.debit' ? 'open' : 'settled' });
      account.ledger -= c.amountMinor;
      if (account.wager && now >= account.wager.from) account.wager.games += c.amountMinor;
      if (c.type === 'game.debit') break;
      pay(c.creditMinor);
      if (c.roundClosed || (c.creditMinor === 0 && !open())) end();
      break;
    case 'game.credit':
      for (const bet of named(round, c.refTx)) if (bet.is === 'open') bet.is = 'settled';
      pay(c.amountMinor);
      if (round.over === 'no' && (c.roundClosed || (c.amountMinor === 0 && !open()))) end();
      break;
    case 'game.rollback': {
      const bet = named(round, c.refTx)[0]!;
      // A second time changes nothing, and brings no round back into memory.
      if (bet.is === 'back') return;
      bet.is = 'back';
      account.ledger += bet.amount;
      if (account.wager && round.openedAt >= account.wager.from) account.wager.games -= bet.amount;
      if (round.bets.every((one) => one.is === 'back')) {
        round.over = 'refunded';
        round.overAt = now;
      }
      break;
    }
    case 'game.end':
      if (round.over !== 'no') return;
      end();
  }
  world.rounds.set(keyOf(c), round);
}

/** The round as it counts for the command: the one in memory, else the one that came with it. */
function roundFor(world: World, c: Movement): ModelRound | undefined {
  const inMemory = world.rounds.get(keyOf(c));
  if (inMemory || c.archived === undefined) return inMemory;
  const { accountId, roundId, game, paidMinor, status, closedAt, openedAt, bets } = c.archived;
  const names = { OPEN: 'open', SETTLED: 'settled', ROLLED_BACK: 'back' } as const;
  return {
    accountId,
    roundId,
    game,
    paid: paidMinor,
    over: status === 'SETTLED' ? 'settled' : status === 'REFUNDED' ? 'refunded' : 'no',
    overAt: closedAt,
    openedAt,
    bets: bets.map(([tx, amount, state]) => ({ tx, amount, is: names[state] })),
  };
}

function named(round: ModelRound | undefined, refTx: string | undefined): ModelRound['bets'] {
  return round?.bets.filter((bet) => refTx === undefined || bet.tx === refTx) ?? [];
}

function without<T extends { archived?: RoundView | undefined }>(move: T): Omit<T, 'archived'> {
  const { archived: _, ...rest } = move;
  return rest;
}
