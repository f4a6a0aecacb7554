import { readFileSync } from 'node:fs';
import { addMonths, beginOfDay, dayNumber, localOf, type Span, windowOf } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BONUS_STATES,
  bonusMay,
  FIRST_WITHDRAWAL_STATE,
  INSTALLMENTS_FROM_MINOR,
  installments,
  WITHDRAWAL_STATES,
  withdrawalStep,
} from '../src/operator/money-states.ts';
import { JURISDICTIONS, PROFILES, STATES } from '../src/protection/profiles.ts';
import {
  change,
  combine,
  coolOffEnd,
  endsAt,
  exclusionEnd,
  type Limit,
  lossFloor,
  type Restriction,
  raiseAt,
  realityDueAt,
  revocableFrom,
  ripe,
  runs,
  type Standing,
  spanFits,
  stateAt,
} from '../src/protection/rules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { INT, GB, MT, SE } = PROFILES;
const T0 = Date.UTC(2026, 10, 20, 19, 42);
const profiles = fc.constantFrom(...JURISDICTIONS).map((name) => PROFILES[name]);
const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
const excluded = (over: Partial<Restriction> = {}): Restriction => ({
  state: 'self-excluded',
  since: T0,
  until: T0 + 182 * DAY,
  revokeAskedAt: null,
  ...over,
});
const cooling = (until: number): Restriction => ({ state: 'cooling off', since: T0, until, revokeAskedAt: null });
const standing = (over: Partial<Standing> = {}): Standing => ({
  base: 'active',
  restriction: null,
  ageVerified: true,
  firstDepositAt: null,
  lastAccessAt: T0,
  balanceMinor: 0,
  ...over,
});

describe('windows of a calendar', () => {
  it.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00Z'],
    ['2026-04-05', 'Pacific/Auckland', '2026-04-04T11:00Z'],
    // Its clocks went from 24:00 to 1:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00Z'],
  ])('the day %s of %s begins at %s', (day, timeZone, begin) => {
    expect(beginOfDay(Date.parse(`${day}T00:00Z`), timeZone)).toBe(Date.parse(begin));
  });

  it('[INV-18] a moment is in exactly one day, week and month, and they follow each other without a gap', () => {
    fc.assert(
      fc.property(moments, profiles, fc.constantFrom<Span>('day', 'week', 'month'), (at, { timeZone }, span) => {
        const { from, to } = windowOf(span, at, timeZone);
        expect(from).toBeLessThanOrEqual(at);
        expect(at).toBeLessThan(to);
        expect(windowOf(span, from, timeZone)).toEqual({ from, to });
        expect(windowOf(span, to - 1, timeZone)).toEqual({ from, to });
        expect(windowOf(span, to, timeZone).from).toBe(to);
        const begin = localOf(from, timeZone);
        expect([begin.hour, begin.minute, begin.second, begin.ms]).toEqual([0, 0, 0, 0]);
        const hours = (to - from) / HOUR;
        if (span === 'day') expect([23, 24, 25]).toContain(hours);
        if (span === 'week') expect([167, 168, 169]).toContain(hours);
        if (span === 'month') expect(begin.day).toBe(1);
        if (span === 'week') expect((dayNumber(from, timeZone) + 3) % 7).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it('the days the clock changes have 23 and 25 hours', () => {
    const spring = windowOf('day', Date.UTC(2026, 2, 29, 12), GB.timeZone);
    const autumn = windowOf('day', Date.UTC(2026, 9, 25, 12), SE.timeZone);
    expect((spring.to - spring.from) / HOUR).toBe(23);
    expect((autumn.to - autumn.from) / HOUR).toBe(25);
    expect(windowOf('week', Date.UTC(2026, 10, 20, 19), 'UTC')).toEqual({
      from: Date.UTC(2026, 10, 16),
      to: Date.UTC(2026, 10, 23),
    });
  });

  it('months keep the time of day and never end before the month is over', () => {
    expect(addMonths(Date.UTC(2026, 7, 31, 9), 6, 'UTC')).toBe(Date.UTC(2027, 2, 1, 9));
    // 10:00 in London in winter is 09:00 UTC in summer.
    expect(addMonths(Date.UTC(2026, 0, 15, 10), 6, GB.timeZone)).toBe(Date.UTC(2026, 6, 15, 9));
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 60 }), profiles, (at, months, { timeZone }) => {
        const end = addMonths(at, months, timeZone);
        expect(end - at).toBeGreaterThanOrEqual(months * 28 * DAY - HOUR);
        expect(end - at).toBeLessThanOrEqual(months * 31 * DAY + DAY + HOUR);
        expect(addMonths(at, months + 1, timeZone)).toBeGreaterThan(end);
      }),
    );
  });
});

