import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { bob, browser, page, site, stand, token } from './alice-ground.ts';
import { PHONE, visit } from './browser.ts';
import { IN_FIREFOX } from './firefox.ts';
import {
  addMatch,
  betsOf,
  go,
  headerFigure,
  listed,
  type Made,
  market,
  matchOf,
  myBets,
  oddsBox,
  openMatch,
  placeByCall,
  placeNow,
  priceOf,
  quote,
  seen,
  signedIn,
  slipOf,
  stakeBox,
  walletOf,
} from './play.ts';
import { holds, until } from './wait.ts';

/** The player's first journey (section 7), on the built site with the simulated feed and two players. */
stand({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '7' });

describe('looking around', () => {
  it('[PRD-16] a newcomer plays with the demo login', async () => {
    const { page, context, errors } = await visit(browser);
    await page.goto(site.url);
    await page.getByRole('button', { name: /demo/i }).click();
    await page.waitForURL('**/home');
    await page.locator('.event-list__event').first().waitFor();
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(1_000_000);
    const made = await addMatch(site, 'Demo Dan v Real Rita', ['Demo Dan', 'Real Rita']);
    await quote(site, made.betId, made.runnerIds[0]!, [[300, 50_000]], [[310, 50_000]]);
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Back', 'Demo Dan').click();
    await stakeBox(page).fill('20');
    await placeNow(page);
    await seen(slipOf(page), /Matched at 3\.00, 20\.00\./);
    // Play money: the real book keeps its money.
    const real = (await matchOf(site, token, made.matchId)).markets[0]!;
    expect(real.runners[0]!.back[0]).toEqual([300, 50_000]);
    expect(real.tradedMinor).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('[HOM-01] the landing lists live events whose prices move without a reload', async () => {
    await page.locator('.event-list__event').first().waitFor();
    const read = () => page.locator('.event-list__event .price__cell b').allInnerTexts();
    const before = (await read()).join(' ');
    expect(before).toMatch(/\d\.\d\d/);
    await expect.poll(async () => (await read()).join(' '), { timeout: 30_000 }).not.toBe(before);
  });

  it('[RAC-03] [NAV-13] [NAV-15] [NAV-16] opens an event of each sport and a race of each kind', async () => {
    const all = await listed(site, token);
    for (const type of ['cricket', 'football', 'tennis', 'politics']) {
      const one =
        all.find((match) => match.matchType === type && match.inPlay) ?? all.find((m) => m.matchType === type);
      expect(one, `an event of ${type}`).toBeDefined();
      await go(page, `/game-detail/${type}/${one!.id}`);
      await page.getByRole('heading', { level: 1, name: one!.title }).waitFor();
      await page.locator('section.market-table__market .price__cell:not(.price__empty) b').first().waitFor();
      if (one!.inPlay && type !== 'politics') await page.locator('.scoreboard__board, .turf__turf').first().waitFor();
    }
    for (const type of ['horseRacing', 'greyHound']) {
      // The last to go off, of those that stand now: the next one may be off, and without prices, before its page is there.
      const race = (await listed(site, token))
        .filter((match) => match.matchType === type && match.head?.status === 'OPEN')
        .sort((a, b) => b.startAt.localeCompare(a.startAt))[0];
      expect(race, `a race of ${type}`).toBeDefined();
      await go(page, `/race/${race!.id}`);
      await page.locator('.race-page__title').waitFor();
      await expect.poll(() => page.locator('.race-parts__runner').count()).toBeGreaterThan(3);
      await page.locator('.race-parts__runner .price__cell:not(.price__empty) b').first().waitFor();
    }
  });
});

describe('the order book, alice in the browser against bob', () => {
  let made: Made;
  beforeAll(async () => {
    made = await addMatch(site, 'Ann Archer v Ben Baker', ['Ann Archer', 'Ben Baker']);
    await placeByCall(site, bob, made, made.runnerIds[0]!, 'LAY', 200, 5000);
    await placeByCall(site, bob, made, made.runnerIds[0]!, 'BACK', 220, 4000);
  });

  it('[BET-05] [NAV-07] [OPN-32] [PRD-11] [BET-01] [BET-02] [BET-10] a back at the best price is placed, matched, and moves balance and exposure', async () => {
    await openMatch(page, made);
    await seen(priceOf(page, 'Match Odds', 'Back', 'Ann Archer'), /2\.00\s*50/);
    const before = await walletOf(site, token);
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(before.currentBalance);

    await priceOf(page, 'Match Odds', 'Back', 'Ann Archer').click();
    await seen(slipOf(page), 'Ann Archer');
    expect(await oddsBox(page).inputValue()).toBe('2.00');
    await slipOf(page).getByRole('button', { name: '25', exact: true }).click();
    await seen(slipOf(page), /Profit if Ann Archer wins\s*\+25\.00/);
    await seen(slipOf(page), /Liability\s*-25\.00/);
    // What-if under each runner.
    await seen(market(page, 'Match Odds'), /Ann Archer[\s\S]*\+25\.00[\s\S]*Ben Baker[\s\S]*-25\.00/);
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/placeBet'));
    await placeNow(page);
    const asked = await sent;
    // In Firefox the driver is not told what a request carries.
    if (!IN_FIREFOX) {
      const body = asked.postDataJSON() as Record<string, unknown>;
      expect(body).toMatchObject({
        betId: made.betId,
        matchId: made.matchId,
        odd: 200,
        stake: 2500,
        bettingType: 'BACK',
      });
      expect(Object.keys(body).filter((key) => /payout|liab|balance|profit/i.test(key))).toEqual([]);
    }

    await seen(slipOf(page), /Matched at 2\.00, 25\.00\./);
    await seen(myBets(page), /Matched[\s\S]*Ann Archer[\s\S]*2\.00\s*25/);
    await expect.poll(() => headerFigure(page, 'Exposure')).toBe(-2500);
    const after = await walletOf(site, token);
    expect(after.exposure).toBe(2500);
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(after.currentBalance);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
    await seen(slipOf(page), 'Your slip is empty');
    // The bet is in Current Bet, too.
    await go(page, '/unsettled-bet');
    await seen(
      page.getByRole('table', { name: 'Current Bet' }),
      /Ann Archer v Ben Baker[\s\S]*Ann Archer[\s\S]*Back[\s\S]*2\.00[\s\S]*25\.00[\s\S]*Matched/,
    );
  });

  it('a lay at a price nobody takes waits, is edited and cancelled', async () => {
    await openMatch(page, made);
    await seen(priceOf(page, 'Match Odds', 'Lay', 'Ann Archer'), '2.20');
    await priceOf(page, 'Match Odds', 'Lay', 'Ann Archer').click();
    await oddsBox(page).fill('1.5');
    await oddsBox(page).blur();
    expect(await oddsBox(page).inputValue()).toBe('1.50');
    await slipOf(page).getByRole('button', { name: 'Raise odds' }).click();
    expect(await oddsBox(page).inputValue()).toBe('1.51');
    await stakeBox(page).fill('10');
    await seen(slipOf(page), /Liability\s*-5\.10/);
    await placeNow(page);
    await seen(slipOf(page), /Waiting at 1\.51/);
    const unmatched = page.getByRole('region', { name: 'Unmatched bets' });
    await seen(unmatched, /Ann Archer[\s\S]*1\.51\s*10/);

    await unmatched.getByRole('button', { name: 'Edit' }).click();
    const edit = page.locator('.betting__edit');
    await edit.getByLabel('Odds', { exact: true }).fill('1.6');
    await edit.getByLabel('Stake', { exact: true }).fill('8');
    await edit.getByRole('button', { name: 'Change bet' }).click();
    await seen(unmatched, /Ann Archer[\s\S]*1\.60\s*8/);
    const open = (await betsOf(site, token, `&betPlaced.matchId=eq${made.matchId}`)).filter((bet) => bet.remaining > 0);
    expect(open.map((bet) => [bet.odds, bet.remaining])).toEqual([[160, 800]]);

    await unmatched.getByRole('button', { name: 'Cancel bet on Ann Archer' }).click();
    await expect.poll(() => unmatched.count()).toBe(0);
    expect((await betsOf(site, token)).filter((bet) => bet.remaining > 0)).toEqual([]);
  });

  it('a bet larger than the offer is matched in part; bob takes the rest', async () => {
    await openMatch(page, made);
    await seen(priceOf(page, 'Match Odds', 'Back', 'Ann Archer'), /2\.00\s*25/);
    await priceOf(page, 'Match Odds', 'Back', 'Ann Archer').click();
    await stakeBox(page).fill('40');
    await placeNow(page);
    await seen(slipOf(page), /25\.00 of 40\.00 matched at 2\.00\./);
    await seen(page.getByRole('region', { name: 'Unmatched bets' }), /25 of 40 matched/);
    await placeByCall(site, bob, made, made.runnerIds[0]!, 'LAY', 200, 1500);
    await seen(slipOf(page), /Matched at 2\.00, 40\.00\./);
    await expect.poll(() => page.getByRole('region', { name: 'Unmatched bets' }).count()).toBe(0);
  });

  it('cancel all takes every waiting bet of the match out, and no matched one', async () => {
    await openMatch(page, made);
    for (const odd of [400, 500, 600]) await placeByCall(site, token, made, made.runnerIds[1]!, 'BACK', odd, 300);
    const unmatched = page.getByRole('region', { name: 'Unmatched bets' });
    await expect.poll(() => unmatched.locator('.bets__bet').count()).toBe(3);
    await unmatched.getByRole('button', { name: 'Cancel all' }).click();
    await expect.poll(() => unmatched.count()).toBe(0);
    await seen(page.locator('.toast__toast, [role=status]'), /3 bets cancelled/);
    const bets = await betsOf(site, token, `&betPlaced.matchId=eq${made.matchId}`);
    expect(bets.filter((bet) => bet.remaining > 0)).toEqual([]);
    expect(bets.filter((bet) => bet.matched > 0 && bet.cancelled === 0).length).toBe(2);
  });

  it('cash out asks once, then brings every result to the same figure', async () => {
    // Alice stands at +65 / -65; bob backs at 1.50, so that a lay takes a profit: 21.67 less 2 % commission.
    await placeByCall(site, bob, made, made.runnerIds[0]!, 'BACK', 150, 20_000);
    await openMatch(page, made);
    const button = market(page, 'Match Odds').locator('button.cash-out__button');
    await seen(button, /Cash out\s*\+21\.2/);
    await button.click();
    await seen(button, /Take\s*\+21\.2\d\?/);
    expect(
      (await betsOf(site, token, `&betPlaced.matchId=eq${made.matchId}`)).filter(
        (bet) => bet.betType === 'LAY' && bet.matched > 0,
      ),
    ).toEqual([]);
    await button.click();
    await seen(page.locator('.toast__toast'), /Cashed out \+21\.2/);
    const nets = async () => {
      const { data } = await site.call<Array<{ betId: number; runners: Array<{ net: number }> }>>(
        'GET',
        `/bet/positions?matchId=${made.matchId}`,
        token,
      );
      return data.find((one) => one.betId === made.betId)!.runners.map((runner) => runner.net);
    };
    const [a, b] = await nets();
    expect(Math.abs(a! - b!)).toBeLessThanOrEqual(2);
    expect(a).toBeGreaterThan(2100);
    await expect.poll(() => headerFigure(page, 'Exposure')).toBe(0);
  });

  it('a declared result reaches the statement, with the bets behind its row', async () => {
    await openMatch(page, made);
    const before = await walletOf(site, token);
    await site.operator('/market/declare', {
      betId: made.betId,
      result: { kind: 'winners', runnerIds: [made.runnerIds[1]] },
    });
    await seen(market(page, 'Match Odds'), /Winner/);
    const after = await walletOf(site, token);
    expect(after.currentBalance).toBeGreaterThan(before.currentBalance);
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(after.currentBalance);
    await seen(myBets(page), /No open bets/);

    await go(page, '/account-statement');
    const table = page.getByRole('table', { name: 'Account Statement' });
    const rows = table.getByRole('row').filter({ hasText: 'Ann Archer v Ben Baker' });
    await seen(rows.first(), /commission 2 %[\s\S]*-0\.4/);
    const row = rows.nth(1);
    await seen(row, /Win[\s\S]*\+2\d\.\d\d/);
    await row.getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await seen(dialog, /Ann Archer[\s\S]*Back[\s\S]*2\.00[\s\S]*25\.00[\s\S]*-25\.00/);
    await seen(dialog, /Lay[\s\S]*1\.50/);
    expect(await dialog.getByRole('row').count()).toBeGreaterThanOrEqual(4);
    // On a phone it fills the window, from edge to edge.
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => dialog.boundingBox()).toMatchObject({ x: 0, width: 390 });
    await page.setViewportSize(wide);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });
});

describe('the statement', () => {
  it('[REP-01] [REP-02] fifteen rows a page, newest first, by type and by word', async () => {
    const asked: URL[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/transaction/get/')) asked.push(new URL(request.url()));
    });
    for (let n = 0; n < 18; n++)
      await site.operator('/player/credit', { userName: 'alice', amountMinor: 100 + n, reason: `Gift number ${n}` });
    await go(page, '/home');
    await go(page, '/account-statement');
    const table = page.getByRole('table', { name: 'Account Statement' });
    const rows = table.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(15);
    await seen(rows.first(), /\+1\.17/);
    expect(asked.some((url) => url.searchParams.get('page') === '1' && url.searchParams.get('limit') === '15')).toBe(
      true,
    );
    await page.getByRole('button', { name: /next/i }).click();
    await seen(rows.first(), /\+1\.02/);
    await page.getByRole('form', { name: 'Filter' }).getByLabel('Account').selectOption({ label: 'Sport' });
    await page.getByRole('button', { name: 'Apply' }).click();
    await seen(rows.first(), /Ann Archer v Ben Baker/);
    expect(await rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => rows.count()).toBe(15);
    await page.getByRole('form', { name: 'Filter' }).getByLabel('Search').fill('Baker');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(asked.at(-1)!.searchParams.get('searchBy')).toBe('description');
    expect(asked.at(-1)!.searchParams.get('keyword')).toBe('Baker');
  });
});

