import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeBrowser, makePushService } from '../apps/server/test/push-service.ts';
import { alice, bob, browser, page, site, stand, token } from './alice-ground.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { addMatch, betsOf, go, type Made, placeByCall, quote, signedIn, slipOf, tokenOf } from './play.ts';
import { choose } from './watch.ts';

/** What only a browser shows of trading: where rows stand while things scroll, move and are pressed. */
let made: Made;
stand({ FAIRGAME_PUSH_LOOPBACK: 'on', FAIRGAME_PUSH_CONTACT: 'mailto:desk@example.org' }, async () => {
  made = await addMatch(site, 'Nia Nolan v Ora Olsen', ['Nia Nolan', 'Ora Olsen']);
  await market(218, 220);
});

const market = (back: number, lay: number) =>
  quote(site, made.betId, made.runnerIds[0]!, [[back, 100_000]], [[lay, 100_000]]);
const ladder = (on = page) => on.getByRole('region', { name: 'Ladder of Nia Nolan' });
const openLadder = async (on: Page) => {
  await go(on, `${made.path}?ladder=${made.betId}`);
  // The screen that is left has a ladder with the same prices, and what is pressed there ends with it: those of a window and of
  // a workspace name their runner a level higher.
  await ladder(on).getByRole('heading', { level: 3, name: 'Nia Nolan' }).waitFor();
  await ladder(on).getByRole('button', { name: 'Back Nia Nolan at 2.18, 1,000 available' }).waitFor();
};
/** Where a row's back cell stands in the window. */
const heightOf = (price: string) =>
  ladder()
    .getByRole('button', { name: new RegExp(`^Back Nia Nolan at ${price.replace('.', '\\.')}(,|$)`) })
    .evaluate((cell) => Math.round(cell.getBoundingClientRect().top));

describe('the ladder', () => {
  it('a wheel over the ladder scrolls it and not the page, to its ends', async () => {
    await openLadder(page);
    const before = await heightOf('2.18');
    await ladder().locator('.ladder__box').hover();
    await page.mouse.wheel(0, 200);
    await expect.poll(() => heightOf('2.18')).toBe(before - 200);
    await page.mouse.wheel(0, 20_000);
    await ladder().getByRole('button', { name: 'Back Nia Nolan at 1.01' }).waitFor();
    await page.mouse.wheel(0, 2000);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await ladder().getByRole('button', { name: 'Centre', exact: true }).click();
    await expect.poll(async () => Math.abs((await heightOf('2.18')) - before)).toBeLessThan(25);
  });

  it('rows stand still under the pointer while the market runs away, and the way back says where it is', async () => {
    await openLadder(page);
    const before = await heightOf('2.18');
    await market(400, 410);
    await ladder().getByRole('button', { name: 'Market above, at 4.10: centre' }).waitFor();
    expect(await heightOf('2.18')).toBe(before);
    await market(218, 220);
    await ladder()
      .getByRole('button', { name: /^Market above/ })
      .waitFor({ state: 'detached' });
  });

  it('on a phone a press opens the slip with the row in sight, above the tab bar, and places nothing', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: { width: 390, height: 844 }, hasTouch: true });
    await openLadder(phone.page);
    const cell = ladder(phone.page).getByRole('button', { name: 'Back Nia Nolan at 2.18, 1,000 available' });
    await cell.tap();
    const act = slipOf(phone.page).getByRole('button', { name: 'Enter a stake' });
    await act.waitFor();
    await expect
      .poll(async () => {
        const bar = (await phone.page.locator('.top-bar__bottom').boundingBox())!.y;
        const [row, button] = [(await cell.boundingBox())!, (await act.boundingBox())!];
        return row.y > 0 && row.y + row.height <= button.y && button.y + button.height <= bar;
      })
      .toBe(true);
    // A finger leaves no mark of a pointer behind.
    await slipOf(phone.page).getByRole('button', { name: 'Clear' }).tap();
    const plain = phone.page.getByRole('button', { name: 'Lay Nia Nolan at 2.12', exact: true });
    const other = phone.page.getByRole('button', { name: 'Lay Nia Nolan at 2.10', exact: true });
    const ground = (at: typeof plain) => at.evaluate((one) => getComputedStyle(one).backgroundColor);
    await plain.tap();
    await slipOf(phone.page).getByRole('button', { name: 'Clear' }).tap();
    expect(await ground(plain)).toBe(await ground(other));
    expect(await betsOf(site, bob, `&betId=eq${made.betId}`)).toEqual([]);
    await phone.context.close();
  });
});