describe('limits', () => {
  const limit = (amountMinor: number, pending: Limit['pending'] = null): Limit => ({
    kind: 'deposit',
    span: 'day',
    amountMinor,
    pending,
  });
  const wish = (amountMinor: number | null) => ({ kind: 'deposit' as const, span: 'day' as const, amountMinor });

  it('[LGL-24] [LGL-25] [CAR-51] lower at once, higher after 7 days in every profile', () => {
    for (const profile of [INT, GB, MT, SE]) {
      expect(change(limit(1000), wish(999), T0, profile)).toEqual({ limit: limit(999), when: 'now' });
      const raised = change(limit(1000), wish(1001), T0, profile);
      expect(raised.when).toBe('later');
      const at = raised.limit!.pending!.at;
      expect(at).toBeGreaterThanOrEqual(T0 + 7 * DAY);
      expect(ripe(raised.limit!, at - 1)!.amountMinor).toBe(1000);
      expect(ripe(raised.limit!, at)).toEqual(limit(1001));
    }
    expect(raiseAt('day', T0, INT)).toBe(T0 + 7 * DAY);
  });

  it('SE waits for the end of the running month too', () => {
    expect(raiseAt('month', Date.UTC(2026, 10, 2), SE)).toBe(windowOf('month', Date.UTC(2026, 10, 2), SE.timeZone).to);
    expect(raiseAt('month', Date.UTC(2026, 10, 28), SE)).toBe(Date.UTC(2026, 10, 28) + 7 * DAY);
  });

  it('taking a limit away is a raise; lowering gives up a raise on its way', () => {
    const gone = change(limit(1000), wish(null), T0, INT);
    expect(gone.when).toBe('later');
    expect(ripe(gone.limit!, T0 + 7 * DAY - 1)?.amountMinor).toBe(1000);
    expect(ripe(gone.limit!, T0 + 7 * DAY)).toBeNull();
    expect(change(gone.limit, wish(500), T0 + DAY, INT)).toEqual({ limit: limit(500), when: 'now' });
  });

  it('a later wish for more never makes an earlier day', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ after: fc.integer({ min: 0, max: 3 * DAY }), amount: fc.integer({ min: 100, max: 5000 }) }),
          {
            minLength: 1,
            maxLength: 30,
          },
        ),
        profiles,
        (wishes, profile) => {
          let held: Limit | null = limit(2000);
          let now = T0;
          /** Highest amount that was asked for at least 7 days ago, or was in force. */
          const asked: Array<{ at: number; amount: number }> = [{ at: T0 - 8 * DAY, amount: 2000 }];
          for (const { after, amount } of wishes) {
            now += after;
            held = held && ripe(held, now);
            const allowed = Math.max(...asked.filter(({ at }) => at <= now - 7 * DAY).map((one) => one.amount));
            expect(held!.amountMinor).toBeLessThanOrEqual(allowed);
            held = change(held, wish(amount), now, profile).limit;
            asked.push({ at: now, amount });
            if (amount <= held!.amountMinor) expect(held!.amountMinor).toBe(amount);
          }
        },
      ),
    );
  });

  it('each kind has its spans', () => {
    expect(spanFits('stake', 'bet')).toBe(true);
    expect(spanFits('stake', 'day')).toBe(false);
    expect(spanFits('exposure', 'always')).toBe(true);
    for (const span of ['day', 'week', 'month'] as const)
      for (const kind of ['deposit', 'loss', 'wager'] as const) expect(spanFits(kind, span)).toBe(true);
  });

  it('the loss floor: the strictest limit counts, and settlement moves balance and loss together', () => {
    expect(lossFloor(10_000, [])).toBeNull();
    expect(lossFloor(10_000, [{ amountMinor: 1000, lostMinor: 0 }])).toBe(9000);
    expect(
      lossFloor(9600, [
        { amountMinor: 1000, lostMinor: 400 },
        { amountMinor: 5000, lostMinor: 4800 },
      ]),
    ).toBe(9400);
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), fc.integer({ min: -9000, max: 9000 }), (balance, amount, lost) => {
        const floor = lossFloor(balance, [{ amountMinor: amount, lostMinor: 0 }]);
        expect(lossFloor(balance - lost, [{ amountMinor: amount, lostMinor: lost }])).toBe(floor);
      }),
    );
  });
});