describe('what stands in the way of a bet', () => {
  let made: Made;
  beforeAll(async () => {
    made = await addMatch(site, 'Cara Cole v Dina Dean', ['Cara Cole', 'Dina Dean']);
    await quote(site, made.betId, made.runnerIds[0]!, [[200, 10_000_000]], [[204, 10_000_000]]);
    await quote(site, made.betId, made.runnerIds[1]!, [[196, 10_000_000]], [[200, 10_000_000]]);
  });

  it('a suspended market is veiled at once and takes no press; the slip says so; it opens again', async () => {
    await openMatch(page, made);
    const cell = priceOf(page, 'Match Odds', 'Back', 'Cara Cole');
    await cell.click();
    await stakeBox(page).fill('10');
    const place = slipOf(page).locator('button[type=submit]');
    await seen(place, 'Place back 10');
    await site.operator('/market/suspend', { betId: made.betId, reason: 'Checking a fact' });
    await seen(market(page, 'Match Odds').locator('.veil__veil').first(), 'Suspended', 2000);
    await seen(market(page, 'Match Odds'), 'Checking a fact');
    await seen(place, 'Market suspended');
    await expect.poll(() => place.isDisabled()).toBe(true);
    await expect.poll(() => cell.getAttribute('aria-disabled')).toBe('true');
    // No side's colour shines through the veil.
    await expect.poll(() => cell.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    await site.operator('/market/resume', { betId: made.betId, reason: 'All is well' });
    await expect.poll(() => market(page, 'Match Odds').locator('.veil__veil').count()).toBe(0);
    await seen(place, 'Place back 10');
    expect(await stakeBox(page).inputValue()).toBe('10');
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('a stake over the limit is refused before it is sent', async () => {
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Back', 'Cara Cole').click();
    await stakeBox(page).fill('6000');
    await seen(slipOf(page), 'The largest stake here is 5,000.00.');
    expect(await slipOf(page).locator('button[type=submit]').isDisabled()).toBe(true);
    await stakeBox(page).fill('0.5');
    await seen(slipOf(page), 'The smallest stake here is 1.00.');
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('[CAR-19] [ERR-11] a bet the balance does not cover is refused by the server; its words and the stake stay in the slip', async () => {
    // A bet that waits there counts in ways only the server reckons: the slip says what is missing and lets it decide.
    const waiting = await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 90_000, 100);
    const bets = (await betsOf(site, token)).length;
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Lay', 'Cara Cole').click();
    await oddsBox(page).fill('9.8');
    await oddsBox(page).blur();
    await stakeBox(page).fill('5000');
    await seen(slipOf(page), /Not enough balance\. This bet needs 44,000\.00; you have [\d,.]+\./);
    await placeNow(page);
    await seen(slipOf(page), 'Your available balance does not cover this bet.');
    await holds(2000, async () =>
      expect((await slipOf(page).allInnerTexts()).join(' ')).toContain(
        'Your available balance does not cover this bet.',
      ),
    );
    expect(await stakeBox(page).inputValue()).toBe('5000');
    expect((await betsOf(site, token)).length).toBe(bets);
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
    await site.call('POST', '/bet/cancel', token, { key: crypto.randomUUID(), id: waiting.id });
  });
});

describe('prices of the house', () => {
  it('a bookmaker bet is taken whole at the price shown', async () => {
    const { match, market: book, runner } = await findQuote(['bookmaker'], false);
    await go(page, `/game-detail/cricket/${match.id}`);
    await priceOf(page, 'Bookmaker', 'Back', runner.name).waitFor();
    await priceOf(page, 'Bookmaker', 'Back', runner.name).click();
    await stakeBox(page).fill('12');
    await takeQuote(page);
    await seen(slipOf(page), new RegExp(`Bet placed: ${runner.name} [\\d.]+, 12\\.00\\.`));
    const [bet] = await betsOf(site, token, `&betId=eq${book.id}`);
    expect(bet).toMatchObject({
      betType: 'BACK',
      marketType: 'bookmaker',
      amount: 1200,
      matched: 1200,
      lossAmount: 1200,
    });
    expect(bet!.winAmount).toBe(Math.round((1200 * bet!.odds) / 100));
    const sign = (minor: number) => `\\${minor < 0 ? '-' : '+'}${(Math.abs(minor) / 100).toFixed(2)}`;
    await seen(
      market(page, 'Bookmaker'),
      new RegExp(`${runner.name}[\\s\\S]*${sign(bet!.winAmount)}[\\s\\S]*${sign(-1200)}`),
    );
    await seen(myBets(page), new RegExp(`${runner.name}[\\s\\S]*${bet!.odds}\\s*12`));
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
  });

  it('[FAN-02] [FAN-03] a session bet shows its max loss and its run ladder', async () => {
    const { match, market: session } = await findQuote(['session'], true);
    await go(page, `/game-detail/cricket/${match.id}`);
    const row = page
      .locator('.fancy-market__line')
      .filter({ has: page.locator(`.fancy-market__name[title="${session.name}"]`) });
    await row.waitFor();
    // Between two balls prices are covered: the first moment they are not is taken, and another where they were just covered.
    const yes = row.locator(`button.price__back:not([aria-disabled])`);
    const inSlip = slipOf(page).getByText(session.name).first();
    await until('the session in the slip', async () => {
      await yes.click({ timeout: 60_000 });
      return inSlip.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    });
    await stakeBox(page).fill('10');
    await takeQuote(page);
    await expect.poll(async () => (await betsOf(site, token, `&betId=eq${session.id}`)).length).toBe(1);
    const [bet] = await betsOf(site, token, `&betId=eq${session.id}`);
    expect(bet).toMatchObject({ betType: 'YES', amount: 1000 });
    await seen(row, /Max loss\s*-10/);
    const asked = page.waitForRequest((request) => /run-amount|session\/profitLoss/.test(request.url()));
    await row.getByRole('button', { name: `Run ladder for ${session.name}` }).click();
    expect(new URL((await asked).url()).searchParams.get('matchId')).toBe(String(match.id));
    const ladder = page.locator('.fancy-market__runs');
    await seen(ladder, '1 bet');
    const lines = await ladder.locator('tbody tr').allInnerTexts();
    const losing = lines.filter((line) => line.includes('\u221210'));
    const winning = lines.filter((line) => line.includes('+'));
    expect(losing.length).toBeGreaterThan(0);
    expect(winning.length).toBeGreaterThan(0);
    expect(losing.some((line) => line.includes(String(bet!.line! - 1)))).toBe(true);
    expect(winning.some((line) => line.includes(String(bet!.line)))).toBe(true);
    expect(await ladder.locator('tr.fancy-market__flip').count()).toBe(1);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
  });

  it('a price that moves while the slip is open is asked about, with the new profit', async () => {
    const { match, market: book, runner } = await findQuote(['bookmaker'], false);
    await go(page, `/game-detail/cricket/${match.id}`);
    const cell = priceOf(page, 'Bookmaker', 'Back', runner.name);
    await cell.waitFor();
    await cell.click();
    await stakeBox(page).fill('10');
    await quote(site, book.id, runner.id, [[33, 100_000]], [[35, 100_000]]);
    await seen(slipOf(page), /Price moved from \d+ to 33\.[\s\S]*Profit is now \+3\.30/);
    await slipOf(page).getByRole('button', { name: 'Accept' }).click();
    await seen(slipOf(page), /Profit if[^\n]*\s*\+3\.30/);
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('a price that moves while the bet is on its way is not taken: the slip asks, and keeps the stake', async () => {
    const { match, market: book, runner } = await findQuote(['bookmaker'], false);
    const before = (await betsOf(site, token, `&betId=eq${book.id}`)).length;
    await go(page, `/game-detail/cricket/${match.id}`);
    const cell = priceOf(page, 'Bookmaker', 'Back', runner.name);
    await cell.waitFor();
    await cell.click();
    await stakeBox(page).fill('10');
    await page.route('**/api/placeBet', async (route) => {
      await quote(site, book.id, runner.id, [[21, 100_000]], [[23, 100_000]]);
      await route.continue();
    });
    await placeNow(page);
    await seen(slipOf(page), /Price moved from \d+ to 21/);
    await page.unroute('**/api/placeBet');
    expect(await stakeBox(page).inputValue()).toBe('10');
    expect((await betsOf(site, token, `&betId=eq${book.id}`)).length).toBe(before);
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('a race bet at the best price is matched', async () => {
    const race = (await listed(site, token)).filter(
      (one) => one.matchType === 'horseRacing' && one.head?.status === 'OPEN' && !one.inPlay,
    )[3]!;
    await go(page, `/race/${race.id}`);
    const cell = page
      .locator('.race-parts__runner .price__back:not(.price__cell2):not(.price__cell3):not(.price__empty)')
      .nth(1);
    await cell.waitFor();
    const name = /^Back (.*) at /.exec((await cell.getAttribute('aria-label'))!)![1]!;
    await cell.click();
    await stakeBox(page).fill('5');
    await placeNow(page);
    await seen(slipOf(page), /(Matched at|of 5\.00 matched at|Waiting at)/);
    await seen(myBets(page), name);
    await seen(page.locator('.race-parts__runner').filter({ hasText: name }), /[+-]\d/);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
  });
});

describe('between races', () => {
  it('the market chosen on one card is not taken to the next', async () => {
    const races = (await listed(site, token)).filter(
      (one) => one.matchType === 'horseRacing' && one.head?.status === 'OPEN' && !one.inPlay,
    );
    const names = page.locator('.race-parts__name');
    // Both are read once, so that the way back and forth is from memory.
    for (const race of [races[4]!, races[5]!, races[4]!]) {
      await go(page, `/race/${race.id}`);
      await page.locator('.race-parts__runner .price__cell:not(.price__empty)').first().waitFor();
    }
    await page.getByRole('tab', { name: 'To Be Placed' }).click();
    const before = await names.allTextContents();
    await go(page, `/race/${races[5]!.id}`);
    await expect.poll(() => names.allTextContents()).not.toEqual(before);
    await expect
      .poll(() => page.locator('.race-parts__runner .price__cell:not(.price__empty)').count())
      .toBeGreaterThan(6);
  });
});

describe('on a phone', () => {
  it('the slip opens under the tapped row and places', async () => {
    const made = await addMatch(site, 'Eve East v Fay Fox', ['Eve East', 'Fay Fox']);
    await quote(site, made.betId, made.runnerIds[0]!, [[300, 50_000]], [[310, 50_000]]);
    const { page, context, errors } = await signedIn(browser, site, 'bob', {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    });
    await openMatch(page, made);
    const cell = priceOf(page, 'Match Odds', 'Lay', 'Eve East');
    // In Firefox the driver has no finger.
    await (IN_FIREFOX ? cell.click() : cell.tap());
    const inline = market(page, 'Match Odds').locator('.slip__inline');
    await inline.waitFor();
    const row = (await market(page, 'Match Odds').locator('.market-table__line').first().boundingBox())!;
    const box = (await inline.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(row.y + row.height - 1);
    expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width);
    await stakeBox(page).fill('10');
    await placeNow(page);
    await seen(inline, /Matched at 3\.10, 10\.00\./);
    expect(errors).toEqual([]);
    await context.close();
  });
});

/** A house-quoted cricket market with a price to back, of a match in play or not. */
async function findQuote(kinds: string[], inPlay: boolean) {
  return until(
    `No open ${kinds.join(', ')} with a price`,
    async () => {
      for (const match of await listed(site, token)) {
        if (match.matchType !== 'cricket' || match.inPlay !== inPlay || !match.isBookmaker) continue;
        const details = await matchOf(site, token, match.id);
        for (const one of details.markets) {
          const runner = one.runners.find((at) => at.status === 'ACTIVE' && at.back.length > 0);
          if (kinds.includes(one.kind) && one.status === 'OPEN' && runner) return { match, market: one, runner };
        }
      }
      return null;
    },
    { every: 1000 },
  );
}

/** Presses what the slip offers until the house has taken the bet: a moved price is accepted, a covered one waited out. */
async function takeQuote(page: Page): Promise<void> {
  const slip = slipOf(page);
  let text = '';
  await until(
    () => `The house did not take the bet: ${text}`,
    async () => {
      text = (await slip.allInnerTexts()).join(' ');
      if (/Bet placed|Waiting \d+ second/.test(text)) return true;
      const accept = slip.getByRole('button', { name: 'Accept' });
      const act = slip.getByRole('button', { name: /^(Place|Confirm) (back|lay|yes|no)/ });
      if ((await accept.count()) > 0) await accept.click({ timeout: 1000 }).catch(() => undefined);
      else if ((await act.count()) > 0 && (await act.isEnabled()))
        await act.click({ timeout: 1000 }).catch(() => undefined);
      return false;
    },
    { timeout: 60_000 },
  );
}
