import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browser, clear, made, page, priced, show, site, stand, walks } from './a11y-ground.ts';
import { DESKTOP, PHONE, visit } from './browser.ts';
import {
  go,
  market,
  openMatch,
  PASSWORDS,
  placeNow,
  priceOf,
  quote,
  seen,
  signedIn,
  slipOf,
  stakeBox,
} from './play.ts';
import { EVENT, PRICED } from './screens.ts';
import { holds, paced, settled } from './wait.ts';

/** Accessibility of what moves and answers, one block a criterion, on the built site with prices that move. */
stand();

/** Counts what is put into live regions from now on; `stop` answers the texts in their order. */
const heardSoFar = (on: Page): Promise<string[]> =>
  on.evaluate(() =>
    (globalThis as unknown as { heard: string[] }).heard
      .filter((text) => text.trim() !== '')
      .map((text) => text.replaceAll('\u00a0', ' ').trim()),
  );

async function listen(on: Page): Promise<() => Promise<string[]>> {
  await on.evaluate(() => {
    const heard: string[] = [];
    const observer = new MutationObserver((changes) => {
      const regions = new Set<Element>();
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest('[aria-live], [role=status], [role=alert], [role=log]');
        if (region) regions.add(region);
      }
      for (const region of regions) heard.push(region.textContent ?? '');
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { heard, observer });
  });
  return async () => {
    await on.evaluate(() => (globalThis as unknown as { observer: MutationObserver }).observer.disconnect());
    return heardSoFar(on);
  };
}

describe('status messages', () => {
  it('[A11Y-01] a hundred ticks a second are spoken at most once in five seconds, and no other price at all', async () => {
    await page.setViewportSize(DESKTOP);
    await priced();
    await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
    await settled(page);
    const stop = await listen(page);
    let ticks = 0;
    const started = Date.now();
    // The book of both runners, as fast as the server takes them.
    await paced({ until: () => ticks >= 330 && Date.now() - started >= 11_000, every: 40 }, () =>
      Promise.all(
        Array.from({ length: 5 }, (_, n) => {
          ticks += 1;
          const back = 150 + ((ticks * 2) % 40);
          return quote(site, made.betId, made.runnerIds[n % 2]!, [[back, 100_000]], [[back + 4, 100_000]]);
        }),
      ),
    );
    const heard = await stop();
    const prices = heard.filter((text) => /\d\.\d\d/.test(text));
    expect(prices.length).toBeGreaterThan(0);
    expect(prices.length).toBeLessThanOrEqual(1 + Math.floor((Date.now() - started) / 5000));
    for (const text of prices) expect(text).toMatch(/^Back Max Moor: 1\.\d\d$/);
    expect(heard).toEqual(prices);
    // Switched off, nothing is said.
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('switch', { name: /Speak the price/ }).uncheck();
    await page.keyboard.press('Escape');
    await settled(page);
    const silent = await listen(page);
    await paced({ times: 30, every: 200 }, (n) =>
      quote(site, made.betId, made.runnerIds[0]!, [[200 + n * 2, 100_000]], [[410, 100_000]]),
    );
    expect((await silent()).filter((text) => /\d\.\d\d/.test(text))).toEqual([]);
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('switch', { name: /Speak the price/ }).check();
    await page.keyboard.press('Escape');
    await clear();
  });

  it('[A11Y-01] a suspension, a bet and a refusal are said once each, and the focus stays', async () => {
    await priced();
    await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
    await stakeBox(page).fill('2');
    await stakeBox(page).focus();
    const stop = await listen(page);
    await site.operator('/market/suspend', { betId: made.betId, reason: 'A test' });
    await seen(slipOf(page), 'Market suspended');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Stake');
    await site.operator('/market/resume', { betId: made.betId, reason: 'A test' });
    await seen(slipOf(page), 'Place back 2');
    await expect.poll(() => heardSoFar(page)).toContain('Match Odds: open again');
    const said = await stop();
    expect(said.filter((text) => text === 'Match Odds: suspended')).toHaveLength(1);
    expect(said.filter((text) => text === 'Match Odds: open again')).toHaveLength(1);

    const placed = await listen(page);
    await placeNow(page);
    await slipOf(page).getByRole('button', { name: 'Done' }).waitFor();
    await expect.poll(async () => (await heardSoFar(page)).some((text) => /matched/i.test(text))).toBe(true);
    // Nothing of it is said again.
    await holds(1500, async () => {
      const told = await heardSoFar(page);
      expect(new Set(told).size).toBe(told.length);
    });
    await placed();
    await slipOf(page).getByRole('button', { name: 'Done' }).click();

    // A refusal is assertive, and stands in the slip. The server refuses a runner that is not there.
    await page.route('**/api/placeBet', (route) =>
      route.continue({
        postData: JSON.stringify({ ...(route.request().postDataJSON() as object), runnerId: 999_999 }),
      }),
    );
    await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
    await stakeBox(page).fill('2');
    const refusal = await listen(page);
    await placeNow(page);
    await page.locator('.slip__slip .toast__noteError, [aria-label="Bet slip"] .toast__noteError').first().waitFor();
    await expect.poll(async () => (await heardSoFar(page)).length).toBeGreaterThan(0);
    await refusal();
    expect(await page.locator('[aria-live=assertive]').textContent()).not.toBe('');
    await page.unroute('**/api/placeBet');
    await clear();
  });
});