describe('breaks and self-exclusion', () => {
  it('[LGL-27] the lengths of a cool-off, to the millisecond, also over a change of the clock', () => {
    const before = Date.UTC(2026, 9, 24, 12);
    for (const profile of [INT, GB, MT, SE]) {
      expect(coolOffEnd('24h', before, profile) - before).toBe(24 * HOUR);
      expect(coolOffEnd('1w', before, profile) - before).toBe(7 * DAY);
      expect(coolOffEnd('3w', before, profile) - before).toBe(21 * DAY);
      expect(coolOffEnd('6w', before, profile) - before).toBe(42 * DAY);
    }
    expect(GB.coolOffs).toEqual(['24h', '1w', '3w', '6w']);
    expect(coolOffEnd('1m', T0, INT)).toBe(Date.UTC(2026, 11, 20, 19, 42));
  });

  it('[LGL-26] self-exclusion is 6 months or longer in every profile', () => {
    for (const profile of [INT, GB, MT, SE]) {
      const lengths = profile.exclusionMonths.filter((months) => months > 0);
      expect(Math.min(...lengths)).toBe(6);
      expect(exclusionEnd(6, T0, profile)).toBe(addMonths(T0, 6, profile.timeZone));
    }
    expect(exclusionEnd(0, T0, INT)).toBeNull();
  });

  it('[ACC-09] self-exclusion ends by itself outside the UK, not a moment sooner', () => {
    const restriction = excluded();
    for (const profile of [INT, MT, SE]) {
      expect(runs(restriction, restriction.until! - 1, profile)).toBe(true);
      expect(runs(restriction, restriction.until!, profile)).toBe(false);
      expect(stateAt(standing({ restriction }), restriction.until!, profile)).not.toBe('self-excluded');
    }
  });

  it('[ACC-10] a cool-off ends by itself everywhere', () => {
    const restriction = cooling(T0 + DAY);
    for (const profile of [INT, GB, MT, SE]) {
      expect(stateAt(standing({ restriction }), T0 + DAY - 1, profile)).toBe('cooling off');
      expect(stateAt(standing({ restriction }), T0 + DAY, profile)).toBe('active');
    }
  });

  it('[ACC-11] [CAR-52] a UK self-exclusion does not end by itself, however long ago', () => {
    const restriction = excluded();
    expect(endsAt(restriction, GB)).toBeNull();
    expect(GB.exclusionNeedsSupport).toBe(true);
    expect(runs(restriction, restriction.until! + 7 * 365 * DAY, GB)).toBe(true);
    expect(stateAt(standing({ restriction }), restriction.until! + DAY, GB)).toBe('self-excluded');
  });

  it('[ACC-12] a revocation takes effect 7 days after the request', () => {
    const asked = T0 + 200 * DAY;
    const restriction = excluded({ revokeAskedAt: asked });
    expect(runs(restriction, asked + 7 * DAY - 1, GB)).toBe(true);
    expect(runs(restriction, asked + 7 * DAY, GB)).toBe(false);
  });

  it('[ACC-13] a revocation counts only from the end of the period; without an end, after the shortest one', () => {
    expect(revocableFrom(excluded(), GB)).toBe(T0 + 182 * DAY);
    expect(revocableFrom(excluded({ until: null }), INT)).toBe(addMonths(T0, 6, 'UTC'));
  });

  it('[CAR-52] nothing asked for on top ever shortens what runs', () => {
    const restrictions = fc.record({
      state: fc.constantFrom<Restriction['state']>('self-excluded', 'cooling off'),
      since: fc.constant(T0),
      until: fc.option(fc.integer({ min: T0, max: T0 + 2000 * DAY }), { nil: null }),
      revokeAskedAt: fc.constant(null),
    });
    fc.assert(
      fc.property(fc.array(restrictions, { minLength: 1, maxLength: 8 }), profiles, (list, profile) => {
        let held: Restriction | null = null;
        for (const asked of list) {
          const next: Restriction = combine(held, asked);
          const before = held ? (endsAt(held, profile) ?? Infinity) : 0;
          expect(endsAt(next, profile) ?? Infinity).toBeGreaterThanOrEqual(before);
          if (held?.state === 'self-excluded') expect(next.state).toBe('self-excluded');
          held = next;
        }
      }),
    );
  });
});