describe('a workspace', () => {
  const part = (name: string) =>
    page.getByRole('region', { name: new RegExp(`^${name}, .*Nia Nolan v Ora Olsen$`) }).first();
  const boxOf = async (name: string) => (await part(name).boundingBox())!;

  it('is dragged and sized, kept under a name, and comes back so; a part has a window of its own', async () => {
    await page.goto(`${site.url}/workspace?market=${made.betId}`);
    await ladder().getByRole('button', { name: 'Back Nia Nolan at 2.18, 1,000 available' }).waitFor();
    const [score, bets] = [await boxOf('Score'), await boxOf('My bets')];
    expect(score.y).toBeLessThan(bets.y);
    await part('Score').getByRole('button', { name: 'Move or size it' }).hover();
    await page.mouse.down();
    await page.mouse.move(bets.x + 60, bets.y + 60, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await boxOf('Score')).y).toBeGreaterThan((await boxOf('My bets')).y);
    const low = await boxOf('My bets');
    await page.mouse.move(low.x + low.width - 6, low.y + low.height - 6);
    await page.mouse.down();
    await page.mouse.move(low.x + low.width - 6, low.y + low.height + 116, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.round((await boxOf('My bets')).height - low.height)).toBe(120);
    await page.getByLabel('Name').fill('My desk');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Kept' }).waitFor();
    await page.goto(`${site.url}/workspace`);
    await page.getByLabel('Workspace').selectOption('My desk');
    await part('My bets').waitFor();
    expect((await boxOf('My bets')).height).toBe(low.height + 120);
    expect((await boxOf('Score')).y).toBeGreaterThan((await boxOf('My bets')).y);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      part('Last trades').getByRole('link', { name: 'In a window of its own' }).click(),
    ]);
    await popup.getByRole('region', { name: 'Last trades, Match Odds, Nia Nolan v Ora Olsen' }).waitFor();
    expect(await popup.locator('[data-pane]').count()).toBe(1);
    await popup.close();
  });
});

