import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browser, page, site, stand, token } from './alice-ground.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { addMatch, type Made, openMatch, placeByCall, priceOf, quote, signedIn } from './play.ts';

/** What a trader reads beside his ladders: the tip of a chart, the slip of another event, where he stands, names in the tree of sports. */
stand();

async function matchOf(title: string, ...names: string[]): Promise<Made> {
  const made = await addMatch(site, title, names);
  for (const runner of made.runnerIds) await quote(site, made.betId, runner, [[218, 100_000]], [[220, 100_000]]);
  return made;
}

/** As though its prices were known for half an hour, the first of them long before the second. */
async function withPast(on: Page): Promise<void> {
  await on.route('**/api/market/history/**', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { runners: Array<{ stepMs: number; candles: number[][] }> } };
    for (const { candles } of body.data.runners) {
      const first = candles[0]?.[0];
      if (first === undefined) continue;
      const past = Array.from({ length: 90 }, (_, at) => [
        first - (90 - at) * 20_000,
        210 + at,
        214 + at,
        208 + at,
        212 + at,
        at === 0 ? 125_000 : 0,
      ]);
      candles.unshift(...past);
    }
    await route.fulfill({ response: answer, json: body });
  });
}

describe('the tip of the price chart', () => {
  const FIRST = ['First 2.10, last 2.12', 'High 2.14, low 2.08', 'Matched 1,250'];
  const chartOf = (on: Page) => on.locator('section.panel__panel:has(.chart__chart)').first();
  const isWithin = async (tip: Locator, drawing: Locator) => {
    const [small, large] = [(await tip.boundingBox())!, (await drawing.boundingBox())!];
    expect(small.x).toBeGreaterThanOrEqual(large.x);
    expect(small.x + small.width).toBeLessThanOrEqual(large.x + large.width);
    expect(small.y + small.height).toBeLessThanOrEqual(large.y + large.height);
  };
  const candlesOf = async (on: Page) => {
    const drawing = chartOf(on).locator('svg.chart__chart');
    await chartOf(on).getByRole('tab').nth(4).click();
    const candles = drawing.locator('.chart__risen rect, .chart__fallen rect');
    await expect.poll(() => candles.count()).toBeGreaterThan(80);
    return { drawing, candles, tip: chartOf(on).locator('.chart__tip') };
  };
  const middle = async (of: Locator) => {
    const { x, y, width, height } = (await of.boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };

  it('says first, last, high, low and what was matched of the candle under the pointer, and lies within the drawing', async () => {
    const made = await matchOf('Abe Ash v Ben Birch', 'Abe Ash', 'Ben Birch');
    await withPast(page);
    try {
      await openMatch(page, made);
      const { drawing, candles, tip } = await candlesOf(page);
      await page.mouse.move(...(await middle(candles.first())));
      await expect.poll(async () => (await tip.innerText()).split('\n').slice(1)).toEqual(FIRST);
      await isWithin(tip, drawing);
      await page.mouse.move(...(await middle(candles.nth(89))));
      await tip.getByText('First 2.99, last 3.01').waitFor();
      await isWithin(tip, drawing);
      await page.mouse.move(2, 2);
      await tip.waitFor({ state: 'detached' });
      // Of the book: what it takes to get to the price that is nearest.
      await chartOf(page).getByRole('tab', { name: 'Depth' }).click();
      const { x, y, width, height } = (await drawing.boundingBox())!;
      await page.mouse.move(x + width - 4, y + height / 2);
      await expect.poll(async () => (await tip.innerText()).split('\n')).toEqual(['2.20', '1,000 to lay up to 2.20']);
      await page.mouse.move(x + 4, y + height / 2);
      await expect
        .poll(async () => (await tip.innerText()).split('\n'))
        .toEqual(['2.18', '1,000 to back down to 2.18']);
    } finally {
      await page.unroute('**/api/market/history/**');
    }
  });

  it('comes at a press of a finger and stays until one elsewhere, from right to left too', async () => {
    const made = await matchOf('Cal Cedar v Dan Dogwood', 'Cal Cedar', 'Dan Dogwood');
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true, isMobile: true });
    try {
      await phone.page.evaluate(() => localStorage.setItem('language', 'ur'));
      await withPast(phone.page);
      await phone.page.goto(site.url + made.path);
      const { drawing, candles, tip } = await candlesOf(phone.page);
      await drawing.scrollIntoViewIfNeeded();
      for (const candle of [candles.first(), candles.nth(89)]) {
        await phone.page.touchscreen.tap(...(await middle(candle)));
        await tip.waitFor();
        await isWithin(tip, drawing);
      }
      await phone.page.touchscreen.tap(8, (await drawing.boundingBox())!.y - 90);
      await tip.waitFor({ state: 'detached' });
    } finally {
      await phone.context.close();
    }
  });
});