describe('states by the clock', () => {
  it('[ACC-01] there are exactly these eight', () => {
    expect([...STATES]).toEqual([
      'active',
      'frozen',
      'blocked',
      'closed',
      'self-excluded',
      'cooling off',
      'inactive',
      'dormant',
    ]);
  });

  it('[ACC-03] inactive: a real balance and no access for 12 months', () => {
    const end = Date.UTC(2027, 10, 20, 19, 42);
    expect(stateAt(standing({ balanceMinor: 1 }), end - 1, INT)).toBe('active');
    expect(stateAt(standing({ balanceMinor: 1 }), end, INT)).toBe('inactive');
    expect(stateAt(standing({ balanceMinor: 0 }), end, INT)).toBe('active');
  });

  it('[ACC-04] dormant: 30 months without access', () => {
    const end = Date.UTC(2029, 4, 20, 19, 42);
    expect(stateAt(standing({ balanceMinor: 1 }), end - 1, INT)).toBe('inactive');
    expect(stateAt(standing({ balanceMinor: 1 }), end, INT)).toBe('dormant');
    expect(stateAt(standing({ balanceMinor: 0 }), end, INT)).toBe('dormant');
  });

  it('[ACC-02] [LGL-05] frozen: age not verified 72 hours after the first deposit; GB and SE at the deposit', () => {
    const waiting = standing({ ageVerified: false, firstDepositAt: T0 });
    expect(stateAt(waiting, T0 + 72 * HOUR - 1, INT)).toBe('active');
    expect(stateAt(waiting, T0 + 72 * HOUR, INT)).toBe('frozen');
    expect(stateAt({ ...waiting, ageVerified: true }, T0 + 72 * HOUR, INT)).toBe('active');
    expect(stateAt({ ...waiting, firstDepositAt: null }, T0 + 999 * HOUR, INT)).toBe('active');
    expect(stateAt(waiting, T0, GB)).toBe('frozen');
  });

  it('blocked and closed stand before everything; a restriction goes on behind them', () => {
    const restriction = excluded();
    expect(stateAt(standing({ base: 'blocked', restriction }), T0, INT)).toBe('blocked');
    expect(stateAt(standing({ base: 'closed', restriction }), T0, INT)).toBe('closed');
    expect(stateAt(standing({ base: 'dormant', restriction }), T0, INT)).toBe('self-excluded');
  });

  it('[CAR-51] every figure of the profiles is data, INT as the terms print it', () => {
    expect(INT).toMatchObject({
      raiseDays: 7,
      revocationDays: 7,
      ageCheckHours: 72,
      inactiveMonths: 12,
      dormantMonths: 30,
      inactiveFeeMinor: 500,
    });
    expect(INT.realityMinutes[0]).toBe(60);
    expect(GB.realityMinutes[0]).toBe(0);
  });

  it('[LGL-23] the reality check comes an hour after the visit began or the last answer', () => {
    expect(realityDueAt(T0, null, 60)).toBe(T0 + HOUR);
    expect(realityDueAt(T0, T0 + 10, 60)).toBe(T0 + 10 + HOUR);
    expect(realityDueAt(T0, T0 - DAY, 15)).toBe(T0 + HOUR / 4);
    expect(realityDueAt(T0, null, 0)).toBeNull();
  });
});

describe('states of money', () => {
  it('[ACC-05] a bonus is claimed, wagering, forfeited or cancelled', () => {
    expect(Object.keys(BONUS_STATES)).toEqual(['claimed', 'wagering', 'forfeited', 'cancelled']);
    expect(bonusMay('claimed', 'wagering')).toBe(true);
    expect(bonusMay('wagering', 'forfeited')).toBe(true);
    expect(bonusMay('wagering', 'cancelled')).toBe(true);
    expect(bonusMay('forfeited', 'wagering')).toBe(false);
    expect(bonusMay('cancelled', 'claimed')).toBe(false);
  });

  it('[ACC-06] [ACC-07] a withdrawal starts as requested and becomes approved or denied, once', () => {
    expect(FIRST_WITHDRAWAL_STATE).toBe('requested');
    expect(withdrawalStep('requested', 'approved', 500)).toEqual({ state: 'approved', returnMinor: 0 });
    expect(withdrawalStep('requested', 'denied', 500)).toEqual({ state: 'denied', returnMinor: 500 });
    for (const state of ['approved', 'denied', 'cancelled'] as const) {
      expect(WITHDRAWAL_STATES[state].to).toEqual([]);
      expect(() => withdrawalStep(state, 'requested', 1)).toThrow(/does not go/);
    }
  });

  it('[ACC-08] a cancelled withdrawal returns the funds, whole', () => {
    expect(withdrawalStep('requested', 'cancelled', 12_345)).toEqual({ state: 'cancelled', returnMinor: 12_345 });
  });

  it('[CAR-54] [LGL-14] ten installments of 10% add up to the last cent', () => {
    expect(INSTALLMENTS_FROM_MINOR).toBe(2_000_000);
    expect(installments(2_000_007)).toEqual([...Array(9).fill(200_000), 200_007]);
    fc.assert(
      fc.property(fc.integer({ min: 2_000_000, max: 10_000_000_000 }), (winnings) => {
        const parts = installments(winnings);
        expect(parts).toHaveLength(10);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(winnings);
        for (const part of parts) expect(Math.abs(part - winnings / 10)).toBeLessThan(10);
      }),
    );
  });

  it('[CAR-48] the core has no posting for a fee or a penalty', () => {
    const types = readFileSync(`${import.meta.dirname}/../../../packages/exchange/src/types/events.ts`, 'utf8');
    const kinds = /export type LedgerKind =([^;]+);/.exec(types)![1]!.match(/'(\w+)'/g)!;
    for (const word of kinds) expect(word).not.toMatch(/fee|penalt|withh|fine/i);
    expect(kinds).toContain("'settle'");
  });
});