describe('the window of ladders', () => {
  const chip = (price: string) => ladder().getByRole('button', { name: `Cancel back 10 at ${price}` });
  const open = async () => {
    await site.call('POST', '/bet/cancelAll', token, { key: crypto.randomUUID() });
    await page.goto(`${site.url}/ladder/${made.betId}?runners=${made.runnerIds[0]}`);
    await ladder().getByRole('button', { name: 'Back Nia Nolan at 2.18, 1,000 available' }).waitFor();
  };
  const waiting = async () =>
    (await betsOf(site, token, `&betId=eq${made.betId}&status=eqEXECUTABLE`))
      .filter(({ remaining }) => remaining > 0)
      .map(({ odds, remaining }) => [odds, remaining]);
  /** The middle of what stands there. */
  const middle = async (of: ReturnType<typeof chip>) => {
    const { x, y, width, height } = (await of.boundingBox())!;
    return [x + width / 2, y + height / 2] as const;
  };
  const rowOf = (price: number) => ladder().locator(`[data-price="${price}"]`);
  /** Takes the chip to a row, and leaves the button down. */
  const take = async (from: string, to: number) => {
    const [x, y] = await middle(chip(from));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 9);
    const [, at] = await middle(rowOf(to));
    await page.mouse.move(x, at, { steps: 4 });
    await ladder().locator(`[data-price="${to}"].is-over`).waitFor();
  };

  it('a press of an armed ladder places, a drag moves it, and put down beside the ladder it is cancelled', async () => {
    await open();
    await ladder().getByRole('switch').click();
    await ladder().getByLabel('Stake of a press').fill('10');
    await ladder().getByRole('button', { name: 'Back Nia Nolan at 2.30', exact: true }).click();
    await chip('2.30').waitFor();
    await take('2.30', 224);
    await page.mouse.up();
    await chip('2.24').waitFor();
    expect(await waiting()).toEqual([[224, 1000]]);
    const [x, y] = await middle(chip('2.24'));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y, { steps: 2 });
    await page.mouse.move(4, 4, { steps: 3 });
    await page.mouse.up();
    await chip('2.24').waitFor({ state: 'detached' });
    expect(await waiting()).toEqual([]);
  });

  it('a line that is cut while an order is dragged loses none: it ends at one place, told at both until then', async () => {
    await open();
    await ladder().getByRole('switch').click();
    await ladder().getByLabel('Stake of a press').fill('10');
    await ladder().getByRole('button', { name: 'Back Nia Nolan at 2.30', exact: true }).click();
    await chip('2.30').waitFor();
    await take('2.30', 226);
    const before = await heightOf('2.18');
    // All lines of the page are gone under the pointer: sockets and calls.
    await alice.context.setOffline(true);
    await page.mouse.up();
    await page.getByText('You are currently offline').waitFor();
    expect(await heightOf('2.18')).toBe(before);
    await ladder().getByRole('img', { name: 'Back 10 on its way' }).waitFor();
    expect(await chip('2.30').getAttribute('aria-busy')).toBe('true');
    await alice.context.setOffline(false);
    await ladder().getByRole('img', { name: 'Back 10 on its way' }).waitFor({ state: 'detached' });
    // Its fate is known: here nothing had arrived, and the order waits where it was.
    await expect.poll(waiting).toEqual([[230, 1000]]);
    await chip('2.30').waitFor();
    expect(await chip('2.30').getAttribute('aria-busy')).toBeNull();
    // And one whose answer alone is lost has moved, once.
    await page.route('**/api/bet/replace', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await take('2.30', 226);
    await page.mouse.up();
    await chip('2.26').waitFor();
    await page.unroute('**/api/bet/replace');
    expect(await waiting()).toEqual([[226, 1000]]);
    await chip('2.26').click();
    await chip('2.26').waitFor({ state: 'detached' });
  });
});

describe('the slip of a phone’s list', () => {
  it('leaves the row it came from in sight above it, and undarkened', async () => {
    // So low that the row stands where the slip will.
    const phone = await signedIn(browser, site, 'bob', { viewport: { width: 390, height: 640 }, hasTouch: true });
    await go(phone.page, '/home');
    const cell = phone.page.getByRole('button', { name: 'Back Nia Nolan at 2.18, 1,000 available' });
    await cell.waitFor();
    const row = phone.page.locator('.event-list__event', { has: cell });
    await row.evaluate((one) => one.scrollIntoView({ block: 'end' }));
    const before = (await row.boundingBox())!;
    await cell.tap();
    const sheet = phone.page.getByRole('dialog', { name: 'Bet slip' });
    await sheet.getByRole('button', { name: 'Enter a stake' }).waitFor();
    const top = async () => (await sheet.boundingBox())!.y;
    // Else this would show nothing: without a move the slip would lie over the row.
    await expect.poll(async () => before.y + before.height > (await top())).toBe(true);
    await expect
      .poll(async () => {
        const { y, height } = (await row.boundingBox())!;
        return y > 0 && y + height <= (await top());
      })
      .toBe(true);
    expect(await sheet.evaluate((one) => getComputedStyle(one, '::backdrop').backgroundColor)).toBe('rgba(0, 0, 0, 0)');
    await phone.context.close();
  });
});

describe('the price chart', () => {
  it.each([390, 1440])('comes into the room that was kept for it, at %i', async (width) => {
    const { page: on, context } = await signedIn(browser, site, 'bob', {
      viewport: { width, height: 900 },
    });
    let come: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (come = resolve));
    await on.route(/assets\/price-history/, async (route) => {
      await held;
      await route.continue();
    });
    await on.goto(site.url + made.path);
    const place = on.getByRole('region', { name: 'Price history' });
    await place.waitFor();
    const height = async () => (await place.boundingBox())!.height;
    const empty = await height();
    expect(await place.locator('svg').count()).toBe(0);
    come();
    await place.locator('svg.chart__chart').waitFor();
    expect(await height()).toBe(empty);
    await context.close();
  });
});

