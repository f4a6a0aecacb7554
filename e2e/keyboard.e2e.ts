import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browser, page, site, stand, token } from './alice-ground.ts';
import { PHONE, visit } from './browser.ts';
import { IN_FIREFOX } from './firefox.ts';
import {
  addMatch,
  betsOf,
  go,
  listed,
  type Made,
  market,
  openMatch,
  PASSWORDS,
  placeByCall,
  quote,
  seen,
  slipOf,
  tabBeside,
} from './play.ts';
import { holds, settled, until } from './wait.ts';

/** The product by keyboard alone, and under prices that move: focus is never lost or moved, and nothing on the page jumps. */
let made: Made;

stand({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '11' }, async () => {
  made = await addMatch(site, 'Ida Iron v Joy Jade', ['Ida Iron', 'Joy Jade']);
  for (const runnerId of made.runnerIds)
    await quote(
      site,
      made.betId,
      runnerId,
      [
        [200, 100_000],
        [198, 100_000],
        [196, 100_000],
      ],
      [
        [204, 100_000],
        [206, 100_000],
        [208, 100_000],
      ],
    );
});

/** What has the focus, as a screen reader names it. */
const focused = (on = page): Promise<string> =>
  on.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return 'nothing';
    const label = (at as HTMLInputElement).labels?.[0]?.textContent;
    return at.getAttribute('aria-label') ?? (label || at.textContent || at.id || at.tagName).trim();
  });

/** Presses Tab (or Shift+Tab) until the named thing has the focus. */
async function tabTo(name: RegExp, { back = false, most = 150, on = page } = {}): Promise<void> {
  for (let n = 0; n < most; n++) {
    await on.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    if (name.test(await focused(on))) return;
  }
  throw new Error(`${name} cannot be reached by Tab; the focus is on ${await focused(on)}`);
}