it('a ladder has back left of lay where all else is read from right to left', async () => {
  const made = await matchOf('Eli Elder v Fay Fir', 'Eli Elder', 'Fay Fir');
  const other = await signedIn(browser, site, 'bob', { viewport: DESKTOP });
  try {
    await other.page.evaluate(() => localStorage.setItem('language', 'ur'));
    await other.page.goto(`${site.url}/ladder/${made.betId}?runners=${made.runnerIds[0]}`);
    await other.page.locator('html[dir="rtl"] .ladder__rung [data-side]').first().waitFor();
    const leftOf = async (what: string) => (await other.page.locator(what).first().boundingBox())!.x;
    expect(await leftOf('[data-side="BACK"]')).toBeLessThan(await leftOf('[data-side="LAY"]'));
    expect(await leftOf('.ladder__head .c-back')).toBeLessThan(await leftOf('.ladder__head .c-lay'));
    // Each head stands above its column.
    for (const [side, head] of [
      ['BACK', '.c-back'],
      ['LAY', '.c-lay'],
    ])
      expect(Math.abs((await leftOf(`[data-side="${side}"]`)) - (await leftOf(`.ladder__head ${head}`)))).toBeLessThan(
        8,
      );
  } finally {
    await other.context.close();
  }
});

describe('the depth of a book', () => {
  it('has the figure of its height above its areas, where no line crosses it', async () => {
    const made = await matchOf('Kit Kerr v Lex Lund', 'Kit Kerr', 'Lex Lund');
    await openMatch(page, made);
    await page.getByRole('region', { name: 'Price history' }).getByRole('tab', { name: 'Depth' }).click();
    const drawing = page.getByRole('img', { name: /^Depth of / });
    await drawing.waitFor();
    const heights = await drawing.evaluate((svg) => ({
      area: Math.min(...Array.from(svg.querySelectorAll('path'), (one) => one.getBoundingClientRect().top)),
      words: Array.from(svg.querySelectorAll('text'), (one) => one.getBoundingClientRect()).map(({ top, bottom }) => [
        top,
        bottom,
      ]),
      top: svg.getBoundingClientRect().top,
    }));
    const [top, bottom] = heights.words.sort(([one], [other]) => one! - other!)[0]!;
    expect(bottom).toBeLessThanOrEqual(heights.area);
    expect(top).toBeGreaterThanOrEqual(heights.top);
  });
});

describe('the slip of another event', () => {
  it('follows its own market in a workspace and on lists, and can be placed there', async () => {
    const [one, other] = [
      await matchOf('Eli Elm v Flo Fir', 'Eli Elm', 'Flo Fir'),
      await matchOf('Gus Gorse v Hob Holm', 'Gus Gorse', 'Hob Holm'),
    ];
    await openMatch(page, one);
    await priceOf(page, 'Match Odds', 'Back', 'Eli Elm').click();
    await page.goto(`${site.url}/workspace?market=${other.betId}`);
    await page.getByRole('region', { name: /^Ladder, Gus Gorse/ }).waitFor();
    const slip = page.locator('[data-slip]');
    await slip.getByLabel('Stake', { exact: true }).fill('10');
    const place = slip.getByRole('button', { name: 'Place back 10' });
    await expect.poll(() => place.isEnabled()).toBe(true);
    expect(await slip.getByText('Waiting for fresh prices').count()).toBe(0);
    await quote(site, one.betId, one.runnerIds[0]!, [[230, 100_000]], [[232, 100_000]]);
    await slip.getByText('2.30').first().waitFor();
    await slip.getByRole('button', { name: 'Clear' }).click();
  });
});

describe('bets on a runner that come to nothing', () => {
  it('are told as 0.00 by his ladder, and as none where there is none', async () => {
    const made = await matchOf('Ike Ivy v Jed Juniper', 'Ike Ivy', 'Jed Juniper');
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 218, 1000);
    await quote(site, made.betId, made.runnerIds[0]!, [[216, 100_000]], [[218, 100_000]]);
    await placeByCall(site, token, made, made.runnerIds[0]!, 'LAY', 218, 1000);
    await page.goto(`${site.url}/ladder/${made.betId}`);
    const ladder = (name: string) => page.getByRole('region', { name: `Ladder of ${name}`, exact: true });
    await ladder('Ike Ivy').getByText('Wins 0.00, else 0.00').waitFor();
    await ladder('Jed Juniper').getByText('No matched bets').waitFor();
  });
});

describe('the tree of sports', () => {
  it('shows names of competitions and matches whole, on as many lines as they need', async () => {
    const long = 'The Exhibition of the Counties and the Islands, Second Division, Northern Group';
    const made = await site.operator<{ matchId: number }>('/match/add', {
      matchType: 'tennis',
      title: 'Kit Knotgrass-Larch v Lou Lilac-Magnolia',
      competitionName: long,
      startAt: new Date(Date.now() + 86_400_000).toISOString(),
      teams: ['Kit Knotgrass-Larch', 'Lou Lilac-Magnolia'],
    });
    await page.goto(`${site.url}/game-detail/tennis/${made.matchId}`);
    const tree = page.locator('.side-nav__tree').first();
    const name = tree.getByRole('button', { name: new RegExp(long) });
    await name.waitFor();
    await tree.getByRole('link', { name: /Kit Knotgrass-Larch/ }).waitFor();
    const cut = () =>
      tree
        .locator('.clip')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    expect(await cut()).toEqual([]);
    expect((await name.boundingBox())!.height).toBeGreaterThan(40);
  });
});
