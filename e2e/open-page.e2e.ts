import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { bob, browser, page, site, stand, token } from './alice-ground.ts';
import { signIn, visit } from './browser.ts';
import {
  addMatch,
  betsOf,
  go,
  type Made,
  market,
  myBets,
  openMatch,
  PASSWORDS,
  placeByCall,
  priceOf,
  quote,
  seen,
  slipOf,
  tabBeside,
} from './play.ts';
import { wayTo } from './way.ts';

/** Pages that stay open while the line comes and goes, with long lists and many tabs, on one site without a feed. */
const ROWS = 100;
/** Far below the sixtieth row. */
const FAR = 95;
let rows: Made[];

stand({ FAIRGAME_SOCKETS_PER_ACCOUNT: '2' }, async () => {
  rows = [];
  for (let n = 1; n <= ROWS; n++) rows.push(await addMatch(site, `Ann ${n} v Bea ${n}`, [`Ann ${n}`, `Bea ${n}`]));
  for (const n of [1, 11, 21, 31, FAR]) await backAt(rows[n - 1]!, 200);
});

const backAt = (made: Made, price: number) =>
  quote(site, made.betId, made.runnerIds[0]!, [[price, 100_000]], [[price + 100, 100_000]]);
const cell = (n: number, on = page): Locator => on.getByRole('button', { name: new RegExp(`^Back Ann ${n} at`) });