describe('by keyboard alone', () => {
  it('a player signs in, skips to the content and leaves through the menu', async () => {
    const other = await visit(browser);
    await other.page.goto(`${site.url}/login`);
    await other.page.getByLabel('Username').waitFor();
    await other.page.locator('body').press('Tab');
    for (let n = 0; n < 20; n++) {
      if (await other.page.evaluate(() => document.activeElement?.getAttribute('autocomplete') === 'username')) break;
      await other.page.keyboard.press('Tab');
    }
    await other.page.keyboard.type('bob');
    await other.page.keyboard.press('Tab');
    await other.page.keyboard.type(PASSWORDS.bob);
    await other.page.keyboard.press('Enter');
    await other.page.waitForURL('**/home');
    await other.page.locator('.event-list__event').first().waitFor();
    await other.page.reload();
    await other.page.locator('.event-list__event').first().waitFor();
    await other.page.keyboard.press('Tab');
    expect(await focused(other.page)).toBe('Skip to content');
    await other.page.keyboard.press('Enter');
    await other.page.keyboard.press('Tab');
    expect(await other.page.evaluate(() => document.getElementById('main')!.contains(document.activeElement))).toBe(
      true,
    );
    await tabTo(/^Account of bob/, { back: true, on: other.page });
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('menu').waitFor();
    await other.page.keyboard.press('Escape');
    await expect.poll(() => other.page.getByRole('menu').count()).toBe(0);
    expect(await focused(other.page)).toMatch(/^Account of bob/);
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('menu').waitFor();
    await other.page.keyboard.press('End');
    await expect.poll(() => focused(other.page)).toBe('SignOut');
    // Keys that were pressed faster than the page took them: closed and open again in one turn.
    await other.page.evaluate(() => {
      const box = document.querySelector<HTMLElement>('[popover]:popover-open')!;
      box.hidePopover();
      box.showPopover();
    });
    await expect.poll(() => focused(other.page)).not.toMatch(/^Account of bob|SignOut/);
    await other.page.keyboard.press('End');
    await expect.poll(() => focused(other.page)).toBe('SignOut');
    await other.page.keyboard.press('Enter');
    await other.page.waitForURL('**/login');
    await other.context.close();
  });

  it('every price of a market can be reached, in the order it is read', async () => {
    await openMatch(page, made);
    await seen(market(page, 'Match Odds'), '2.08');
    const open = () =>
      market(page, 'Match Odds')
        .locator('button.price__cell:not([aria-disabled])')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
    // Prices that have only just come are held back for a moment.
    await expect.poll(async () => (await open()).length).toBe(12);
    const all = await open();
    const reached: string[] = [];
    await page.getByRole('heading', { level: 1 }).click();
    for (let n = 0; n < 80 && reached.length < 12; n++) {
      await page.keyboard.press('Tab');
      const name = await focused();
      if (/^(Back|Lay) (Ida|Joy)/.test(name)) {
        reached.push(name);
        // The focus can be seen: an outline of two pixels at least.
        const outline = await page.evaluate(() => {
          const style = getComputedStyle(document.activeElement!);
          return style.outlineStyle === 'none' && style.boxShadow === 'none' ? 0 : 2;
        });
        expect(outline).toBe(2);
      }
    }
    expect(reached).toEqual(all);
  });

  it('a bet is placed, edited and cancelled', async () => {
    await openMatch(page, made);
    await page.getByRole('heading', { level: 1 }).click();
    await tabTo(/^Lay Ida Iron at 2\.04/);
    await page.keyboard.press('Enter');
    // The stake has the focus: the next keys are its figures.
    await expect.poll(() => focused()).toBe('Stake');
    await page.keyboard.type('12');
    await tabTo(/^Odds$/, { back: true, most: 4 });
    for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowDown');
    await seen(slipOf(page), /Lay \(against\)/);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('1.96');
    await tabTo(/^Place lay 12/, { most: 30 });
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toMatch(/^Confirm lay 12/);
    await page.keyboard.press('Enter');
    await seen(slipOf(page), /Waiting at 1\.96/);
    // The form is gone, the focus is not: it stands on what comes next.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('.shell__slotSlip') !== null))
      .toBe(true);
    await page.getByRole('region', { name: 'Unmatched bets' }).getByRole('button', { name: 'Edit' }).waitFor();
    await tabTo(/^Edit bet on Ida Iron$/, { most: 20 });
    await page.keyboard.press('Enter');
    await tabTo(/^Odds$/, { most: 5 });
    await page.keyboard.press('ArrowUp');
    await tabTo(/^Change bet$/, { most: 10 });
    await page.keyboard.press('Enter');
    await seen(page.getByRole('region', { name: 'Unmatched bets' }), /1\.97\s*12/);
    await expect.poll(() => focused()).not.toBe('nothing');
    await tabTo(/^Cancel bet on Ida Iron/, { most: 12 });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('region', { name: 'Unmatched bets' }).count()).toBe(0);
    await expect.poll(() => focused()).not.toBe('nothing');
    const bets = await betsOf(site, token, `&betId=eq${made.betId}`);
    expect(bets.map((bet) => [bet.odds, bet.remaining]).at(0)).toEqual([197, 0]);
  });

  it('Enter in the stake asks, Enter again places; Escape goes back one step, then leaves the slip for its price', async () => {
    await openMatch(page, made);
    await page.getByRole('heading', { level: 1 }).click();
    await tabTo(/^Back Joy Jade at 2\.00/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Stake');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await seen(slipOf(page), 'Confirm back 7');
    await page.keyboard.press('Escape');
    await seen(slipOf(page), 'Place back 7');
    await page.keyboard.press('Escape');
    await seen(slipOf(page), 'Your slip is empty');
    await expect.poll(() => focused()).toMatch(/^Back Joy Jade at 2\.00/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Stake');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await seen(slipOf(page), 'Confirm back 7');
    await page.keyboard.press('Enter');
    await seen(slipOf(page), /Matched at 2\.00, 7\.00\./);
    await expect.poll(() => focused()).not.toBe('nothing');
  });

  it('a typed price counts when Enter sends the slip; a double click or a held key asks and no more', async () => {
    await openMatch(page, made);
    const before = (await betsOf(site, token, `&betId=eq${made.betId}`)).length;
    await market(page, 'Match Odds').locator('button.price__back:not([aria-disabled])').nth(5).click();
    await slipOf(page).getByLabel('Stake', { exact: true }).fill('3');
    const odds = slipOf(page).getByLabel('Odds', { exact: true });
    await odds.fill('7.03');
    await odds.press('Enter');
    await seen(slipOf(page), 'Confirm back 3');
    expect(await odds.inputValue()).toBe('7.20');
    await page.keyboard.press('Escape');
    await odds.fill('');
    await odds.press('Enter');
    await seen(slipOf(page), 'Place back 3');
    // In Firefox the driver's two clicks are not counted as one double click.
    if (!IN_FIREFOX) {
      await slipOf(page).getByRole('button', { name: 'Place back 3' }).dblclick();
      await seen(slipOf(page), 'Confirm back 3');
      await page.keyboard.press('Escape');
    }
    await slipOf(page).getByLabel('Stake', { exact: true }).focus();
    await page.keyboard.down('Enter');
    for (let n = 0; n < 5; n++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await seen(slipOf(page), 'Confirm back 3');
    await holds(500, async () => expect((await betsOf(site, token, `&betId=eq${made.betId}`)).length).toBe(before));
    await page.keyboard.press('Enter');
    await seen(slipOf(page), /Waiting at 7\.20/);
    expect((await betsOf(site, token, `&betId=eq${made.betId}`))[0]).toMatchObject({ odds: 720, amount: 300 });
  });

  it('several bets are gathered from the rows, staked and placed by keys: what is refused stays with its reason', async () => {
    await openMatch(page, made);
    const rows = slipOf(page).getByRole('listitem');
    // The first press of a row's key may come before the keys do.
    await until('the first row has the focus', async () => {
      await page.keyboard.press('j');
      return (await focused()).startsWith('Back Ida Iron at');
    });
    await page.keyboard.press('b');
    await expect.poll(() => focused()).toBe('Stake');
    await tabTo(/^Several bets$/, { most: 30 });
    await page.keyboard.press('Space');
    await expect.poll(() => rows.count()).toBe(1);
    await page.keyboard.press('j');
    await page.keyboard.press('l');
    await expect.poll(() => focused()).toMatch(/^Lay Ida Iron at/);
    await page.keyboard.press('j');
    await page.keyboard.press('b');
    await expect.poll(() => rows.count()).toBe(3);
    await slipOf(page).getByRole('group', { name: 'Stake buttons' }).waitFor();
    // From the last bet back to the first; each takes the player's first stake, the second one far more than he has.
    for (const key of ['.', '1', ',', '1', ',', '1']) await page.keyboard.press(key);
    await seen(slipOf(page), 'Place 3 bets');
    await page.keyboard.press('.');
    await tabTo(/^Odds$/, { most: 4 });
    await page.keyboard.press('Control+a');
    await page.keyboard.type('900');
    await tabTo(/^Stake$/, { most: 3 });
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5000');
    await page.keyboard.press('Enter');
    await seen(slipOf(page), 'Confirm 3 bets');
    await page.keyboard.press('Enter');
    await seen(rows.nth(0), /Matched at 2\.00/);
    await seen(rows.nth(2), /Matched at 2\.00/);
    await seen(rows.nth(1), 'Your available balance does not cover this bet.');
    await seen(slipOf(page), 'Place 1 bet');
    await page.getByRole('heading', { level: 1 }).click();
    for (let left = 3; left > 0; left--) {
      await page.keyboard.press('x');
      await expect.poll(() => rows.count()).toBe(left - 1);
    }
    await seen(slipOf(page), 'Your slip is empty');
    // What is chosen is kept: the tests behind this one have one bet in the slip.
    await page.evaluate(() => localStorage.removeItem('fg.slip'));
    await page.reload();
  });

  it('runners are dutched', async () => {
    const field = await addMatch(site, 'Kim v Lea v Mia', ['Kim', 'Lea', 'Mia']);
    for (const runnerId of field.runnerIds)
      await quote(site, field.betId, runnerId, [[400, 100_000]], [[410, 100_000]]);
    await openMatch(page, field);
    await page.getByRole('heading', { level: 1 }).click();
    await tabTo(/^Dutching$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Dutching' });
    await dialog.waitFor();
    // First the choice of that name, then its field.
    for (let n = 0; n < 2; n++) await tabTo(/^Total stake$/, { most: 4 });
    await page.keyboard.type('30');
    for (const name of [/^Kim$/, /^Lea$/]) {
      await tabTo(name, { most: 3 });
      await page.keyboard.press('Space');
    }
    await tabTo(/^Place 2 bets$/, { most: 4 });
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const bets = await betsOf(site, token, `&betId=eq${field.betId}`);
    expect(bets.map(({ odds, matched }) => [odds, matched])).toEqual([
      [400, 1500],
      [400, 1500],
    ]);
  });

  it('the depth ladder takes arrows, B and L, and Escape cancels what waits', async () => {
    await openMatch(page, made);
    // From the top: past the end of a page Firefox goes through its own bars, where the driver's keys do not follow.
    await page.getByRole('heading', { level: 1 }).click();
    await tabTo(/^Market depth$/);
    await page.keyboard.press('Enter');
    await page.locator('.ladder__ladder').first().waitFor();
    await tabTo(/^Prices of Ida Iron/);
    await seen(page.locator('.ladder__ladder').first(), '2.04');
    // No key acts at a row that is not marked in sight.
    await page.keyboard.press('b');
    await page.locator('.ladder__ladder').first().locator('.is-mark').waitFor();
    // The bet placed before may still be told of there: what counts is that nothing can be placed.
    const stake = slipOf(page).getByLabel('Stake', { exact: true });
    expect(await stake.count()).toBe(0);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('b');
    await stake.waitFor();
    await seen(slipOf(page), 'Ida Iron');
    await page.keyboard.press('Escape');
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 500, 300);
    await expect.poll(async () => (await betsOf(site, token, `&betId=eq${made.betId}`))[0]!.remaining).toBe(300);
    await page.locator('.ladder__box').first().focus();
    await seen(page.getByRole('region', { name: 'My bets' }), '5.00');
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await betsOf(site, token, `&betId=eq${made.betId}`))[0]!.remaining).toBe(0);
  });
});

