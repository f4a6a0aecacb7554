import type { PlacedBet } from '@fairgame/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, PHONE, type Visit } from './browser.ts';
import { go, signedIn, tokenOf } from './play.ts';
import { type Site, startSite } from './site.ts';

/** One table of each family, from the lobby's tile to a settled bet and a round checked in the browser. */
let site: Site;
let browser: Browser;
let alice: Visit;
let token: string;

beforeAll(async () => {
  // Rounds at five times their pace; the rules of betting and its last three seconds shrink with them.
  site = await startSite({ FAIRGAME_CARD_SPEED: '5' });
  browser = await launch();
  token = await tokenOf(site, 'alice');
  alice = await signedIn(browser, site, 'alice');
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

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
    bet: /Yes: one of them comes/,
    ranks: ['A', '7', 'K'],
  },
  {
    family: 'judgement, against',
    tile: '3 Cards Judgement',
    path: '/3cardj',
    bet: /No: none comes/,
    ranks: ['2', '3', '4'],
  },
  { family: 'worli', tile: 'Instant Worli', path: '/worli2', bet: /^Back 7 Single at/ },
  { family: 'meter', tile: 'Casino Meter', path: '/cmeter', bet: /^Back Low at/ },
  { family: 'war', tile: 'Casino War', path: '/war', bet: /^Back Winner 1 at/ },
  { family: 'race', tile: 'Race 20-20', path: '/race20', bet: /^No Total Point at/ },
  { family: 'queen', tile: 'Casino Queen', path: '/queen', bet: /^Back Total 3 at/ },
  { family: 'overs', tile: 'Super Over', path: '/superover', bet: /^Yes Common Wicket at/ },
  { family: 'cricket balls', tile: '20-20 Cricket Match', path: '/cmatch20', bet: /^Back Run 6 at/ },
];

describe('card tables', () => {
  it.each(FAMILIES)(
    '[CAS-01] [CAS-04] [CAS-05] [CAS-14] [REP-19] plays $family from the lobby to a checked round',
    async ({ tile, path, bet, ranks }) => {
      const { page, errors } = alice;
      await go(page, '/casino');
      await page.locator(`a.tile[href="${path}"]`, { hasText: tile }).click();
      await page.waitForURL(`**${path}`);
      const placed = await placeBet(page, bet, ranks);
      expect(placed.status).toBe('COMPLETE');
      expect(placed.marketBetType).toBe('CARD');

      // Its round is dealt, shown, and the bet settled.
      const settled = await settledBet(placed);
      expect(settled.profitLoss === 0 ? 'TIE' : settled.profitLoss > 0 ? 'WIN' : 'LOSS').toBe(settled.result);

      // And anybody can deal it again.
      await page.getByRole('button', { name: 'Rounds of this table' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row').nth(1).getByRole('button').click();
      await dialog.getByRole('button', { name: 'Verify in this browser' }).click();
      await dialog.getByText('This round was dealt as promised.').waitFor();
      await page.keyboard.press('Escape');
      expect(errors).toEqual([]);
    },
  );

  it('[CAS-13] [CAS-15] [CAS-17] [SOC-06] plays on a phone: banners, the casino stakes in the sheet, my bets of the round', async () => {
    const { page, context } = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true });
    try {
      await go(page, '/casino');
      await page.locator('.banner').first().waitFor();
      expect(await page.locator('.banner').count()).toBe(4);
      await go(page, '/lucky7eu');
      await waitOpen(page);
      await page.getByRole('button', { name: /^Back Red at/ }).click();
      const buttons = page.getByRole('group', { name: 'Stake buttons' }).getByRole('button');
      await buttons.first().waitFor();
      const stakes = await buttons.allTextContents();
      const { data } = await site.call<Array<{ value: string }>>(
        'GET',
        '/button?type=Casino',
        await tokenOf(site, 'bob'),
      );
      expect(stakes).toEqual(Object.keys(JSON.parse(data[0]!.value) as object));
      expect(await page.locator('.pt__foot .res').count()).toBeLessThanOrEqual(10);
    } finally {
      await context.close();
    }
  });

  it('places a bet by the keyboard alone', async () => {
    const { page, context } = await signedIn(browser, site, 'bob');
    try {
      await go(page, '/dt20');
      await waitOpen(page);
      await page.getByRole('button', { name: /^Back Tiger at/ }).focus();
      await page.keyboard.press('Enter');
      const stake = page.getByLabel('Stake', { exact: true });
      await stake.waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Stake');
      await page.keyboard.type('2');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Confirm back 2/ }).waitFor();
      await page.keyboard.press('Enter');
      await page
        .locator('.slip')
        .getByText(/^Bet placed/)
        .waitFor();
    } finally {
      await context.close();
    }
  });
});

const waitOpen = (page: Page, moreThanS = 2): Promise<unknown> =>
  page.waitForFunction((least) => {
    const felt = document.querySelector('.felt[data-phase="OPEN"]');
    return (
      felt &&
      Number(felt.querySelector('.ring__v b')?.textContent ?? 0) > least &&
      !document.querySelector('.felt .dc .card')
    );
  }, moreThanS);

/** Presses a price while a first window is open, with a stake of 1 or 2, and answers what the server took. */
async function placeBet(page: Page, bet: RegExp, ranks: string[] = []): Promise<PlacedBet> {
  for (const rank of ranks) await page.getByRole('button', { name: rank, exact: true }).click();
  for (let attempt = 0; ; attempt++) {
    await waitOpen(page, 1);
    try {
      await page.getByRole('button', { name: bet }).first().click({ timeout: 1500 });
      await page
        .getByLabel(/^Stake/)
        .first()
        .fill('1', { timeout: 1500 });
      await page.getByRole('button', { name: /^Place / }).click({ timeout: 1500 });
      const answered = page.waitForResponse((response) => response.url().includes('/bet/cardBetting'), {
        timeout: 3000,
      });
      await page.getByRole('button', { name: /^Confirm / }).click({ timeout: 1500 });
      const answer = (await (await answered).json()) as {
        statusCode: number;
        message?: string;
        data: { bet: PlacedBet };
      };
      if (answer.statusCode === 200) return answer.data.bet;
      if (attempt >= 4) throw new Error(answer.message);
    } catch (error) {
      // The round went on under the press: the next one is as good.
      if (attempt >= 4) throw error;
    }
  }
}

async function settledBet(placed: PlacedBet): Promise<PlacedBet> {
  return expect
    .poll(
      async () => {
        const { data } = await site.call<{ rows: PlacedBet[] }>('GET', `/bet?betId=eq${placed.betId}`, token);
        return data.rows.find((row) => row.id === placed.id && row.result !== 'PENDING');
      },
      { timeout: 60_000, interval: 300 },
    )
    .toBeTruthy()
    .then(async () => {
      const { data } = await site.call<{ rows: PlacedBet[] }>('GET', `/bet?betId=eq${placed.betId}`, token);
      return data.rows.find((row) => row.id === placed.id)!;
    });
}