describe('focus', () => {
  for (const [device, viewport] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const) {
    it(`[A11Y-05] no focused control is hidden by what sticks, and each shows its focus, ${device}`, async () => {
      await page.setViewportSize(viewport);
      const found: string[] = [];
      // Each by something of its own: a screen that came late would take the focus to its beginning in the middle of the walk.
      const screens = [
        { path: '/home', ready: PRICED },
        { path: made.path, ready: EVENT },
        { path: '/account-statement', ready: '#main h1:text("Account Statement")' },
        { path: '/rules', ready: '#main h1:text("Rules")' },
        { path: '/change-password', ready: '#main h1:text("Change Password")' },
        walks[8]!,
      ];
      for (const screen of screens) {
        const { path } = screen;
        await show(page, screen);
        await page.evaluate(() => {
          scrollTo(0, 0);
          (document.activeElement as HTMLElement | null)?.blur();
        });
        for (let n = 0; n < 70; n++) {
          await page.keyboard.press(n < 60 ? 'Tab' : 'Shift+Tab');
          const trouble = await page.evaluate(() => {
            const on = document.activeElement as HTMLElement | null;
            if (!on || on === document.body || on.tagName === 'IFRAME') return '';
            const { left, top, right, bottom, width, height } = on.getBoundingClientRect();
            const name = `${on.tagName}.${on.className} "${(on.getAttribute('aria-label') ?? on.textContent ?? '').slice(0, 30)}"`;
            const spots = [0.1, 0.5, 0.9].flatMap((x) =>
              [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y]),
            );
            const seen = spots.some(([x, y]) => {
              const above = document.elementFromPoint(x!, y!);
              return above !== null && (above === on || on.contains(above) || above.contains(on));
            });
            if (!seen)
              return `${name} is covered at ${left.toFixed(0)},${top.toFixed(0)}-${right.toFixed(0)},${bottom.toFixed(0)}`;
            const style = getComputedStyle(on.matches('.tabs__switch input, .sr') ? on.parentElement! : on);
            const ring = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
            const around = on.closest('label, .field__input, .stp, .header__search, .input');
            const near = around ? getComputedStyle(around) : style;
            const shown =
              ring ||
              style.boxShadow !== 'none' ||
              (near.outlineStyle !== 'none' && near.outlineWidth !== '0px') ||
              near.boxShadow !== 'none';
            return shown ? '' : `${name} shows no focus`;
          });
          if (trouble) found.push(`${path} ${trouble}`);
        }
      }
      expect([...new Set(found)]).toEqual([]);
    });
  }
});

