import type { PlacedBet } from '@fairgame/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, launch, PHONE, type Visit } from './browser.ts';
import { go, signedIn, tokenOf } from './play.ts';
import { again } from './second-try.ts';
import { type Site, startSite } from './site.ts';
import { until } from './wait.ts';

/** One table of each family, from the lobby's tile to a settled bet and a round checked in the browser. */
let site: Site;
let browser: Browser;
/** A round takes its time whoever looks: two players are at tables at once, each in a browser of his own. */
const seats: Seat[] = [];
interface Seat {
  userName: 'alice' | 'bob';
  visit: Visit;
  token: string;
}

beforeAll(async () => {
  // Rounds at five times their pace; the rules of betting and its last three seconds shrink with them.
  [site, browser] = await Promise.all([startSite({ FAIRGAME_CARD_SPEED: '5' }), launch()]);
  for (const userName of ['alice', 'bob'] as const) {
    const visit = await signedIn(browser, site, userName);
    seats.push({ userName, visit, token: await tokenOf(site, userName) });
  }
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** Plays on a seat that is free; one on which it failed is made anew for whoever comes next. */
async function seated(play: (seat: Seat) => Promise<void>): Promise<void> {
  const seat = await until('no seat is free', () => seats.pop(), { timeout: 100_000 });
  try {
    await play(seat);
  } catch (error) {
    seat.visit = await again(seat.visit, site, seat.userName);
    throw error;
  } finally {
    seats.push(seat);
  }
}

const FAMILIES: ReadonlyArray<{ family: string; tile: string; path: string; bet: RegExp; ranks?: string[] }> = [
  { family: 'teenpatti', tile: '20-20 Teenpatti', path: '/teen20', bet: /^Back Player A at/ },
  { family: 'dragon tiger', tile: '20-20 Dragon Tiger', path: '/dt20', bet: /^Back Dragon at/ },
  { family: 'baccarat', tile: 'Baccarat', path: '/baccarat', bet: /^Back Banker at/ },
  { family: 'poker', tile: '20-20 Poker', path: '/poker20', bet: /^Back .*One Pair.* at/ },
  { family: 'andar bahar', tile: 'Andar Bahar 2', path: '/abj2', bet: /^Back Joker Odd at/ },
  { family: 'lucky 7', tile: 'Lucky 7 A', path: '/lucky7-A', bet: /^Back Low Card at/ },
  { family: 'bollywood', tile: 'Amar Akbar Anthony', path: '/aaa', bet: /^Lay Amar at/ },
  { family: '32 cards', tile: '32 Cards B', path: '/32cards-B', bet: /^Back Player 8 Odd at/ },
  {
    family: 'judgement',
    tile: '3 Cards Judgement',
    path: '/3cardj',
    bet: /^Back Yes at/,
    ranks: ['A', '7', 'K'],
  },
  {
    family: 'judgement, against',
    tile: '3 Cards Judgement',
    path: '/3cardj',
    bet: /^Lay No at/,
    ranks: ['2', '3', '4'],
  },
  { family: 'worli', tile: 'Instant Worli', path: '/worli2', bet: /^Back 7 Single at/ },
  { family: 'meter', tile: 'Casino Meter', path: '/cmeter', bet: /^Back Low at/ },
  { family: 'war', tile: 'Casino War', path: '/war', bet: /^Back Winner 1 at/ },
  { family: 'race', tile: 'Race 20-20', path: '/race20', bet: /^No Total Point at/ },
  { family: 'queen', tile: 'Casino Queen', path: '/queen', bet: /^Back Total 3 at/ },
  { family: 'overs', tile: 'Super Over', path: '/superover', bet: /^Yes Common Wicket at/ },
  { family: 'cricket balls', tile: '20-20 Cricket Match', path: '/cmatch20', bet: /^Back Run 6 at/ },
  { family: 'matka, chosen digits', tile: 'Worli Matka', path: '/casino/worli', bet: /^Back SP at/, ranks: ['6'] },
];

describe('card tables', () => {
  it.concurrent.each(FAMILIES)(
    '[CAS-01] [CAS-04] [CAS-05] [CAS-14] [REP-19] plays $family from the lobby to a checked round',
    (family) =>
      seated(async ({ visit: { page, errors }, token }) => {
        const { tile, path, bet, ranks } = family;
        await go(page, '/casino');
        await page.locator(`a.market__tile[href="${path}"]`, { hasText: tile }).click();
        await page.waitForURL(`**${path}`);
        const placed = await placeBet(page, bet, ranks);
        expect(placed.status).toBe('COMPLETE');
        expect(placed.marketBetType).toBe('CARD');

        // Its round is dealt, shown, and the bet settled.
        const settled = await settledBet(placed, token);
        expect(settled.profitLoss === 0 ? 'TIE' : settled.profitLoss > 0 ? 'WIN' : 'LOSS').toBe(settled.result);

        // And anybody can deal it again.
        await page.getByRole('button', { name: 'Rounds of this table' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('row').nth(1).getByRole('button').click();
        await dialog.getByRole('button', { name: 'Verify in this browser' }).click();
        await dialog.getByText('This round was dealt as promised.').waitFor();
        await page.keyboard.press('Escape');
        // A bet that came after the end of its window was refused, and the browser says so: not an error of the page.
        expect(errors.splice(0).filter((text) => !/status of 4\d\d .*\/bet\/cardBetting/.test(text))).toEqual([]);
      }),
  );

  it('[CAS-13] [CAS-15] [CAS-17] [SOC-06] plays on a phone: banners, the casino stakes as chips, cards, countdown and bets on one screen', async () => {
    const { page, context } = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true });
    try {
      await go(page, '/casino');
      await page.locator('.lobby__banner').first().waitFor();
      expect(await page.locator('.lobby__banner').count()).toBe(4);
      await go(page, '/teen20');
      await waitOpen(page);
      const chips = page.getByRole('group', { name: 'Stake buttons' }).getByRole('button');
      const { data } = await site.call<Array<{ value: string }>>(
        'GET',
        '/button?type=Casino',
        await tokenOf(site, 'bob'),
      );
      expect(await chips.allTextContents()).toEqual(Object.keys(JSON.parse(data[0]!.value) as object));
      expect(await page.locator('.felt__foot .results__result').count()).toBeLessThanOrEqual(10);
      // One screen: the countdown, both hands, the main bets and the bar, without a scroll.
      const bar = (await page.locator('.bet-bar__bar').boundingBox())!;
      expect(bar.height).toBeLessThanOrEqual(110);
      for (const one of [
        page.locator('.felt__felt .casino__ring'),
        page.locator('.felt__felt .boards__hand').last(),
        field(page, /^Back Player B at/),
      ]) {
        const box = (await one.first().boundingBox())!;
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
      }
      // A bet moves nothing.
      const row = page.locator('.odds-rows__table .odds-rows__pair');
      const places = () =>
        row.evaluateAll((rows) => (rows as HTMLElement[]).map((one) => [one.offsetTop, one.offsetHeight]));
      const before = await places();
      await field(page, /^Back Player A at/).click();
      await page.getByRole('button', { name: /^Place bet/ }).click();
      await page
        .locator('.bet-bar__said')
        .getByText(/^Bet placed/)
        .waitFor();
      await page.locator('.fields__markOwn').first().waitFor();
      expect(await places()).toEqual(before);
    } finally {
      await context.close();
    }
  });

  it('places bets by the keyboard alone: every field is a stop, arrows go from field to field', async () => {
    const { page, context } = await signedIn(browser, site, 'bob');
    try {
      await go(page, '/lucky7eu');
      await waitOpen(page, 3);
      // 23 bets, and the seven both on the felt and below it.
      const fields = page.locator('[data-field]');
      await expect
        .poll(() => fields.evaluateAll((all) => all.map((one) => (one as HTMLElement).tabIndex)), { timeout: 30_000 })
        .toEqual(Array(24).fill(0));
      await field(page, /^Back Low Card at/).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toMatch(/^Back High Card at/);
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate(() => document.activeElement?.closest('.odds-zones__blocks') !== null)).toBe(true);
      await page.keyboard.press('ArrowUp');
      for (let attempt = 0; ; attempt++) {
        await waitOpen(page, 2);
        await field(page, /^Back High Card at/).focus();
        await page.keyboard.press('Enter');
        const place = page.getByRole('button', { name: /^Place bet/ });
        if (!(await place.isEnabled({ timeout: 1000 }).catch(() => false)) && attempt < 4) continue;
        await place.focus();
        await page.keyboard.press('Enter');
        await page
          .locator('.bp')
          .getByText(/^Bet placed/)
          .waitFor();
        break;
      }
    } finally {
      await context.close();
    }
  });

  it('has the bets with it in full screen', async () => {
    const { page, context } = await signedIn(browser, site, 'bob');
    try {
      await go(page, '/baccarat');
      await waitOpen(page, 1);
      await page.getByRole('button', { name: 'Full screen' }).click();
      const full = page.locator('.table__table:fullscreen');
      await full.waitFor();
      await full.getByRole('group', { name: 'Stake buttons' }).waitFor();
      const bar = (await full.locator('.bet-bar__bar').boundingBox())!;
      expect(bar.y + bar.height).toBeLessThanOrEqual(DESKTOP.height + 1);
      const placed = await placeBet(page, /^Back Banker at/);
      expect(placed.status).toBe('COMPLETE');
      await page.getByRole('button', { name: 'Leave full screen' }).click();
      await expect.poll(() => full.count()).toBe(0);
    } finally {
      await context.close();
    }
  });
});

const field = (page: Page, name: RegExp) => page.locator('[data-table]').getByRole('button', { name }).first();

const waitOpen = (page: Page, moreThanS = 2): Promise<unknown> =>
  page.waitForFunction((least) => {
    const felt = document.querySelector('.felt__felt[data-phase="OPEN"]');
    return (
      felt &&
      Number(felt.querySelector('.casino__ringValue b')?.textContent ?? 0) > least &&
      !document.querySelector('.felt__felt .hand__card .casino__card')
    );
  }, moreThanS);

/** Lays a chip of one while a first window is open, places it, and answers what the server took. */
async function placeBet(page: Page, bet: RegExp, ranks: string[] = []): Promise<PlacedBet> {
  for (const rank of ranks) await page.getByRole('button', { name: rank, exact: true }).first().click();
  for (let attempt = 0; ; attempt++) {
    await waitOpen(page, 1);
    try {
      await page
        .getByLabel('Stake', { exact: true })
        .fill('1', { timeout: 1500 })
        .catch(() => undefined);
      await field(page, bet).click({ timeout: 1500 });
      const answered = page.waitForResponse((response) => response.url().includes('/bet/cardBetting'), {
        timeout: 3000,
      });
      answered.catch(() => undefined);
      await page.getByRole('button', { name: /^Place bet/ }).click({ timeout: 1500 });
      const answer = (await (await answered).json()) as {
        statusCode: number;
        message?: string;
        data: { bet: PlacedBet };
      };
      if (answer.statusCode === 200) return answer.data.bet;
      if (attempt >= 6) throw new Error(answer.message);
    } catch (error) {
      // The round went on under the press: the next one is as good.
      if (attempt >= 6) throw error;
    }
  }
}

/** Its row, once its round has brought it a result. */
const settledBet = (placed: PlacedBet, token: string): Promise<PlacedBet> =>
  until(
    `Bet ${placed.id} was not settled.`,
    async () => {
      const { data } = await site.call<{ rows: PlacedBet[] }>('GET', `/bet?betId=eq${placed.betId}`, token);
      return data.rows.find((row) => row.id === placed.id && row.result !== 'PENDING');
    },
    { timeout: 60_000, every: 300 },
  );