describe('an alert', () => {
  it('is set at the bell of a ladder by keys, told in the page, and stands in the list', async () => {
    await market(218, 220);
    await openLadder(page);
    await page.getByRole('button', { name: 'Alert me: Nia Nolan' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Alert me' });
    await form.getByLabel('Odds').fill('2.4');
    await form.getByLabel('Odds').press('Enter');
    await form.waitFor({ state: 'detached' });
    await market(242, 244);
    await page.getByText('Nia Nolan v Ora Olsen: Nia Nolan 2.42 to back').waitFor();
    await go(page, '/alerts');
    const row = page.getByRole('listitem').filter({ hasText: 'Nia Nolan: 2.40 or more to back' });
    await row.getByText('Came true').waitFor();
    // What can be done to it stands in one line, on a phone too.
    await page.setViewportSize(PHONE);
    const tops = await row.getByRole('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops).toEqual([tops[0], tops[0]]);
    await page.setViewportSize(DESKTOP);
    await row.getByRole('button', { name: 'Take away: Nia Nolan: 2.40 or more to back' }).click();
    await row.waitFor({ state: 'detached' });
    await market(218, 220);
  });

  it('of each kind that a market without a feed has is told in its own words when it comes true, and stands so in the list', async () => {
    const mine = await addMatch(site, 'Kim Kerr v Lyn Lowe', ['Kim Kerr', 'Lyn Lowe']);
    const { betId } = mine;
    // His phones above have ended the session that he began with.
    const other = await tokenOf(site, 'bob');
    const runnerId = mine.runnerIds[0]!;
    await quote(site, betId, runnerId, [[218, 100_000]], [[240, 100_000]]);
    await placeByCall(site, token, mine, runnerId, 'BACK', 230, 1000);
    for (const of of [
      { kind: 'PRICE', betId, runnerId, figure: 'LAST', when: 'UP', price: 230 },
      { kind: 'SIZE', betId, runnerId, figure: 'BACK', amountMinor: 200_000 },
      { kind: 'MATCHED', betId, amountMinor: 6500 },
      { kind: 'SUSPENDED', betId, seconds: 1 },
      { kind: 'BET', betId },
      { kind: 'RESULT', betId },
    ])
      expect((await site.call('POST', '/alerts', token, { every: false, ...of })).status).toBe(200);
    await go(page, '/alerts');
    const told = (text: string) => page.locator('.toast__toast').getByText(`Kim Kerr v Lyn Lowe: ${text}`).waitFor();
    const came = page.getByRole('listitem').filter({ hasText: 'Kim Kerr v Lyn Lowe' }).getByText('Came true');
    await came.first().waitFor({ state: 'detached' });
    await quote(site, betId, runnerId, [[218, 250_000]], [[240, 100_000]]);
    await told('Kim Kerr 2,500 to back');
    // A sum that is matched in two trades.
    await placeByCall(site, other, mine, runnerId, 'LAY', 230, 1000);
    await Promise.all([told('a bet of yours was matched or lapsed'), told('Kim Kerr 2.30 last matched')]);
    await placeByCall(site, other, mine, runnerId, 'BACK', 218, 6000);
    await told('65 matched in the market');
    await site.operator('/market/suspend', { betId, reason: 'A test' });
    await told('Suspended for 1 s');
    await site.operator('/market/declare', { betId, result: { kind: 'winners', runnerIds: [runnerId] } });
    await told('The market has its result');
    await expect.poll(() => came.count()).toBe(6);
  });
});

describe('a ladder on a phone', () => {
  it('leaves three quarters of its height to the rows, with runner, standing, arming, stake and ways out above them', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true, isMobile: true });
    try {
      const on = phone.page;
      await on.goto(`${site.url}/ladder/${made.betId}`);
      const one = on.getByRole('region', { name: 'Ladder of Nia Nolan' });
      const rows = one.locator('.ladder__box');
      await rows
        .getByText('1.01', { exact: true })
        .or(rows.getByText('2.18', { exact: true }))
        .first()
        .waitFor();
      for (const said of [
        one.getByRole('switch', { name: 'Not armed' }),
        one.getByText('A press fills the slip'),
        one.getByText('No matched bets'),
        one.getByLabel('Stake of a press'),
        one.getByRole('button', { name: 'Ways out' }),
        on.getByRole('tab', { name: 'Ora Olsen' }),
        on.getByText('Nia Nolan v Ora Olsen'),
        on.getByText('Available'),
        on.getByRole('button', { name: 'Alert me: Nia Nolan' }),
      ])
        expect(await said.isVisible()).toBe(true);
      expect((await rows.boundingBox())!.y).toBeLessThanOrEqual(PHONE.height / 4);
      // What has left its rows is found with the runners.
      await on.getByRole('button', { name: /^Runners/ }).tap();
      await on.getByRole('switch', { name: 'Follow the market' }).waitFor();
      // With a standing, in the language with the longest words for it.
      await placeByCall(site, await tokenOf(site, 'bob'), made, made.runnerIds[0]!, 'BACK', 218, 1000);
      await on.evaluate(() => localStorage.setItem('language', 'pt-BR'));
      await on.reload();
      await on
        .getByText(/Ganha .*, senão/)
        .first()
        .waitFor();
      expect((await on.locator('.ladder__box').first().boundingBox())!.y).toBeLessThanOrEqual(PHONE.height / 4);
    } finally {
      await phone.context.close();
    }
  });
});

