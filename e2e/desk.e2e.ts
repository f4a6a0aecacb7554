import { describe, expect, it } from 'vitest';
import { bob, browser, page, site, stand, token } from './alice-ground.ts';
import {
  addMatch,
  betsOf,
  go,
  type Made,
  oddsBox,
  placeByCall,
  placeNow,
  priceOf,
  quote,
  signedIn,
  slipOf,
  stakeBox,
  tabBeside,
} from './play.ts';
import { beforeSecondTry } from './second-try.ts';

/** The trader's desk: what the server holds for a bet, lists with columns, keys, and what a window does that is closed meanwhile. */
let made: Made;
let other: Made;
stand({}, async () => {
  made = await addMatch(site, 'Nia Nolan v Ora Olsen', ['Nia Nolan', 'Ora Olsen']);
  other = await addMatch(site, 'Ada Alder v Bea Birch', ['Ada Alder', 'Bea Birch']);
  await market(218, 220);
});
beforeSecondTry(async () => {
  await market(218, 220);
});

const market = (back: number, lay: number) =>
  quote(site, made.betId, made.runnerIds[0]!, [[back, 100_000]], [[lay, 100_000]]);
interface Held {
  id: number;
  kind: string;
  forBet: number | null;
  ticks: number | null;
}
const heldOf = async ({ betId } = made): Promise<Held[]> =>
  (await site.call<Held[]>('GET', `/bet/conditional?betId=${betId}`, token)).data;
const openOf = async ({ betId } = made) =>
  (await betsOf(site, token, `&betId=eq${betId}`)).filter(({ result }) => result === 'PENDING');
/** Nothing waits: no bet, and nothing that the server holds. */
const clear = async () => {
  for (const path of ['/bet/cancelAll', '/bet/conditional/cancel'])
    expect((await site.call('POST', path, token, { key: crypto.randomUUID() })).status).toBe(200);
};

describe('a bet with an offset', () => {
  it('is one call: a tab that dies before it hears the answer leaves both, and the other side follows the match', async () => {
    await clear();
    const tab = await tabBeside(page);
    await tab.goto(site.url + made.path);
    await priceOf(tab, 'Match Odds', 'Back', 'Nia Nolan').click();
    await oddsBox(tab).fill('2.30');
    await stakeBox(tab).fill('10');
    await slipOf(tab).getByLabel('Offset, ticks').fill('3');
    await tab.route('**/api/placeBet', async (route) => {
      await route.fetch();
      await tab.close();
    });
    const closed = tab.waitForEvent('close');
    await placeNow(tab).catch(() => undefined);
    await closed;
    const [bet] = await openOf();
    expect(bet).toMatchObject({ odds: 230, remaining: 1000 });
    expect(await heldOf()).toMatchObject([{ kind: 'OFFSET', forBet: bet!.id, ticks: 3 }]);
    // Another tab shows it, where orders that wait are.
    await go(page, '/unsettled-bet');
    await page.getByText(`3 ticks from bet ${bet!.id}`).first().waitFor();
    // Nobody but her asks for less.
    await market(218, 240);
    await placeByCall(site, bob, made, made.runnerIds[0]!, 'LAY', 230, 1000);
    await expect
      .poll(async () => (await openOf()).map(({ betType, odds }) => [betType, odds]))
      .toContainEqual(['LAY', 224]);
    expect(await heldOf()).toEqual([]);
    await market(218, 220);
  });

  it('a stop that a ladder asked for acts with its window closed', async () => {
    const mine = await addMatch(site, 'Cy Cole v Di Dorn', ['Cy Cole', 'Di Dorn']);
    const offer = (back: number, lay: number) =>
      quote(site, mine.betId, mine.runnerIds[0]!, [[back, 100_000]], [[lay, 100_000]]);
    await offer(218, 220);
    const window = await tabBeside(page);
    await window.goto(`${site.url}/ladder/${mine.betId}?runners=${mine.runnerIds[0]}`);
    const cell = window.getByRole('button', { name: /^Back Cy Cole at 2\.18/ });
    await cell.focus();
    await window.keyboard.press('s');
    const form = window.getByRole('dialog').filter({ has: window.getByRole('button', { name: 'Hold it' }) });
    await form.getByLabel('Price').fill('2.40');
    await form.getByLabel('Stake', { exact: true }).fill('5');
    await form.getByRole('button', { name: 'Hold it' }).click();
    await expect.poll(async () => (await heldOf(mine)).map(({ kind }) => kind)).toEqual(['STOP']);
    await window.close();
    await offer(238, 240);
    await expect
      .poll(async () => (await openOf(mine)).map(({ betType, matched }) => [betType, matched]))
      .toEqual([['LAY', 500]]);
    expect(await heldOf(mine)).toEqual([]);
  });
});

