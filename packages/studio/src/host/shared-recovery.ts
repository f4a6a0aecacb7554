/** What the last end of the program cut off at a table that all share. */
import { createStream } from '@fairgame/casino';
import type { AnyShared } from '../game.ts';
import type { Core } from './core.ts';
import { newSeed, type Round, type TableMemory } from './store.ts';

/** Ends the round that was cut off, sends what its bets are still owed, and answers what the table goes on with. */
export function recoverTable(core: Core, game: AnyShared): TableMemory {
  const { store, clock, money } = core;
  const kept = store.tables.get(game.code);
  if (kept === undefined)
    return {
      game: game.code,
      // Never a number twice, even where the journal was lost: a round takes longer than a second.
      seq: Math.floor(clock.now() / 1000),
      serverSeed: newSeed(),
      nextSeed: newSeed(),
      phase: 'rests',
      last: [],
    };
  const { cutOff, undone } = unfinished(core, game, kept);
  for (const bet of undone) {
    bet.status = 'void';
    store.rounds.put(bet);
    void money.giveBack(bet);
  }
  for (const bet of cutOff) {
    const drawn = game.draw(createStream(bet));
    bet.status = 'over';
    bet.paidMinor = game.settle(bet.wager, drawn, null);
    bet.endedAt = clock.now();
    store.rounds.put(bet);
  }
  for (const bet of betsOf(core, game)) {
    if (bet.status !== 'over') continue;
    if (store.txs.get(`${bet.id}.c`) === undefined) void money.pay(bet, bet.paidMinor, bet === lastOf(cutOff, bet));
  }
  // A bet cashed out before left the operator's round open for the others, which are void now.
  for (const bet of undone) {
    const paid = store.inWalletRound(bet.walletRound, bet.player).find((other) => other.status === 'over');
    if (paid !== undefined && cutOff.length === 0) void money.endRound(paid);
  }
  return { ...kept, phase: 'rests' };
}

const betsOf = (core: Core, game: AnyShared): Round[] =>
  [...core.store.rounds.values()].filter((bet) => bet.game === game.code && bet.table !== null);

/** Where the result was on its way to the players it stands; a crash round could not be cashed out and is void. */
function unfinished(core: Core, game: AnyShared, kept: TableMemory): { cutOff: Round[]; undone: Round[] } {
  const cutOff: Round[] = [];
  const undone: Round[] = [];
  for (const bet of betsOf(core, game)) {
    if (bet.status !== 'open' && bet.status !== 'opening') continue;
    const shown = bet.table === `${game.code}-${kept.seq}` && kept.phase !== 'bets';
    (bet.status === 'open' && shown && !game.timesAt ? cutOff : undone).push(bet);
  }
  return { cutOff, undone };
}

/** The last of the cut-off bets of the same player closes the operator's round. */
function lastOf(cutOff: readonly Round[], bet: Round): Round {
  return cutOff.findLast((other) => other.player === bet.player) ?? bet;
}
