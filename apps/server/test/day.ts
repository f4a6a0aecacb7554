/** A day on the site in a few commands: every kind of market and posting, in both worlds. */
import type { Command } from '@fairgame/exchange';
import { betOf, type Fixture, marketDef, refusedWith } from './fixture.ts';

export interface Day {
  /** A book market that was settled, withdrawn and settled again, with a bet taken out afterwards. */
  settled: number;
  /** A book market that was settled, archived, withdrawn from the archive, settled again. */
  archived: number;
}

export async function playDay(f: Fixture): Promise<Day> {
  const { anna, ben, dora, book, bookmaker, session } = f;
  const feed = { world: 'all', actor: 'feed' } as const;
  // Matched with the house, resting, matched between players, cut down, replaced.
  await f.bet(anna, 'BACK', 300, 1000);
  const waiting = betOf(await f.bet(anna, 'BACK', 305, 4000));
  await f.bet(ben, 'LAY', 305, 1500);
  await f.send({ type: 'order.cancel', accountId: anna, betId: waiting.betId, byMinor: 500 });
  const other = betOf(await f.bet(ben, 'LAY', 250, 700, { runner: book.runnerIds[1] }));
  await f.send({ type: 'order.replace', accountId: ben, betId: other.betId, newBetId: 0, price: 260, sizeMinor: 900 });
  await f.bet(dora, 'BACK', 300, 2500, { world: 'demo' });
  // Quoted markets.
  const take = (
    accountId: number,
    marketId: number,
    runnerId: number,
    side: 'BACK' | 'LAY',
    price: number,
    line?: number,
  ) =>
    f.send(
      {
        type: 'quote.take',
        betId: 0,
        accountId,
        marketId,
        runnerId,
        side,
        price,
        stakeMinor: 2000,
        ...(line === undefined ? {} : { line }),
      },
      {
        world: accountId === dora ? 'demo' : 'real',
        actor: `player:${accountId}`,
        key: `take-${accountId}-${marketId}-${side}`,
      },
    );
  await take(anna, bookmaker.marketId, bookmaker.runnerIds[0], 'BACK', 80);
  await take(ben, bookmaker.marketId, bookmaker.runnerIds[0], 'LAY', 84);
  await take(anna, session.marketId, session.runnerId, 'BACK', 90, 47);
  await take(anna, session.marketId, session.runnerId, 'LAY', 110, 45);
  await take(dora, session.marketId, session.runnerId, 'BACK', 90, 47);

  const settled = await wholeMarket(f, 'Winner');
  await f.send({ type: 'market.undeclare', marketId: settled.marketId }, feed);
  await f.send(
    { type: 'market.declare', marketId: settled.marketId, result: { kind: 'winners', runnerIds: [settled.b] } },
    feed,
  );
  await f.send({ type: 'bets.void', marketId: settled.marketId, betIds: [settled.betId], reason: 'Wrong price' });

  const archived = await wholeMarket(f, 'Second winner');
  await f.send({ type: 'market.archive', marketId: archived.marketId }, feed);
  await f.send({ type: 'market.undeclare', marketId: archived.marketId }, feed);
  await f.send(
    { type: 'market.declare', marketId: archived.marketId, result: { kind: 'winners', runnerIds: [archived.b] } },
    feed,
  );
  await playRounds(f);
  await f.send({
    type: 'account.transfer',
    accountId: ben,
    amountMinor: -2500,
    reason: 'withdrawal',
    text: 'Withdrawal',
  });
  await refusedWith(f.bet(ben, 'BACK', 300, 200_000));
  return { settled: settled.marketId, archived: archived.marketId };
}

/** Rounds of a provider: won, lost, taken back, with a late win after it left memory, a bonus; one stays open. */
async function playRounds(f: Fixture): Promise<void> {
  const { anna, ben } = f;
  let n = 0;
  const send = (command: GameCommand, roundId: string, accountId = anna) => {
    const txId = `tx${++n}`;
    const move = { provider: 'alder', roundId, accountId, game: 'keno', currency: 'EUR', label: 'Alder Games / Keno' };
    return f.send({ ...move, txId, ...command } as Command, { actor: 'provider:alder', key: txId });
  };
  await send({ type: 'game.debit', amountMinor: 500 }, 'lost');
  await send({ type: 'game.credit', amountMinor: 0, roundClosed: true }, 'lost');
  await send({ type: 'game.debit', amountMinor: 700 }, 'won');
  await send({ type: 'game.debit', amountMinor: 300 }, 'won');
  await send({ type: 'game.debit', amountMinor: 300 }, 'won', ben);
  await send({ type: 'game.rollback', refTx: 'tx4' }, 'won');
  await send({ type: 'game.credit', amountMinor: 1900, roundClosed: true }, 'won');
  await send({ type: 'game.debitCredit', amountMinor: 250, creditMinor: 100, roundClosed: true }, 'at once', ben);
  await send({ type: 'game.promo', amountMinor: 40, reason: 'Jackpot' }, 'none', ben);
  await f.send({ type: 'game.forget', before: f.time.now }, { world: 'all', actor: 'core' });
  await send({ type: 'game.credit', amountMinor: 60, roundClosed: true }, 'lost');
  await send({ type: 'game.debit', amountMinor: 111 }, 'open');
  await f.core.burn('provider:alder', 'tx-never-came');
}

type GameCommand =
  | { type: 'game.debit'; amountMinor: number }
  | { type: 'game.debitCredit'; amountMinor: number; creditMinor: number; roundClosed: boolean }
  | { type: 'game.credit'; amountMinor: number; roundClosed: boolean }
  | { type: 'game.rollback'; refTx: string }
  | { type: 'game.promo'; amountMinor: number; reason: string };

/** Two players on both sides and the house, then a result. */
async function wholeMarket(
  f: Fixture,
  name: string,
): Promise<{ marketId: number; a: number; b: number; betId: number }> {
  const [marketId, a, b] = [f.core.nextId(), f.core.nextId(), f.core.nextId()];
  const feed = { world: 'all', actor: 'feed' } as const;
  const runners = [
    { runnerId: a, name: 'One' },
    { runnerId: b, name: 'Two' },
  ];
  await f.send({ type: 'market.create', market: marketDef(marketId, f.eventId, { name, runners }) }, feed);
  await f.send(
    { type: 'house.book', marketId, runners: [{ runnerId: a, backable: [[180, 30_000]], layable: [[190, 30_000]] }] },
    feed,
  );
  const bet = (accountId: number, side: 'BACK' | 'LAY', runnerId: number, price: number, sizeMinor: number) =>
    f.send(
      { type: 'order.place', betId: 0, accountId, marketId, runnerId, side, price, sizeMinor, persistence: 'LAPSE' },
      { world: accountId === f.dora ? 'demo' : 'real' },
    );
  await bet(f.ben, 'LAY', b, 210, 3000);
  const first = betOf(await bet(f.anna, 'BACK', b, 210, 2000));
  await bet(f.anna, 'LAY', a, 190, 1700);
  await bet(f.dora, 'BACK', a, 180, 900);
  await f.send({ type: 'market.declare', marketId, result: { kind: 'winners', runnerIds: [a] } }, feed);
  return { marketId, a, b, betId: first.betId };
}