describe('a browser that is pushed to', () => {
  it('is named at a press, told once by its push service, kept as it was chosen, and told nothing once it is off', async () => {
    const service = await makePushService();
    const receiver = makeBrowser(`${service.origin}/bob`);
    const bobs = await signedIn(browser, site, 'bob', { serviceWorkers: 'allow' });
    try {
      const on = bobs.page;
      await bobs.context.grantPermissions(['notifications'], { origin: site.url });
      // This browser has no push service of its own: it is given one of the test's.
      await bobs.context.addInitScript(({ endpoint, ...keys }) => {
        const has = () => localStorage.getItem('pushed') !== null;
        const subscription = {
          endpoint,
          toJSON: () => ({ endpoint, keys }),
          unsubscribe: async () => localStorage.removeItem('pushed'),
        } as unknown as PushSubscription;
        PushManager.prototype.getSubscription = async () => (has() ? subscription : null);
        PushManager.prototype.subscribe = async () => {
          localStorage.setItem('pushed', 'yes');
          return subscription;
        };
      }, receiver.subscription);
      const mine = await addMatch(site, 'Pia Pond v Una Upton', ['Pia Pond', 'Una Upton']);
      const other = await tokenOf(site, 'bob');
      const places = async () => (await site.call<{ places: number }>('GET', '/alerts/push', other)).data.places;
      const awaits = async (seconds: number) => {
        const body = { kind: 'SUSPENDED', betId: mine.betId, seconds, every: false };
        expect((await site.call('POST', '/alerts', other, body)).status).toBe(200);
      };
      await on.goto(`${site.url}/alerts`);
      // It comes once the page is quiet, and what is pressed before waits for it.
      await on.evaluate(async () => void (await navigator.serviceWorker.ready));
      await choose(on, 'Also when none is');
      await expect.poll(places).toBe(1);
      await awaits(1);
      await site.operator('/market/suspend', { betId: mine.betId, reason: 'A test' });
      await expect.poll(() => service.came.length).toBe(1);
      expect(receiver.read(service.came[0]!.body)).toMatchObject({ kind: 'SUSPENDED', event: 'Pia Pond v Una Upton' });
      const keep = on.getByRole('checkbox', { name: 'Go on after I sign out here' });
      expect(await keep.isChecked()).toBe(false);
      await keep.click();
      await expect.poll(() => keep.isEnabled()).toBe(true);
      await on.reload();
      await keep.waitFor();
      expect(await keep.isChecked()).toBe(true);
      await choose(on, 'Off');
      await expect.poll(places).toBe(0);
      await keep.waitFor({ state: 'detached' });
      await awaits(2);
      // Told in the page, and by then to every browser that is named.
      await on.getByText('Suspended for 2 s').first().waitFor();
      await expect
        .poll(async () =>
          (await site.call<{ alerts: Array<{ state: string }> }>('GET', '/alerts', other)).data.alerts.some(
            ({ state }) => state === 'WAITING',
          ),
        )
        .toBe(false);
      expect(service.came).toHaveLength(1);
    } finally {
      await bobs.context.close();
      await service.close();
    }
  });
});