/** What the page is told about being looked at. */
const hide = (on: Page, hidden: boolean) =>
  on.evaluate(
    (value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    hidden ? 'hidden' : 'visible',
  );

describe('a list of a hundred rows', () => {
  it('a row far down follows its price as soon as it is in sight, and a press takes the price of now', async () => {
    await go(page, '/game-list/tennis');
    // Its name is there from the first; its prices are drawn once it is near the screen.
    await page.getByRole('link', { name: new RegExp(`Ann ${FAR} v Bea`) }).scrollIntoViewIfNeeded();
    await seen(cell(FAR), /2\.00/);
    await backAt(rows[FAR - 1]!, 400);
    await seen(cell(FAR), /4\.00/);
    await cell(FAR).click();
    await seen(slipOf(page), `Ann ${FAR}`);
    await expect.poll(() => slipOf(page).getByLabel('Odds', { exact: true }).inputValue()).toBe('4.00');
  });

  it('hidden it asks for nothing; looked at again it has the prices of now, over the same line', async () => {
    const lines: string[] = [];
    const sent: string[] = [];
    const again = await tabBeside(page);
    again.on('websocket', (line) => {
      lines.push(line.url());
      line.on('framesent', ({ payload }) => sent.push(String(payload)));
    });
    try {
      await again.goto(`${site.url}/game-list/tennis`);
      await cell(1, again).waitFor();
      await expect.poll(() => sent.some((one) => one.includes('"watch"'))).toBe(true);
      await hide(again, true);
      await expect.poll(() => sent.some((one) => one.includes('"leaveAll"')), { timeout: 20_000 }).toBe(true);
      await backAt(rows[0]!, 500);
      const open = lines.length;
      await hide(again, false);
      await seen(cell(1, again), /5\.00/);
      expect(lines).toHaveLength(open);
    } finally {
      await again.close();
    }
  });

  it('left, it is let go: nothing holds a row of the first list that a tab showed', async () => {
    const again = await tabBeside(page);
    const memory = await again.context().newCDPSession(again);
    try {
      await again.goto(`${site.url}/game-list/tennis`);
      await cell(1, again).waitFor();
      const held = await again.evaluateHandle(() =>
        [...document.querySelectorAll('.event-list__event')].map((row) => new WeakRef(row)),
      );
      const left = async () => {
        await memory.send('HeapProfiler.collectGarbage');
        return held.evaluate((rows) => rows.filter((row) => row.deref()).length);
      };
      expect(await left()).toBeGreaterThan(0);
      await go(again, '/account-statement');
      await expect.poll(left).toBe(0);
    } finally {
      await again.close();
    }
  });
});

describe('cash out beside an own waiting bet', () => {
  it('leaves that bet out of the figure, names it, and cancels it with the leaving', async () => {
    const made = rows[10]!;
    const [ann] = made.runnerIds as [number, number];
    await placeByCall(site, token, made, ann, 'BACK', 200, 1000);
    await quote(site, made.betId, ann, [], []);
    // His own offer at 1.40 is the best to lay; the other player's at 1.60 is the one that counts.
    await placeByCall(site, token, made, ann, 'BACK', 140, 500);
    await placeByCall(site, bob, made, ann, 'BACK', 160, 10_000);
    await openMatch(page, made);
    const button = market(page, 'Match Odds').locator('button.cash-out__button');
    // 10.00 at 2.00 left by a lay of 12.50 at 1.60: 2.50 either way, less 2 %.
    await seen(button, /Cash out\s*\+2\.45/);
    await button.click();
    await seen(button, /Take\s*\+2\.45\?/);
    await seen(market(page, 'Match Odds'), /Cancels your waiting bet: back Ann 11 5 at 1\.40\./);
    await button.click();
    await seen(page.locator('.toast__toast'), /Cashed out \+2\.45; your waiting bet cancelled/);
    const bets = await betsOf(site, token, `&betId=eq${made.betId}`);
    const byOdds = bets.toSorted((a, b) => a.odds - b.odds);
    expect(byOdds.map((one) => [one.betType, one.odds, one.matched, one.cancelled])).toEqual([
      ['BACK', 140, 0, 500],
      ['LAY', 160, 1250, 0],
      ['BACK', 200, 1000, 0],
    ]);
  });
});

/** As a page knows its sockets. */
const [OPEN, CLOSING, CLOSED] = [1, 2, 3];

describe('the line of an open page', () => {
  it('a handshake that is refused is said, and the tab may take the place of another', async () => {
    const others = [await tabBeside(page), await tabBeside(page)] as const;
    const price = (tab: Page) => priceOf(tab, 'Match Odds', 'Back', 'Ann 21');
    try {
      for (const other of others) await other.goto(`${site.url}${rows[20]!.path}`);
      // One of the two, whichever came last, is refused.
      const refused = others.map((tab) =>
        tab.locator('.shell__offline', { hasText: 'open in as many tabs as it may be' }),
      );
      await expect.poll(async () => (await Promise.all(refused.map((one) => one.count()))).join('')).toMatch(/10|01/);
      const last = others[await refused[1]!.count()]!;
      await last.getByRole('button', { name: 'Use this tab' }).click();
      await expect.poll(() => last.locator('.shell__offline').count()).toBe(0);
      await backAt(rows[20]!, 300);
      await seen(price(last), /3\.00/);
      await seen(page.locator('.shell__offline'), /You went on in another tab/);
    } finally {
      for (const other of others) await other.close();
    }
    await page.getByRole('button', { name: 'Use this tab' }).click();
    await expect.poll(() => page.locator('.shell__offline').count()).toBe(0);
  });

  it('says nothing on a line that is being closed: the console stays empty, and prices are followed on the next one', async () => {
    const way = await wayTo(site);
    const other = await visit(browser);
    try {
      await other.page.addInitScript(() => {
        const { WebSocket } = window;
        const opened: WebSocket[] = [];
        Object.assign(window, {
          opened,
          WebSocket: class extends WebSocket {
            constructor(...how: ConstructorParameters<typeof WebSocket>) {
              super(...how);
              opened.push(this);
            }
          },
        });
      });
      const states = () =>
        other.page.evaluate(() => (window as unknown as { opened: WebSocket[] }).opened.map((one) => one.readyState));
      await signIn(other.page, way.site.url, 'bob', PASSWORDS.bob);
      await other.page.waitForURL('**/home');
      await openMatch(other.page, rows[20]!);
      await expect.poll(states).toEqual([OPEN]);
      // Another screen is another choice of what is watched; the browser waits two seconds for the end of a line.
      const left = other.page.evaluate(async (to) => {
        const [line] = (window as unknown as { opened: WebSocket[] }).opened;
        while (line!.readyState === WebSocket.OPEN) await new Promise(requestAnimationFrame);
        history.pushState({}, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
        return line!.readyState;
      }, '/game-list/tennis');
      way.beginEnd();
      expect(await left).toBe(CLOSING);
      await expect.poll(states, { timeout: 40_000 }).toEqual([CLOSED, OPEN]);
      await backAt(rows[0]!, 700);
      await seen(cell(1, other.page), /7\.00/);
      expect(other.errors).toEqual([]);
    } finally {
      await other.context.close();
      way.close();
    }
  });

  it('after an update of the server it hears of prices and of bets again, without a reload', async () => {
    const made = rows[30]!;
    await openMatch(page, made);
    await seen(priceOf(page, 'Match Odds', 'Back', 'Ann 31'), /2\.00/);
    await page.evaluate(() => Object.assign(window, { stillHere: true }));
    await site.shutDown();
    await site.start();
    await backAt(made, 600);
    await seen(priceOf(page, 'Match Odds', 'Back', 'Ann 31'), /6\.00/, 40_000);
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 600, 700);
    await seen(myBets(page), /Ann 31[\s\S]*6\.00\s*7/);
    expect(await page.evaluate(() => (window as unknown as { stillHere?: boolean }).stillHere)).toBe(true);
  });
});
