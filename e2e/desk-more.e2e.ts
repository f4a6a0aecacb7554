import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { alice, bob, browser, page, site, stand, token } from './alice-ground.ts';
import { PHONE } from './browser.ts';
import {
  addMatch,
  betsOf,
  go,
  type ListedMatch,
  type Made,
  market,
  openMatch,
  placeByCall,
  priceOf,
  quote,
  seen,
  signedIn,
  slipOf,
  stakeBox,
} from './play.ts';

/** What a trader has beside his ladders: stakes that are worked out, several bets at once, quiet hours, the chart, desks made ready. */
stand({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '11' });

/** A match of its own with one price for each side of each runner. */
async function matchOf(title: string, names: string[], prices: Array<[number, number]>): Promise<Made> {
  const made = await addMatch(site, title, names);
  for (const [at, [back, lay]] of prices.entries())
    await quote(site, made.betId, made.runnerIds[at]!, [[back, 100_000]], [[lay, 100_000]]);
  return made;
}
const placed = async ({ betId }: Made, of = token) =>
  (await betsOf(site, of, `&betId=eq${betId}`)).map(({ betType, odds, amount }) => [betType, odds, amount]).reverse();

describe('stake templates', () => {
  it('are made at the slip and worked out at its price: a share of the balance, a liability, a profit', async () => {
    const made = await matchOf(
      'Abe Ash v Ben Beck',
      ['Abe Ash', 'Ben Beck'],
      [
        [218, 220],
        [182, 184],
      ],
    );
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Lay', 'Abe Ash').click();
    await slipOf(page).getByRole('button', { name: 'Edit stakes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set Button Values' });
    const wanted = [
      ['One %', '% of available', '1'],
      ['L20', 'Liability', '20'],
      ['P30', 'Target profit', '30'],
    ] as const;
    for (const [at, [label, kind, value]] of wanted.entries()) {
      await dialog.getByRole('button', { name: 'Add a template' }).click();
      await dialog.getByLabel(`Label of template ${at + 1}`).fill(label);
      await dialog.getByLabel(`Kind of template ${at + 1}`).selectOption({ label: kind });
      await dialog.getByLabel(`Value of template ${at + 1}`).fill(value);
    }
    await dialog.getByRole('button', { name: 'Update' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const templates = slipOf(page).getByRole('group', { name: 'Stake templates' });
    // A liability of 20 at 2.20; a layer wins his stake.
    await templates.getByRole('button', { name: 'L20' }).click();
    await expect.poll(() => stakeBox(page).inputValue()).toBe('16.66');
    await templates.getByRole('button', { name: 'P30' }).click();
    await expect.poll(() => stakeBox(page).inputValue()).toBe('30');
    const { data } = await site.call<{ userBal: { available: number } }>('GET', '/user/profile', token);
    await templates.getByRole('button', { name: 'One %' }).click();
    await expect
      .poll(async () => Number(await stakeBox(page).inputValue()) * 100)
      .toBe(Math.floor(data.userBal.available / 100));
    // The same at another price is another stake.
    await priceOf(page, 'Match Odds', 'Back', 'Abe Ash').click();
    await templates.getByRole('button', { name: 'P30' }).click();
    await expect.poll(() => stakeBox(page).inputValue()).toBe('25.43');
    await slipOf(page).getByRole('button', { name: 'Place back 25.43' }).click();
    await slipOf(page).getByRole('button', { name: 'Confirm back 25.43' }).click();
    await seen(slipOf(page), /Matched at 2\.18/);
    expect(await placed(made)).toEqual([['BACK', 218, 2543]]);
    // They are the player's, on another device as well.
    const phone = await signedIn(browser, site, 'alice', { viewport: PHONE, hasTouch: true });
    try {
      await openMatch(phone.page, made);
      await priceOf(phone.page, 'Match Odds', 'Back', 'Ben Beck').tap();
      await slipOf(phone.page).getByRole('button', { name: 'L20' }).tap();
      await expect.poll(() => stakeBox(phone.page).inputValue()).toBe('20');
    } finally {
      await phone.context.close();
    }
  });
});

describe('several bets at once', () => {
  it('stand in the slip, each with its own price and stake, and are placed by one press', async () => {
    const made = await matchOf(
      'Cal Cox v Dan Dale',
      ['Cal Cox', 'Dan Dale'],
      [
        [218, 220],
        [182, 184],
      ],
    );
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Back', 'Cal Cox').click();
    await slipOf(page).getByLabel('Several bets').check();
    try {
      await priceOf(page, 'Match Odds', 'Lay', 'Dan Dale').click();
      const bets = slipOf(page).getByRole('listitem');
      await expect.poll(() => bets.count()).toBe(2);
      await bets.nth(0).getByLabel('Stake', { exact: true }).fill('10');
      await bets.nth(1).getByLabel('Stake', { exact: true }).fill('5');
      // 10, and 5 at 1.84.
      await seen(slipOf(page), /Liability together\s*-14\.20/);
      await slipOf(page).getByRole('button', { name: 'Place 2 bets' }).click();
      await slipOf(page).getByRole('button', { name: 'Confirm 2 bets' }).click();
      await seen(bets.nth(0), /Matched at 2\.18/);
      await seen(bets.nth(1), /Matched at 1\.84/);
      expect(await placed(made)).toEqual([
        ['BACK', 218, 1000],
        ['LAY', 184, 500],
      ]);
    } finally {
      // What is chosen is kept: the tests behind this one have one bet in the slip.
      await page.evaluate(() => localStorage.removeItem('fg.slip'));
      await page.reload();
    }
  });

  it('wait behind a button on a phone while prices are pressed, and are placed in its sheet', async () => {
    const made = await matchOf(
      'Ed Elm v Flo Fir',
      ['Ed Elm', 'Flo Fir'],
      [
        [218, 220],
        [182, 184],
      ],
    );
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true });
    try {
      const on = phone.page;
      await openMatch(on, made);
      await priceOf(on, 'Match Odds', 'Back', 'Ed Elm').tap();
      await slipOf(on).getByText('Several bets').tap();
      const button = (count: number) => on.getByRole('button', { name: `Bet slip ${count}`, exact: true });
      await button(1).waitFor();
      await priceOf(on, 'Match Odds', 'Back', 'Flo Fir').tap();
      await button(2).tap();
      const bets = slipOf(on).getByRole('listitem');
      await bets.nth(0).getByLabel('Stake', { exact: true }).fill('4');
      await bets.nth(1).getByLabel('Stake', { exact: true }).fill('6');
      // Two taps so close would be one double tap, which asks and no more.
      await slipOf(on).getByRole('button', { name: 'Place 2 bets' }).click();
      await slipOf(on).getByRole('button', { name: 'Confirm 2 bets' }).click();
      await seen(bets.nth(0), /Matched at 2\.18/);
      await seen(bets.nth(1), /Matched at 1\.82/);
      expect(await placed(made, bob)).toEqual([
        ['BACK', 218, 400],
        ['BACK', 182, 600],
      ]);
    } finally {
      await phone.context.close();
    }
  });

  it('are dutched for a profit: the same is won whichever of them comes in, or nothing is placed at all', async () => {
    const made = await matchOf(
      'Eli v Fay v Gus',
      ['Eli', 'Fay', 'Gus'],
      [
        [400, 410],
        [300, 310],
        [350, 360],
      ],
    );
    await openMatch(page, made);
    const dialog = page.getByRole('dialog', { name: 'Dutching' });
    const choose = async () => {
      await market(page, 'Match Odds').getByRole('button', { name: 'Dutching' }).click();
      await dialog.getByText('Target profit').first().click();
      await dialog.getByRole('textbox', { name: 'Target profit' }).fill('20');
      for (const name of ['Eli', 'Fay']) await dialog.getByRole('checkbox', { name }).check();
    };
    await choose();
    // 48 comes back from either: 12 at 4.00 and 16 at 3.00 cost 28.
    await seen(dialog, /Profit, whichever of them wins\s*\+20\.00\s*If none of them wins\s*-28\.00/);
    await dialog.getByRole('button', { name: 'Place 2 bets' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await placed(made)).toEqual([
      ['BACK', 400, 1200],
      ['BACK', 300, 1600],
    ]);
    // A price that goes while it is looked at: of the two neither is placed.
    await choose();
    await page.route('**/api/bet/cashOut', async (route) => {
      await quote(site, made.betId, made.runnerIds[1]!, [[250, 100_000]], [[260, 100_000]]);
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Place 2 bets' }).click();
    await dialog.getByRole('alert').or(dialog.locator('[class*=note]')).first().waitFor();
    await page.unroute('**/api/bet/cashOut');
    expect(await placed(made)).toHaveLength(2);
  });
});

describe('quiet hours', () => {
  it('hold sound and notification back while they last, never the words in the page; then an alert is told all ways', async () => {
    const made = await matchOf('Ian Ives v Jim Jude', ['Ian Ives', 'Jim Jude'], [[218, 220]]);
    await alice.context.grantPermissions(['notifications'], { origin: site.url });
    await page.addInitScript(() => {
      const told = { tones: 0, notices: [] as string[] };
      Object.assign(window, { told });
      const start = Object.getOwnPropertyDescriptor(AudioScheduledSourceNode.prototype, 'start')!.value as (
        this: OscillatorNode,
        when?: number,
      ) => void;
      OscillatorNode.prototype.start = function count(when) {
        told.tones++;
        start.call(this, when);
      };
      // The window is never out of sight here, and nothing shows what it would.
      Object.defineProperty(document, 'hidden', { get: () => true });
      Object.assign(window, {
        Notification: class {
          static permission = 'granted';
          static requestPermission() {
            return Promise.resolve('granted');
          }
          constructor(_: string, { body }: { body: string }) {
            told.notices.push(body);
          }
        },
      });
    });
    const told = () => page.evaluate(() => (window as unknown as { told: { tones: number; notices: string[] } }).told);
    const setAlert = async (odds: string) => {
      await go(page, made.path);
      await market(page, 'Match Odds')
        .getByRole('button', { name: /^Alert me/ })
        .click();
      const form = page.getByRole('dialog', { name: 'Alert me' });
      await form.getByLabel('Odds').fill(odds);
      await form.getByRole('button', { name: 'Set the alert' }).click();
      await form.waitFor({ state: 'detached' });
      await go(page, '/alerts');
    };
    await page.goto(`${site.url}/alerts`);
    await page.getByRole('switch', { name: 'Sound' }).click();
    // It is heard once where it is chosen.
    await expect.poll(async () => (await told()).tones).toBe(2);
    await page.getByText('While a page is open', { exact: true }).click();
    const ways = ['Sound', 'Notifications while a page is open'];
    const hours = (way: string) => page.getByRole('group', { name: way, exact: true });
    const clock = await page.evaluate(() => {
      const at = (ms: number) => new Date(Date.now() + ms).toTimeString().slice(0, 5);
      return { from: at(-3_600_000), to: at(3_600_000) };
    });
    for (const way of ways) {
      await hours(way).getByLabel('From').fill(clock.from);
      await hours(way).getByLabel('To').fill(clock.to);
      await hours(way).getByRole('button', { name: 'Set' }).click();
      await hours(way).getByText(`Now ${clock.from} to ${clock.to}`).waitFor();
    }
    await setAlert('2.40');
    await quote(site, made.betId, made.runnerIds[0]!, [[242, 100_000]], [[244, 100_000]]);
    await page.getByText('Ian Ives v Jim Jude: Ian Ives 2.42 to back').waitFor();
    expect(await told()).toEqual({ tones: 2, notices: [] });
    for (const way of ways) {
      await hours(way).getByRole('button', { name: 'None' }).click();
      await hours(way).getByText(/^Now /).waitFor({ state: 'detached' });
    }
    await setAlert('2.60');
    await quote(site, made.betId, made.runnerIds[0]!, [[262, 100_000]], [[264, 100_000]]);
    await page.getByText('Ian Ives v Jim Jude: Ian Ives 2.62 to back').waitFor();
    await expect.poll(told).toEqual({ tones: 4, notices: ['Ian Ives v Jim Jude: Ian Ives 2.62 to back'] });
    await expect.poll(() => page.title()).toMatch(/^\(2\)/);
  });
});

describe('the price chart', () => {
  it('draws candles of one runner, is zoomed by press, key and wheel, and marks own bets at their prices', async () => {
    const made = await matchOf(
      'Ken Kemp v Len Lowe',
      ['Ken Kemp', 'Len Lowe'],
      [
        [218, 220],
        [182, 184],
      ],
    );
    // As though its prices were known for half an hour: the time of a test is too short to look into.
    await page.route('**/api/market/history/**', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as {
        data: { runners: Array<{ stepMs: number; candles: number[][] }> };
      };
      for (const { candles } of body.data.runners) {
        const first = candles[0]?.[0];
        if (first !== undefined)
          candles.unshift(
            ...Array.from({ length: 90 }, (_, at) => [
              first - (90 - at) * 20_000,
              210 + at,
              214 + at,
              208 + at,
              212 + at,
              0,
            ]),
          );
      }
      await route.fulfill({ response: answer, json: body });
    });
    try {
      await openMatch(page, made);
      await priceOf(page, 'Match Odds', 'Back', 'Ken Kemp').click();
      await stakeBox(page).fill('10');
      await slipOf(page).getByRole('button', { name: 'Place back 10' }).click();
      await slipOf(page).getByRole('button', { name: 'Confirm back 10' }).click();
      await seen(slipOf(page), /Matched at 2\.18/);
      // Three more that stand where it does: what is told of all of them has to stay in the drawing.
      for (const odds of [230, 240, 250]) await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', odds, 500);
      const chart = page.getByRole('region', { name: 'Price history' });
      const drawing = chart.getByRole('group', { name: 'Price history' });
      await chart.getByRole('tab', { name: 'Candles' }).click();
      const candles = drawing.locator('.chart__risen, .chart__fallen');
      await expect.poll(() => candles.count()).toBeGreaterThan(80);
      const whole = await candles.count();
      // A back stands below its price.
      await expect.poll(() => drawing.locator('path.chart__back').count()).toBe(4);
      await chart.getByRole('button', { name: 'Zoom in' }).click();
      await expect.poll(() => candles.count()).toBeLessThan(whole * 0.6);
      const half = await candles.count();
      await drawing.focus();
      await page.keyboard.press('+');
      await expect.poll(() => candles.count()).toBeLessThan(half * 0.6);
      await page.keyboard.press('0');
      await expect.poll(() => candles.count()).toBeGreaterThanOrEqual(whole);
      const { x, y, width, height } = (await drawing.boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.wheel(0, -120);
      await expect.poll(() => candles.count()).toBeLessThan(whole * 0.6);
      expect(await page.evaluate(() => scrollY)).toBe(0);
      const later = chart.getByRole('button', { name: 'Later' });
      while (await later.isEnabled()) await later.click();
      const marks = drawing.locator('path.chart__back');
      await expect.poll(() => marks.count()).toBe(4);
      const mark = (await marks.first().boundingBox())!;
      await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.height / 2);
      const tip = drawing.locator('.chart__tip');
      await tip.getByText('Your back of Ken Kemp at 2.18').waitFor();
      await tip.getByText('Your back of Ken Kemp at 2.40, unmatched').waitFor();
      expect((await tip.boundingBox())!.x).toBeGreaterThanOrEqual(x);
      await chart.getByRole('tab', { name: 'Table' }).click();
      await chart.getByRole('cell', { name: 'Your back of Ken Kemp at 2.18' }).waitFor();
    } finally {
      await page.unroute('**/api/market/history/**');
    }
  });
});

describe('a workspace made ready', () => {
  const parts = (on: Page) =>
    on
      .locator('[data-pane]')
      .evaluateAll((all) =>
        all
          .sort((a, b) => Number((a as HTMLElement).style.order) - Number((b as HTMLElement).style.order))
          .map((one) => one.getAttribute('aria-label')!.split(', ')[0]),
      );
  const OF_MATCH = ['Ladder', 'Ladder', 'Score', 'Last trades', 'My bets', 'Market', 'Price history'];

  it.each([
    ['Football match', OF_MATCH],
    ['Cricket match', [...OF_MATCH, 'Fancy']],
    ['Race day', OF_MATCH],
    ['Six markets in play', Array<string>(6).fill('Market')],
  ])('%s: each of its parts has come, with prices that go on', async (name, kinds) => {
    // Of a sport the match that has longest to go, of cricket one with fancy: where all is but over no price moves any more.
    await page.route(/\/api\/match\/list\?.*(football|cricket)/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { matches: ListedMatch[] } };
      body.data.matches.sort(
        (one, other) =>
          Number(other.isFancy) - Number(one.isFancy) || Date.parse(other.startAt) - Date.parse(one.startAt),
      );
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto(`${site.url}/workspace`);
    await page.getByLabel('Workspace').selectOption(name);
    await expect.poll(() => parts(page)).toEqual(kinds);
    const pane = (kind: string) => page.locator(`[data-pane][aria-label^="${kind}"]`);
    for (const kind of new Set(kinds)) {
      const what = {
        Ladder: '.ladder__rung button',
        Market: '.price__cell b',
        Score: '.turf__turf',
        'Last trades': 'td b, :text("Nothing was matched yet.")',
        'My bets': 'p:has-text("No open bets")',
        // Of a match that has only just begun its own words: there is nothing to draw yet.
        'Price history': 'svg.chart__chart, :text("No prices yet"), :text("No price changed in this time.")',
        // Between two innings, in the rain and with a ball in the air it has no price, and says so in its rows or in words.
        Fancy:
          '.price__cell b:visible, .price__cells.is-veiled, .market-table__fancyEnd, :text("No sessions are open.")',
      }[kind]!;
      for (let at = 0; at < (await pane(kind).count()); at++) await pane(kind).nth(at).locator(what).first().waitFor();
    }
    // A runner whose match is all but over may have no price; one of the two has.
    if (kinds.includes('Ladder')) await pane('Ladder').locator('.ladder__rung button.is-best').first().waitFor();
    expect(await page.locator('[data-pane] .overlay__skeleton').count()).toBe(0);
    const figures = () => page.locator('.price__cell b, .ladder__rung button').allInnerTexts();
    const before = (await figures()).join(' ');
    await expect.poll(async () => (await figures()).join(' ') !== before, { timeout: 60_000 }).toBe(true);
    expect(await page.getByText(/did not load|Something went wrong/).count()).toBe(0);
    await page.unrouteAll();
  });
});
