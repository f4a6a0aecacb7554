/**
 * What an adapter must do, whatever its dialect: run by dialect-a.test.ts and dialect-b.test.ts, and by whoever adds one
 * (docs/providers.md). Everything goes over HTTP, through the adapter, to the real wallet.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench, type Player, type Seat } from './bench.ts';
import { type Driver, newRound, newTx, type Spoil } from './drivers.ts';

const MINUTE = 60_000;

export function conformance(name: string, pick: (bench: Bench) => Driver, has: { debitCredit: boolean }): void {
  let bench: Bench;
  let driver: Driver;
  let player: Player;
  let seat: Seat;
  beforeAll(async () => {
    bench = await makeBench();
    driver = pick(bench);
    player = await bench.player(100_000);
    seat = await bench.seat(driver, player);
  });
  afterAll(() => bench.close());

  const money = () => bench.balance(player.userId);
  const ask = (spoil?: Spoil) => bench.send(driver, { op: 'balance', session: seat.session }, spoil);

  describe(`${name}: signature`, () => {
    it('[PRV-01] a good one is answered, and the answer is signed too', async () => {
      expect(await ask()).toMatchObject({
        status: 200,
        code: 'OK',
        balanceMinor: money(),
        currency: 'EUR',
        signed: true,
      });
    });

    it.each<[string, Spoil]>([
      ['by a key nobody knows', { key: 'unknown' }],
      ['of another text', { tamper: (raw) => raw.replace('"s', '" s').replace('{', '{ ') }],
      ['missing', { without: 'signature' }],
      ['without a time', { without: 'time' }],
      ['without a nonce', { without: 'nonce' }],
      ['with a nonce too short to be one', { nonce: 'short' }],
    ])('[PRV-01] refused: %s', async (_what, spoil) => {
      expect(await ask(spoil)).toMatchObject({ status: 401, code: 'INVALID_SIGNATURE', signed: false });
    });

    it('[PRV-01] five minutes apart is taken, more is not, before and after', async () => {
      const { now } = bench.site.clock;
      for (const ts of [now - 5 * MINUTE, now + 5 * MINUTE]) expect((await ask({ ts })).code).toBe('OK');
      for (const ts of [now - 5 * MINUTE - 1, now + 5 * MINUTE + 1])
        expect(await ask({ ts })).toMatchObject({ status: 401, code: 'INVALID_SIGNATURE' });
    });

    it('[PRV-01] a nonce is taken once in ten minutes', async () => {
      const nonce = 'once-and-never-again-1';
      expect((await ask({ nonce })).code).toBe('OK');
      expect((await ask({ nonce })).status).toBe(401);
      bench.site.clock.advance(9 * MINUTE);
      expect((await ask({ nonce })).status).toBe(401);
      bench.site.clock.advance(12 * MINUTE);
      expect((await ask({ nonce })).code).toBe('OK');
    });

    it('[PRV-01] a nonce of a forged call can not be spent for the true one', async () => {
      const nonce = 'not-burnt-by-a-forger-1';
      expect((await ask({ nonce, key: 'unknown' })).status).toBe(401);
      expect((await ask({ nonce })).code).toBe('OK');
    });

    it('[PRV-12] both keys are live at the same time', async () => {
      expect(await ask({ key: 0 })).toMatchObject({ code: 'OK', signed: true });
      expect(await ask({ key: 1 })).toMatchObject({ code: 'OK', signed: true });
    });
  });

  describe(`${name}: what is not a call of the dialect`, () => {
    it.each([
      ['no JSON', 'debit please'],
      ['a list', '[]'],
      ['a deep nest', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
    ])('%s is never carried out and never an error of ours', async (_what, raw) => {
      const said = await ask({ raw });
      expect([200, 401]).toContain(said.status);
      expect(['UNKNOWN', 'INVALID_SIGNATURE']).toContain(said.code);
    });

    it('[PRV-16] unknown fields are tolerated and mean nothing', async () => {
      const before = money();
      const ids = newRound();
      bench.site.clock.advance(6000);
      const said = await bench.send(
        driver,
        { op: 'debit', ...seat, ...ids, amount: 100 },
        {
          extra: {
            userId: 1,
            user_id: 1,
            accountId: 1,
            amountMinor: 1,
            balance: 999_999_999,
            repeated: true,
            isDemo: true,
            code: 0,
            nested: { deep: [1, 2, { three: 3 }] },
          },
        },
      );
      expect(said).toMatchObject({ code: 'OK', balanceMinor: before - 100 });
      expect(money()).toBe(before - 100);
    });

    it.each([0, -500, 1_000_000_000_000_000])('[PRV-02] an amount of %i is no stake', async (amount) => {
      const before = money();
      expect((await bench.debit(driver, seat, amount)).code).toBe('INVALID_AMOUNT');
      expect(money()).toBe(before);
    });

    it('an amount in the money of the other dialect, or a float, is none', async () => {
      const before = money();
      for (const amount of ['5', 5.5, '5.5', '5.005', '1e3', ' 5.00', '+5.00', null, { of: 5 }, [5]]) {
        bench.site.clock.advance(6000);
        const said = await bench.send(
          driver,
          { op: 'debit', ...seat, ...newRound(), amount: 100 },
          { replace: { amount } },
        );
        expect([amount, said.code]).toEqual([amount, 'INVALID_AMOUNT']);
      }
      expect(money()).toBe(before);
    });
  });

  describe(`${name}: the rules of the wallet`, () => {
    it('[PRV-02] stake and win move the balance at once, and a lost round ends with nothing', async () => {
      const before = money();
      const { round, tx, ...said } = await bench.debit(driver, seat, 500);
      expect(said).toMatchObject({
        status: 200,
        code: 'OK',
        balanceMinor: before - 500,
        repeated: false,
        signed: true,
      });
      const won = { op: 'credit', ...seat, round, tx: newTx(), amount: 730, closed: true, ref: tx } as const;
      expect(await bench.send(driver, won)).toMatchObject({ code: 'OK', balanceMinor: before + 230 });
      const lost = await bench.debit(driver, seat, 200);
      const nothing = { op: 'credit', ...seat, round: lost.round, tx: newTx(), amount: 0, closed: true } as const;
      expect(await bench.send(driver, nothing)).toMatchObject({ code: 'OK', balanceMinor: before + 30 });
      expect(money()).toBe(before + 30);
    });

    it('[PRV-02] the same again is the same answer, and anything else under its id a mismatch', async () => {
      const before = money();
      const ids = newRound();
      const first = await bench.debit(driver, seat, 300, ids);
      const again = await bench.debit(driver, seat, 300, ids);
      expect(again).toMatchObject({ code: 'OK', repeated: true, walletTx: first.walletTx });
      expect((await bench.debit(driver, seat, 301, ids)).code).toBe('DUPLICATE_MISMATCH');
      expect((await bench.debit(driver, seat, 300, { ...ids, round: 'another-round' })).code).toBe(
        'DUPLICATE_MISMATCH',
      );
      expect(money()).toBe(before - 300);
    });

    it('[PRV-02] a rollback gives back once; of what never came it is taken, and that never comes', async () => {
      const before = money();
      const { round, tx } = await bench.debit(driver, seat, 400);
      const back = { op: 'rollback', ...seat, round, tx: newTx(), ref: tx } as const;
      expect(await bench.send(driver, back)).toMatchObject({ code: 'OK', balanceMinor: before });
      expect(await bench.send(driver, back)).toMatchObject({ code: 'OK', repeated: true });
      expect(await bench.send(driver, { ...back, tx: newTx() })).toMatchObject({ code: 'OK', balanceMinor: before });
      const late = { op: 'credit', ...seat, round, tx: newTx(), amount: 900, closed: true, ref: tx } as const;
      expect((await bench.send(driver, late)).code).toBe('ALREADY_ROLLED_BACK');
      const never = newRound();
      const first = { op: 'rollback', ...seat, round: never.round, tx: newTx(), ref: never.tx } as const;
      expect(await bench.send(driver, first)).toMatchObject({ code: 'OK', tombstone: true });
      expect((await bench.debit(driver, seat, 400, never)).code).toBe('ALREADY_ROLLED_BACK');
      expect(money()).toBe(before);
    });

    it('[PRV-02] after a win there is no way back, and no win without a bet', async () => {
      const { round, tx } = await bench.debit(driver, seat, 100);
      await bench.send(driver, { op: 'credit', ...seat, round, tx: newTx(), amount: 150, closed: true, ref: tx });
      const before = money();
      const back = { op: 'rollback', ...seat, round, tx: newTx(), ref: tx } as const;
      expect((await bench.send(driver, back)).code).toBe('ALREADY_SETTLED');
      const alone = { op: 'credit', ...seat, round: 'no-such-round', tx: newTx(), amount: 100, closed: true } as const;
      expect((await bench.send(driver, alone)).code).toBe('BET_NOT_FOUND');
      expect(money()).toBe(before);
    });

    it('[PRV-02] [PRV-05] more than there is, is refused with the true balance', async () => {
      const before = money();
      expect(await bench.debit(driver, seat, before + 1)).toMatchObject({
        status: 200,
        code: 'INSUFFICIENT_FUNDS',
        balanceMinor: before,
        signed: true,
      });
      expect(money()).toBe(before);
    });

    it('[PRV-09] currency, game and player are those of the session', async () => {
      const before = money();
      for (const [wrong, code] of [
        [{ currency: 'USD' }, 'WRONG_CURRENCY'],
        [{ game: 'lotus' }, 'INVALID_GAME'],
        [{ game: 'no-such-game' }, 'INVALID_GAME'],
        [{ player: 'somebody' }, 'INVALID_TOKEN'],
        [{ session: 'no-such-session' }, 'INVALID_TOKEN'],
      ] as const) {
        expect([wrong, (await bench.debit(driver, { ...seat, ...wrong }, 100)).code]).toEqual([wrong, code]);
      }
      expect(money()).toBe(before);
    });

    it('promo credits come without a bet; a round can be ended on its own', async () => {
      const before = money();
      const gift = { op: 'promoCredit', ...seat, ...newRound(), amount: 250, reason: 'jackpot' } as const;
      expect(await bench.send(driver, gift)).toMatchObject({ code: 'OK', balanceMinor: before + 250 });
      expect(await bench.send(driver, gift)).toMatchObject({ code: 'OK', repeated: true });
      expect(money()).toBe(before + 250);
      const { round } = await bench.debit(driver, seat, 100);
      expect((await bench.send(driver, { op: 'roundEnd', ...seat, round })).code).toBe('OK');
    });
  });

  if (has.debitCredit) {
    describe(`${name}: stake and win in one call`, () => {
      it('stake and win in one are both or neither', async () => {
        const before = money();
        bench.site.clock.advance(6000);
        const ids = newRound();
        const both = { op: 'debitCredit', ...seat, ...ids, amount: 500, win: 750, closed: true } as const;
        expect(await bench.send(driver, both)).toMatchObject({ code: 'OK', balanceMinor: before + 250, signed: true });
        expect(await bench.send(driver, both)).toMatchObject({ code: 'OK', repeated: true });
        const back = { op: 'rollback', ...seat, round: ids.round, tx: newTx(), ref: ids.tx } as const;
        expect((await bench.send(driver, back)).code).toBe('ALREADY_SETTLED');
        bench.site.clock.advance(6000);
        const tooMuch = { ...both, ...newRound(), amount: money() + 1, win: 10 * money() };
        expect((await bench.send(driver, tooMuch)).code).toBe('INSUFFICIENT_FUNDS');
        expect(money()).toBe(before + 250);
      });
    });
  }

  describe(`${name}: sessions`, () => {
    it('[PRV-07] a launch token is good once, for its game, for a minute, at its provider', async () => {
      const other = await bench.player();
      const tokenOf = async () => {
        expect((await bench.launch(driver, other.token)).status).toBe(200);
        return (bench.stubs[driver.id].launches.at(-1) as { token: string }).token;
      };
      const use = (token: string, game = driver.game) => bench.send(driver, { op: 'authenticate', token, game });
      const token = await tokenOf();
      expect(await use(token)).toMatchObject({ code: 'OK', currency: 'EUR', balanceMinor: 100_000, signed: true });
      expect((await use(token)).code).toBe('INVALID_TOKEN');
      expect((await use(await tokenOf(), 'lotus')).code).toBe('INVALID_GAME');
      const late = await tokenOf();
      bench.site.clock.advance(MINUTE + 1);
      expect((await use(late)).code).toBe('TOKEN_EXPIRED');
      expect((await use('made-up-token')).code).toBe('INVALID_TOKEN');
    });

    it('[PRV-06] a session that is over takes no stake, and still pays', async () => {
      const other = await bench.player();
      const at = await bench.seat(driver, other);
      const { round, tx } = await bench.debit(driver, at, 1000);
      expect((await bench.send(driver, { op: 'sessionEnd', session: at.session })).code).toBe('OK');
      expect((await bench.debit(driver, at, 1000)).code).toMatch(/TOKEN/);
      const won = { op: 'credit', ...at, round, tx: newTx(), amount: 5000, closed: true, ref: tx } as const;
      expect((await bench.send(driver, won)).code).toBe('OK');
      expect(bench.balance(other.userId)).toBe(104_000);
    });
  });
}