describe('while prices move', () => {
  const figures = () => page.locator('.price__cell b').allTextContents();
  const openCells = () => market(page, 'Match Odds').locator('button.price__cell:not([aria-disabled])');
  /**
   * Looks at a cricket match in play for a while, and at another one where its prices stood still: between balls, between
   * innings and at drinks they do. `look` answers whether they moved.
   */
  const whilePricesMove = async (look: (path: string) => Promise<boolean>) => {
    const matches = (await listed(site, token)).filter(
      (one) => one.matchType === 'cricket' && one.inPlay && one.isFancy,
    );
    expect(matches).not.toEqual([]);
    for (let tries = 0; tries < 8; tries++) {
      const path = `/game-detail/cricket/${matches[tries % matches.length]!.id}`;
      await go(page, path);
      await market(page, 'Match Odds').waitFor();
      const before = (await figures()).join(' ');
      const moves = await until(
        '',
        async () => (await openCells().count()) > 2 && (await figures()).join(' ') !== before,
        {
          timeout: 2500,
        },
      ).catch(() => false);
      if (moves && (await look(path))) return;
    }
    throw new Error('No cricket match in play has prices that move.');
  };

  it('the focus stays on its price for ten seconds of ticks, and the page does not scroll', async () => {
    await whilePricesMove(async () => {
      const cell = await openCells().nth(2).elementHandle();
      await cell!.focus();
      const before = (await figures()).join(' ');
      const lost = await page.evaluate(async () => {
        const held = document.activeElement;
        const y = scrollY;
        const gone = new Set<string>();
        const end = performance.now() + 10_000;
        while (performance.now() < end) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (document.activeElement !== held) gone.add(document.activeElement?.outerHTML.slice(0, 80) ?? 'none');
          if (scrollY !== y) gone.add(`scrolled to ${scrollY}`);
        }
        return [...gone];
      });
      expect(lost).toEqual([]);
      return (await figures()).join(' ') !== before;
    });
  });

  it('a stake is typed on while the market moves and is covered', async () => {
    await openMatch(page, made);
    await market(page, 'Match Odds').locator('button.price__back:not([aria-disabled])').nth(2).click();
    const stake = slipOf(page).getByLabel('Stake', { exact: true });
    await stake.focus();
    await page.keyboard.type('1');
    await quote(site, made.betId, made.runnerIds[0]!, [[190, 100_000]], [[194, 100_000]]);
    await page.keyboard.type('2');
    await site.operator('/market/suspend', { betId: made.betId, reason: 'A test' });
    await seen(slipOf(page), 'Market suspended');
    await page.keyboard.type('3');
    await site.operator('/market/resume', { betId: made.betId, reason: 'A test' });
    await seen(slipOf(page), /Place back 123/);
    expect(await stake.inputValue()).toBe('123');
    expect(await focused()).toBe('Stake');
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('no control or box moves in ten seconds on the event page, the landing, a race and a phone', async () => {
    const race = (await listed(site, token)).filter(
      (one) => one.matchType === 'horseRacing' && one.head?.status === 'OPEN',
    )[5];
    const watch = async (path: string, viewport?: { width: number; height: number }) => {
      const tab = await tabBeside(page);
      if (viewport) await tab.setViewportSize(viewport);
      await tab.goto(site.url + path);
      await tab.locator('.price__cell:not(.price__empty) b').first().waitFor({ state: 'attached' });
      // The sports' tree and the player's bets are there as well, not on their way.
      await tab.waitForLoadState('networkidle');
      // The chart is fetched last of all.
      if (path !== '/home')
        await tab.getByRole('group', { name: 'Runners shown' }).first().waitFor({ state: 'attached' });
      await settled(tab);
      const prices = async () => (await tab.locator('.price__cell b').allTextContents()).join(' ');
      const before = await prices();
      const { moved, shift } = await watchTenSeconds(tab);
      expect(moved, path).toEqual([]);
      expect(shift, path).toBeLessThan(0.005);
      const changed = (await prices()) !== before;
      await tab.close();
      return changed;
    };
    await whilePricesMove(async (event) => {
      const [wide, home, , narrow] = await Promise.all([
        watch(event),
        watch('/home'),
        watch(`/race/${race!.id}`),
        watch(event, PHONE),
      ]);
      return wide && home && narrow;
    });
  });
});

/**
 * Watches every control, row and panel frame by frame. Answers what moved or changed its size, and the browser's own sum of
 * layout shifts, which also counts a centred figure that gets one digit more.
 */
const watchTenSeconds = (on: Page): Promise<{ moved: string[]; shift: number }> =>
  on.evaluate(async () => {
    // A new session may come at the end of its panel, or in the place of a settled one; what takes bets stays.
    const settled = (part: HTMLElement) =>
      part.matches('.fancy-market__line') && !part.querySelector('button.price__cell');
    const parts = [
      ...document.querySelectorAll<HTMLElement>(
        '.shell__shell button, .shell__shell a, .shell__shell input, .market-table__market, .market-table__line, .fancy-market__line, .event-list__event, .race-parts__runner, .panel__panel, .turf__turf, .scoreboard__board, h1, h2',
      ),
    ].filter((part) => {
      const fancy = document.querySelector('.fancy-market__fancy');
      const below =
        fancy !== null &&
        (fancy.compareDocumentPosition(part) & 4) !== 0 &&
        !fancy.contains(part) &&
        !part.closest('.shell__rail');
      return (
        part !== fancy && !settled(part) && !below && !part.closest('.race-parts__races') && part.offsetParent !== null
      );
    });
    const place = (part: HTMLElement) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height].map((figure) => Math.round(figure)).join(' ');
    };
    const first = parts.map(place);
    const moved = new Map<string, string>();
    let shift = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value;
    });
    observer.observe({ type: 'layout-shift', buffered: false });
    const end = performance.now() + 10_000;
    while (performance.now() < end) {
      await new Promise(requestAnimationFrame);
      parts.forEach((part, at) => {
        if (!part.isConnected || settled(part)) return;
        const now = place(part);
        if (now !== first[at])
          moved.set(
            `${part.className} ${part.getAttribute('aria-label') ?? part.textContent}`.slice(0, 90),
            `${first[at]} -> ${now}`,
          );
      });
    }
    observer.disconnect();
    return { moved: [...moved].slice(0, 20).map((one) => one.join(': ')), shift };
  });