describe('what moves by itself', () => {
  it('[A11Y-06] the notices stop by their button, and a menu entry that blinks stops within five seconds', async () => {
    const one = await signedIn(browser, site, 'bob', { notices: 'running' });
    await one.page.locator('.notice-bar__run').waitFor();
    const running = () =>
      one.page.evaluate(() =>
        document
          .getAnimations()
          .filter((animation) => animation.playState === 'running')
          .map((animation) => ({
            on: ((animation as CSSAnimation).effect as KeyframeEffect).target?.className ?? '',
            end: Number((animation.effect as KeyframeEffect).getComputedTiming().endTime),
          })),
      );
    expect((await running()).some(({ on }) => String(on).includes('notice-bar__run'))).toBe(true);
    await one.page.getByRole('button', { name: 'Pause notices' }).click();
    await one.page.mouse.move(10, 500);
    await one.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await expect
      .poll(async () => (await running()).some(({ on }) => String(on).includes('notice-bar__run')))
      .toBe(false);
    await one.page.getByRole('button', { name: 'Run notices' }).click();
    // Whatever else moves ends by itself within five seconds, but for what says that something is loading or live.
    const endless = (await running()).filter(({ on, end }) => !String(on).includes('notice-bar__') && !(end <= 5000));
    expect(endless.filter(({ on }) => !/ballrun|spin|skel|reload-line/.test(String(on)))).toEqual([]);
    await expect
      .poll(async () => (await running()).filter(({ on }) => /dot|nv/.test(String(on))), { timeout: 5200 })
      .toEqual([]);
    await one.context.close();
  });

  it('[A11Y-06] prices can be frozen: a banner says so, nothing moves, nothing can be bet on, and they run again', async () => {
    await page.setViewportSize(DESKTOP);
    await priced(200);
    await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
    await stakeBox(page).fill('5');
    await seen(slipOf(page), 'Place back 5');
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('radio', { name: 'Frozen' }).check();
    await page.keyboard.press('Escape');
    const banner = page.getByRole('alert').filter({ hasText: 'Prices are frozen' });
    await banner.waitFor();
    expect(await banner.textContent()).toContain('You cannot bet until they run again.');
    await seen(slipOf(page), 'Prices are frozen');
    expect(await slipOf(page).locator('button[type=submit]').isDisabled()).toBe(true);
    const cells = market(page, 'Match Odds').locator('button.price__cell:not(.price__empty)');
    for (const cell of await cells.all()) expect(await cell.getAttribute('aria-disabled')).toBe('true');
    const before = await cells.allTextContents();
    await quote(site, made.betId, made.runnerIds[0]!, [[300, 100_000]], [[305, 100_000]]);
    await holds(1500, async () => expect(await cells.allTextContents()).toEqual(before));
    // Other screens stand still too. Which events there are is read anew once, when the screen is opened.
    const read = page.waitForResponse((response) => response.url().includes('/api/match/list'));
    await go(page, '/home');
    await (await read).finished();
    await page.locator(PRICED).first().waitFor();
    await settled(page);
    const figures = () => page.locator('.price__cell b').allTextContents();
    const then = (await figures()).join(' ');
    await holds(4000, async () => expect((await figures()).join(' ')).toBe(then));
    expect(await page.locator('.event-list__event button.price__cell:not([aria-disabled])').count()).toBe(0);
    await openMatch(page, made);
    await page.getByRole('button', { name: 'Run prices' }).click();
    await banner.waitFor({ state: 'detached' });
    await expect.poll(() => cells.allTextContents()).not.toEqual(before);
    await seen(market(page, 'Match Odds'), '3.00');
    await expect
      .poll(() => market(page, 'Match Odds').locator('button.price__cell:not([aria-disabled])').count())
      .toBeGreaterThan(1);
    await clear();
  });

  it('[A11Y-06] slow prices come together every five seconds; a suspension does not wait', async () => {
    await priced(200);
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('radio', { name: 'Every 5 s' }).check();
    await page.keyboard.press('Escape');
    const cell = market(page, 'Match Odds').locator('button.price__back').nth(2);
    const changes = await page.evaluate(() => {
      const times: number[] = [];
      const cell_ = document.querySelector(
        'section.market-table__market[aria-label="Match Odds"] button.price__back:not(.price__cell2):not(.price__cell3)',
      )!;
      new MutationObserver(() => times.push(performance.now())).observe(cell_, {
        subtree: true,
        characterData: true,
        childList: true,
      });
      Object.assign(globalThis, { times });
      return times.length;
    });
    expect(changes).toBe(0);
    await paced({ times: 24, every: 450 }, (n) =>
      quote(site, made.betId, made.runnerIds[0]!, [[220 + n * 2, 100_000]], [[305, 100_000]]),
    );
    const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
    const beats = times.filter((time, at) => at === 0 || time - times[at - 1]! > 1000);
    expect(beats.length).toBeGreaterThan(0);
    expect(beats.length).toBeLessThanOrEqual(3);
    expect(await cell.getAttribute('aria-disabled')).toBeNull();
    const asked = Date.now();
    await site.operator('/market/suspend', { betId: made.betId, reason: 'A test' });
    await market(page, 'Match Odds').getByText('Suspended').first().waitFor();
    expect(Date.now() - asked).toBeLessThan(3000);
    await site.operator('/market/resume', { betId: made.betId, reason: 'A test' });
    // Remembered by this browser, and switched back.
    await page.reload();
    await page.getByRole('button', { name: 'Display' }).click();
    expect(await page.getByRole('radio', { name: 'Every 5 s' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Live' }).check();
    await page.keyboard.press('Escape');
  });

  it('[A11Y-07] a cell lights up at most once a second however fast it moves, and never in red', async () => {
    await priced(200);
    await expect.poll(() => market(page, 'Match Odds').locator('.price__cell:is(.is-up, .is-dn)').count()).toBe(0);
    await page.evaluate(() => {
      const lit: number[] = [];
      const cell = document.querySelector(
        'section.market-table__market[aria-label="Match Odds"] button.price__back:not(.price__cell2):not(.price__cell3)',
      )!;
      let bright = false;
      const frame = () => {
        const now =
          (cell.classList.contains('is-up') || cell.classList.contains('is-dn')) &&
          !cell.classList.contains('is-fading');
        if (now && !bright) lit.push(performance.now());
        bright = now;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      Object.assign(globalThis, { lit });
    });
    await paced({ during: 6000, every: 60 }, (n) =>
      quote(site, made.betId, made.runnerIds[0]!, [[n % 2 ? 220 : 226, 100_000]], [[305, 100_000]]),
    );
    const lit = await page.evaluate(() => (globalThis as unknown as { lit: number[] }).lit);
    expect(lit.length).toBeGreaterThan(2);
    for (let n = 1; n < lit.length; n++) expect(lit[n]! - lit[n - 1]!).toBeGreaterThan(950);
    const colours = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return ['--flash-up', '--flash-down', '--flash-lift'].map((name) => style.getPropertyValue(name).trim());
    });
    expect(colours).toEqual(['#7ef0ae', '#ffb45c', expect.stringMatching(/^(rgba\(255, 255, 255|#ffffff)/)]);
  });

  it('[A11Y-07] with reduced motion nothing moves: no notices, no blinking, no light over a cell, only the arrow', async () => {
    const calm = await signedIn(browser, site, 'bob', { reducedMotion: 'reduce' });
    await calm.page.locator(PRICED).first().waitFor();
    await settled(calm.page);
    const moving = () =>
      calm.page.evaluate(() =>
        document
          .getAnimations()
          .filter((animation) => animation.playState === 'running')
          .map((animation) => String(((animation as CSSAnimation).effect as KeyframeEffect).target?.className ?? '')),
      );
    expect(await moving()).toEqual([]);
    await openMatch(calm.page, made);
    await priceOf(calm.page, 'Match Odds', 'Back', 'Max Moor').waitFor();
    expect(await moving()).toEqual([]);
    await quote(site, made.betId, made.runnerIds[0]!, [[250, 100_000]], [[305, 100_000]]);
    const marked = market(calm.page, 'Match Odds').locator('.price__cell.is-up, .price__cell.is-dn').first();
    await marked.waitFor();
    const { light, arrow } = await marked.evaluate((cell) => ({
      light: getComputedStyle(cell).backgroundImage,
      arrow: getComputedStyle(cell.querySelector('.price__move')!).visibility,
    }));
    expect(arrow).toBe('visible');
    expect(light).toMatch(/rgba\(0, 0, 0, 0\)/);
    expect(await moving()).toEqual([]);
    await calm.context.close();
  });
});

describe('time', () => {
  it('[A11Y-08] the end of an idle session is told two minutes before, and one key stays, ten times over', async () => {
    const idle = await visit(browser);
    await idle.page.clock.install();
    await idle.page.goto(`${site.url}/login`);
    await idle.page.getByLabel('Username').fill('bob');
    await idle.page.getByLabel('Password', { exact: true }).fill(PASSWORDS.bob);
    await idle.page.getByRole('button', { name: 'Login', exact: true }).click();
    await idle.page.waitForURL('**/home');
    await idle.page.locator('.header__header').waitFor();
    for (let n = 0; n < 10; n++) {
      await idle.page.clock.fastForward((6 * 60 - 2) * 60_000 + 1500);
      const dialog = idle.page.getByRole('dialog', { name: 'Are you still here?' });
      await dialog.waitFor();
      if (n === 0) expect(await dialog.textContent()).toMatch(/1:5\d|2:00/);
      await expect
        .poll(() => idle.page.evaluate(() => document.activeElement?.closest('dialog, [role=dialog]') !== null))
        .toBe(true);
      // By keyboard alone: the focus stands in the dialog, and one key stays.
      for (let tries = 0; tries < 4; tries++) {
        if (await idle.page.evaluate(() => document.activeElement?.textContent === 'Stay signed in')) break;
        await idle.page.keyboard.press('Tab');
      }
      await idle.page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
    }
    expect(new URL(idle.page.url()).pathname).toBe('/home');
    await idle.context.close();
  });

  it('[A11Y-09] a short message is held by pointer or focus, and all of them are in the list, by keyboard', async () => {
    await page.setViewportSize(DESKTOP);
    await go(page, '/change-btn-value');
    await page.locator('#main h1').waitFor();
    const save = page.getByRole('button', { name: 'Update', exact: true });
    await expect.poll(() => save.isEnabled()).toBe(true);
    const toast = page.locator('.toast__toast');
    // The pointer lies where messages come before one is there: it stands for a second and a half, and a way to it may take longer.
    await page.mouse.move(DESKTOP.width / 2, 30);
    await save.press('Enter');
    await toast.waitFor();
    const words = ((await toast.textContent()) ?? '').trim();
    await holds(2600, async () => expect(await toast.count()).toBe(1));
    await page.mouse.move(400, 600);
    await toast.waitFor({ state: 'detached', timeout: 10_000 });
    // Focused as soon as it comes.
    await page.evaluate(() => {
      const seen = new MutationObserver(() => {
        const message = document.querySelector<HTMLElement>('.toast__toast');
        if (!message) return;
        seen.disconnect();
        message.focus();
      });
      seen.observe(document.body, { subtree: true, childList: true });
    });
    await save.press('Enter');
    await toast.waitFor();
    await holds(2600, async () => expect(await toast.count()).toBe(1));
    await save.focus();
    await toast.waitFor({ state: 'detached', timeout: 10_000 });
    // The list, without a pointer.
    const opener = page.getByRole('button', { name: 'Messages' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('dialog', { name: 'Messages' });
    await list.waitFor();
    await expect.poll(() => list.textContent()).toContain(words);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Messages');
  });
});

describe('money', () => {
  it('[A11Y-10] a bet is looked at before it is placed; one-click is off until armed, and says what it does', async () => {
    await priced(200);
    const oneClick = page.getByRole('switch', { name: 'One-click' });
    expect(await oneClick.isChecked()).toBe(false);
    await priceOf(page, 'Match Odds', 'Back', 'Ned Nash').click();
    await stakeBox(page).fill('3');
    await slipOf(page).getByRole('button', { name: 'Place back 3' }).click();
    await slipOf(page).getByRole('button', { name: 'Confirm back 3' }).waitFor();
    expect(await slipOf(page).textContent()).toMatch(/Profit[\s\S]*Liability/);
    await slipOf(page).getByRole('button', { name: 'Back', exact: true }).click();
    await clear();
    await oneClick.check();
    await page.getByText('One-click is on.').waitFor();
    await page.reload();
    await page.getByRole('switch', { name: 'One-click' }).waitFor();
    expect(await page.getByRole('switch', { name: 'One-click' }).isChecked()).toBe(false);
  });
});

describe('keyboard', () => {
  it('[A11Y-13] arrows go from price to price, Enter chooses, Escape leaves the slip, and no update moves the focus', async () => {
    await page.setViewportSize(DESKTOP);
    await priced(200);
    const at = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await priceOf(page, 'Match Odds', 'Back', 'Max Moor').focus();
    await page.keyboard.press('ArrowRight');
    expect(await at()).toMatch(/^Lay Max Moor/);
    await page.keyboard.press('ArrowDown');
    expect(await at()).toMatch(/^Lay Ned Nash/);
    await page.keyboard.press('ArrowLeft');
    expect(await at()).toMatch(/^Back Ned Nash/);
    await page.keyboard.press('ArrowUp');
    expect(await at()).toMatch(/^Back Max Moor/);
    // A hundred random updates: prices come and go, the market is covered and opened.
    for (let n = 0; n < 100; n++) {
      const back = 150 + Math.floor(Math.random() * 40) * 2;
      await quote(site, made.betId, made.runnerIds[n % 2]!, n % 9 === 8 ? [] : [[back, 50_000]], [[back + 40, 50_000]]);
      if (n % 30 === 10) await site.operator('/market/suspend', { betId: made.betId, reason: 'A test' });
      if (n % 30 === 20) await site.operator('/market/resume', { betId: made.betId, reason: 'A test' });
      if (n % 5 === 0) expect(await at()).toMatch(/^Back Max Moor/);
    }
    await site.operator('/market/resume', { betId: made.betId, reason: 'A test' });
    await quote(site, made.betId, made.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
    await seen(market(page, 'Match Odds'), '2.00');
    await expect.poll(at).toMatch(/^Back Max Moor at 2\.00/);
    await page.keyboard.press('Enter');
    await expect.poll(at).toBe('Stake');
    await page.keyboard.press('Escape');
    await expect.poll(at).toMatch(/^Back Max Moor/);
    expect(await slipOf(page).textContent()).toContain('Your slip is empty');
  });

  it('[A11Y-15] popovers close with Escape, stay while the pointer is in them, and give the focus back', async () => {
    await go(page, '/home');
    for (const name of ['Messages', 'Display']) {
      const opener = page.getByRole('button', { name, exact: true });
      await opener.click();
      const box = page.getByRole('dialog', { name });
      await box.waitFor();
      await box.hover();
      await holds(1000, async () => expect(await box.isVisible()).toBe(true));
      await page.keyboard.press('Escape');
      await box.waitFor({ state: 'hidden' });
      expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
    }
  });
});