const LONG = ['Nathaniela Montgomery Fitzwilliam', 'Oluwaseun Oyelaran Adebayo'];

describe('a position on a ladder', () => {
  it('is closed by its key, asked once more; the tape tells of both trades, the newest first', async () => {
    const mine = await addMatch(site, LONG.join(' v '), LONG);
    const [first] = mine.runnerIds;
    await quote(site, mine.betId, first!, [[218, 200_000]], [[220, 200_000]]);
    await placeByCall(site, token, mine, first!, 'BACK', 218, 100_000);
    const window = await tabBeside(page);
    await window.goto(`${site.url}/ladder/${mine.betId}?runners=${first}`);
    await window
      .getByRole('button', { name: /^Close/ })
      .and(window.locator(':enabled'))
      .waitFor();
    await window.getByRole('button', { name: new RegExp(`^Back ${LONG[0]} at 2\\.18`) }).focus();
    await window.keyboard.press('h');
    await window.getByRole('button', { name: /^Take/ }).waitFor();
    expect(await openOf(mine)).toHaveLength(1);
    await window.keyboard.press('h');
    // 1,000 x 2.18 / 2.20: the same whoever wins.
    await expect
      .poll(async () => (await openOf(mine)).map(({ betType, odds, matched }) => [betType, odds, matched]))
      .toEqual(expect.arrayContaining([['LAY', 220, 99_091]]));
    await window.goto(`${site.url}/workspace?market=${mine.betId}`);
    // The chart has a tape, too.
    const trades = window.getByRole('region', { name: 'Last trades', exact: true }).first().locator('tbody tr');
    await expect.poll(() => trades.count()).toBe(2);
    expect(await trades.allInnerTexts()).toEqual([
      expect.stringMatching(/2\.20[\s\S]*990\.91/),
      expect.stringMatching(/2\.18[\s\S]*1,000\.00/),
    ]);
    // Beside the chart its sums have room, however long the names are.
    await window.setViewportSize({ width: 768, height: 900 });
    await window.goto(site.url + mine.path);
    const tape = window.getByRole('region', { name: 'Last trades', exact: true });
    await tape.locator('tbody tr').nth(1).waitFor();
    expect(await tape.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await window.close();
  });
});

describe('a list of events', () => {
  const titles = async () => {
    const all = await page
      .locator('.event-list__title')
      .evaluateAll((rows) => rows.map((one) => one.getAttribute('title')));
    return all.filter((title) => title === 'Nia Nolan v Ora Olsen' || title === 'Ada Alder v Bea Birch');
  };
  const columns = () => page.locator('.event-list__event .event-columns__figures');

  it('has the facts that were chosen as columns below heads that order it, and on a phone as words below the names', async () => {
    await addMatch(site, LONG.join(' v '), LONG);
    // So that one has more matched than the other.
    await quote(site, other.betId, other.runnerIds[0]!, [[200, 100_000]], [[202, 100_000]]);
    await placeByCall(site, bob, other, other.runnerIds[0]!, 'BACK', 200, 90_000);
    await page.setViewportSize({ width: 1440, height: 900 });
    await go(page, '/game-list/tennis');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Matched', { exact: true }).check();
    await page.getByLabel('Number of markets').check();
    await page.keyboard.press('Escape');
    const head = page.getByRole('button', { name: 'Matched', exact: true });
    await head.click();
    await expect.poll(titles).toEqual(['Ada Alder v Bea Birch', 'Nia Nolan v Ora Olsen']);
    await head.click();
    await expect.poll(titles).toEqual(['Nia Nolan v Ora Olsen', 'Ada Alder v Bea Birch']);
    // A head and the figures of its column end at one line, in every row.
    const ends = await page
      .locator('.event-columns__matched')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    expect(ends.length).toBeGreaterThan(2);
    expect(ends).toEqual(ends.map(() => ends[0]));
    // No name is cut for them, however long.
    const cut = await page
      .locator('.event-list__title')
      .evaluateAll((all) => all.flatMap((one) => (one.scrollWidth > one.clientWidth + 1 ? [one.textContent] : [])));
    expect(cut).toEqual([]);
    // The words of the same are heard and not seen.
    const words = page.locator('.event-columns__saidFigures').first();
    expect(await words.evaluate((one) => one.getBoundingClientRect().width)).toBeLessThan(2);
    // The address keeps the order, the browser the columns.
    await page.reload();
    await columns().first().waitFor();
    await expect.poll(titles).toEqual(['Nia Nolan v Ora Olsen', 'Ada Alder v Bea Birch']);
    await page.setViewportSize({ width: 390, height: 844 });
    await columns().first().waitFor({ state: 'detached' });
    await page.getByText('Matched 900', { exact: false }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    // On a line of their own, whatever else stands below the names, and uncut on the narrowest phone too.
    await page.setViewportSize({ width: 320, height: 700 });
    const figuresSeen = await page.locator('.event-columns__saidFigures').evaluateAll((all) =>
      all.map((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        const around = one.parentElement!.getBoundingClientRect();
        const { left, right } = words.getBoundingClientRect();
        return left - around.left < 1 && right <= around.right && around.right <= innerWidth;
      }),
    );
    expect(new Set(figuresSeen)).toEqual(new Set([true]));
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('is narrowed by the filter, says how many choices do so, and shows all again', async () => {
    await go(page, '/game-list/tennis');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Starts').selectOption({ label: 'In the next 3 hours' });
    await expect.poll(titles).toEqual([]);
    expect(new URL(page.url()).searchParams.get('time')).toBe('3h');
    await page.getByRole('button', { name: 'Filter (1)' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(async () => (await titles()).length).toBe(2);
  });
});

describe('keys', () => {
  it('stand on a sheet that ? opens; one that is changed there does its deed, also after a reload', async () => {
    await go(page, '/home');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.getByLabel('Alerts').press('q');
    await expect.poll(() => sheet.getByLabel('Alerts').inputValue()).toBe('Q');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.locator('.header__header').waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('q');
        return new URL(page.url()).pathname;
      })
      .toBe('/alerts');
  });
});

describe('a workspace on a phone', () => {
  it('is a deck of its parts: each as wide as the screen, one at a time, and the page itself stays', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: { width: 390, height: 844 }, hasTouch: true });
    await phone.page.goto(`${site.url}/workspace?market=${made.betId}`);
    const parts = phone.page.locator('[data-pane]');
    await parts.nth(2).waitFor({ state: 'attached' });
    const inSight = () =>
      parts.evaluateAll((all) =>
        all.flatMap((one, at) => {
          const { left, right } = one.getBoundingClientRect();
          return Math.min(right, innerWidth) - Math.max(left, 0) > innerWidth / 2 ? [at] : [];
        }),
      );
    expect(await inSight()).toEqual([0]);
    await parts.nth(1).evaluate((one) => one.scrollIntoView({ inline: 'start', behavior: 'instant' }));
    await expect.poll(inSight).toEqual([1]);
    expect(await phone.page.evaluate(() => [scrollX, document.documentElement.scrollWidth - innerWidth])).toEqual([
      0, 0,
    ]);
    await phone.context.close();
  });
});
