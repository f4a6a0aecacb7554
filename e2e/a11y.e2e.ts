import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, launch, PHONE, type Visit, visit } from './browser.ts';
import {
  addMatch,
  go,
  type Made,
  market,
  openMatch,
  PASSWORDS,
  placeByCall,
  placeNow,
  priceOf,
  quote,
  seen,
  signedIn,
  slipOf,
  stakeBox,
  tokenOf,
} from './play.ts';
import { FRAMES, PRICED, PUBLIC, signedInScreens, type Walk } from './screens.ts';
import { type Site, sleep, startSite } from './site.ts';

/** The criteria of accessibility, one block each, on the built site with prices that move. */
let site: Site;
let browser: Browser;
let alice: Visit;
let page: Page;
let token: string;
let made: Made;
let walks: Walk[];

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '5' }), launch()]);
  token = await tokenOf(site, 'alice');
  made = await addMatch(site, 'Max Moor v Ned Nash', ['Max Moor', 'Ned Nash']);
  const settled = await addMatch(site, 'Kim Kent v Lee Lark', ['Kim Kent', 'Lee Lark']);
  for (const one of [made, settled]) {
    await quote(site, one.betId, one.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
    await placeByCall(site, token, one, one.runnerIds[0]!, 'BACK', 200, 1000);
    await placeByCall(site, token, one, one.runnerIds[0]!, 'LAY', 150, 1000);
  }
  await site.operator('/market/declare', {
    betId: settled.betId,
    result: { kind: 'winners', runnerIds: [settled.runnerIds[1]] },
  });
  walks = [...(await signedInScreens(site, token)), { path: made.path, ready: '.mk .px b' }];
  alice = await signedIn(browser, site, 'alice');
  // The other visits are bob's: a fourth session of one player would end the first.
  page = alice.page;
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function show(on: Page, walk: Walk): Promise<void> {
  await go(on, walk.path);
  await on.locator(walk.ready).first().waitFor({ state: 'attached' });
  await sleep(250);
}

/** The open match with a known price, on a page of alice's. */
async function priced(back = 200): Promise<void> {
  await quote(site, made.betId, made.runnerIds[0]!, [[back, 100_000]], [[back + 4, 100_000]]);
  await quote(site, made.betId, made.runnerIds[1]!, [[back, 100_000]], [[back + 4, 100_000]]);
  await openMatch(page, made);
  await priceOf(page, 'Match Odds', 'Back', 'Max Moor').waitFor();
}
const clear = async () => {
  const slip = slipOf(page).getByRole('button', { name: /^(Clear|Done|Remove)$/ });
  if (await slip.first().isVisible()) await slip.first().click();
};

/** Counts what is put into live regions from now on; `stop` answers the texts in their order. */
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
  return () =>
    on.evaluate(() => {
      const { heard, observer } = globalThis as unknown as { heard: string[]; observer: MutationObserver };
      observer.disconnect();
      return heard.filter((text) => text.trim() !== '').map((text) => text.replaceAll('\u00a0', ' ').trim());
    });
}

describe('status messages', () => {
  it('[A11Y-01] a hundred ticks a second are spoken at most once in five seconds, and no other price at all', async () => {
    await page.setViewportSize(DESKTOP);
    await priced();
    await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
    await sleep(300);
    const stop = await listen(page);
    const started = Date.now();
    let ticks = 0;
    // The book of both runners, as fast as the server takes them.
    while (Date.now() - started < 11_000) {
      await Promise.all(
        Array.from({ length: 5 }, (_, n) => {
          ticks += 1;
          const back = 150 + ((ticks * 2) % 40);
          return quote(site, made.betId, made.runnerIds[n % 2]!, [[back, 100_000]], [[back + 4, 100_000]]);
        }),
      );
      await sleep(40);
    }
    const heard = await stop();
    expect(ticks / 11).toBeGreaterThan(30);
    const prices = heard.filter((text) => /\d\.\d\d/.test(text));
    expect(prices.length).toBeGreaterThan(0);
    expect(prices.length).toBeLessThanOrEqual(3);
    for (const text of prices) expect(text).toMatch(/^Back Max Moor: 1\.\d\d$/);
    expect(heard).toEqual(prices);
    // Switched off, nothing is said.
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('switch', { name: /Speak the price/ }).uncheck();
    await page.keyboard.press('Escape');
    await sleep(300);
    const silent = await listen(page);
    for (let n = 0; n < 30; n++) {
      await quote(site, made.betId, made.runnerIds[0]!, [[200 + n * 2, 100_000]], [[410, 100_000]]);
      await sleep(200);
    }
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
    await sleep(200);
    const said = await stop();
    expect(said.filter((text) => text === 'Match Odds: suspended')).toHaveLength(1);
    expect(said.filter((text) => text === 'Match Odds: open again')).toHaveLength(1);

    const placed = await listen(page);
    await placeNow(page);
    await slipOf(page).getByRole('button', { name: 'Done' }).waitFor();
    await sleep(1800);
    const told = await placed();
    expect(told.filter((text) => /matched/i.test(text)).length).toBeGreaterThanOrEqual(1);
    expect(new Set(told).size).toBe(told.length);
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
    await page.locator('.slip .note--err, [aria-label="Bet slip"] .note--err').first().waitFor();
    await sleep(300);
    const refused = await refusal();
    expect(refused.length).toBeGreaterThan(0);
    expect(await page.locator('[aria-live=assertive]').textContent()).not.toBe('');
    await page.unroute('**/api/placeBet');
    await clear();
  });
});

describe('colour', () => {
  it('[A11Y-02] every price says its side, its runner, its price and its size; moves have a shape, results a sign', async () => {
    for (const walk of walks.filter(({ ready }) => /px|rh__t/.test(ready))) {
      await show(page, walk);
      await page.locator('.px:not(.px--na)').first().waitFor();
      const names = await page
        .locator('.px:not(.px--na)')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
      expect(names.length, walk.path).toBeGreaterThan(1);
      for (const name of names)
        expect([walk.path, name]).toEqual([
          walk.path,
          expect.stringMatching(
            /^(Back|Lay|Yes|No) .+(, no price| at [\d.,–-]+( runs, rate \d+|, [\d.,kM]+ available))$/,
          ),
        ]);
      // Above the columns stand the words.
      expect(await page.getByText('Back', { exact: true }).count(), walk.path).toBeGreaterThan(0);
    }
    await priced(200);
    const cell = priceOf(page, 'Match Odds', 'Back', 'Max Moor');
    await quote(site, made.betId, made.runnerIds[0]!, [[210, 100_000]], [[214, 100_000]]);
    await expect
      .poll(() => cell.evaluate((one) => getComputedStyle(one.querySelector('.mv')!).visibility))
      .toBe('visible');
    // Up and down are two shapes, not two colours of one.
    const turned = (move: string) =>
      cell.evaluate((one, name) => {
        const copy = one.cloneNode(true) as HTMLElement;
        copy.classList.remove('is-up', 'is-dn');
        copy.classList.add(name);
        one.after(copy);
        const { transform } = getComputedStyle(copy.querySelector('.mv')!);
        copy.remove();
        return transform;
      }, move);
    expect(await turned('is-up')).not.toBe(await turned('is-dn'));
    await go(page, '/account-statement');
    await page.locator('.dt tbody tr').first().waitFor();
    const amounts = await page.locator('.pl').allTextContents();
    expect(amounts.length).toBeGreaterThan(0);
    for (const amount of amounts) expect(amount.trim()).toMatch(/^([+\u2212-]|0)/);
  });

  it('[A11Y-03] text, figures on the tints, marks of moves and the focus ring stand out, in both themes', async () => {
    for (const theme of ['dark', 'light'] as const) {
      const found = await page.evaluate((name) => {
        document.documentElement.dataset.theme = name;
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
        const root = getComputedStyle(document.documentElement);
        type Colour = [number, number, number];
        const read = (token: string, on: Colour = [0, 0, 0]): Colour => {
          canvas.fillStyle = `rgb(${on.join(',')})`;
          canvas.fillRect(0, 0, 1, 1);
          canvas.fillStyle = root.getPropertyValue(token).trim();
          canvas.fillRect(0, 0, 1, 1);
          const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
          return [r!, g!, b!];
        };
        const light = (colour: Colour) => {
          const [r, g, b] = colour.map((part) => {
            const c = part / 255;
            return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
          }) as Colour;
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a: Colour, b: Colour) => {
          const [high, low] = [light(a), light(b)].sort((x, y) => y - x) as [number, number];
          return (high + 0.05) / (low + 0.05);
        };
        const weak: string[] = [];
        const want = (what: string, least: number, front: Colour, back: Colour) => {
          const value = ratio(front, back);
          if (value < least) weak.push(`${what} ${value.toFixed(2)} < ${least}`);
        };
        for (const side of ['back', 'lay']) {
          for (const depth of ['1', '2', '3', 'h']) {
            const tint = read(`--${side}-${depth}`);
            want(`${side} ${depth} price`, 4.5, read(`--on-${side}`), tint);
            want(`${side} ${depth} size`, 4.5, read(`--on-${side}${depth === 'h' ? '' : '-2'}`), tint);
            // While the mark of a move lies over the cell, its figures are all in the strong colour.
            // Under the pointer the light is left out.
            const lifted = depth === 'h' ? tint : read('--flash-lift', tint);
            want(`${side} ${depth} price while marked`, 4.5, read(`--on-${side}`), lifted);
          }
          want(`${side} selected`, 4.5, read(`--on-${side}-solid`), read(`--${side}-solid`));
          want(`${side} words`, 4.5, read(`--${side}-text`), read('--s1'));
          for (const mark of ['up', 'down'])
            want(`${mark} on ${side}`, 3, read(`--flash-${mark}`), read(`--${side}-1`));
        }
        for (const ground of ['--bg', '--s1', '--s2', '--s3']) {
          want(`text on ${ground}`, 4.5, read('--t1'), read(ground));
          want(`second text on ${ground}`, 4.5, read('--t2'), read(ground));
          want(`focus on ${ground}`, 3, read('--focus'), read(ground));
        }
        for (const words of ['--t3', '--pos', '--neg', '--live', '--info'])
          for (const ground of ['--bg', '--s1']) want(`${words} on ${ground}`, 4.5, read(words), read(ground));
        const veil = read('--veil', read('--back-1'));
        want('suspended', 4.5, read('--neg'), veil);
        want('ball running', 4.5, read('--live'), veil);
        want('controls', 3, read('--ctl'), read('--s1'));
        want('offline', 4.5, read('--on-neg-solid'), read('--neg-solid'));
        want('frozen', 4.5, read('--t1'), read('--live-wash'));
        return weak;
      }, theme);
      expect([theme, found]).toEqual([theme, []]);
    }
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark';
    });
  });
});

/** Controls smaller than 24 px whose 24 px circle meets another control. Links in running text are exempt. */
const smallTargets = (on: Page): Promise<string[]> =>
  on.evaluate(() => {
    const shown = [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], input, select, textarea, summary, [role=tab], [role=menuitem], [tabindex="0"]',
      ),
    ].filter((one) => {
      const { width, height } = one.getBoundingClientRect();
      const style = getComputedStyle(one);
      return width > 0 && height > 0 && style.visibility !== 'hidden' && !one.closest('.sr, .skip, [inert]');
    });
    // A control drawn by its label is as large as the label.
    const boxes = shown.map((one) => {
      const label = one.closest('label');
      const { left, top, right, bottom } = (label ?? one).getBoundingClientRect();
      return { one, left, top, right, bottom, width: right - left, height: bottom - top };
    });
    const small = boxes.filter(({ one, width, height }) => {
      if (width >= 23.5 && height >= 23.5) return false;
      if (getComputedStyle(one).display !== 'inline') return true;
      return !(one.parentElement?.textContent ?? '').replace(one.textContent ?? '', '').trim();
    });
    return small
      .filter((box) => {
        const x = (box.left + box.right) / 2;
        const y = (box.top + box.bottom) / 2;
        return boxes.some((other) => {
          if (other.one === box.one || other.one.contains(box.one) || box.one.contains(other.one)) return false;
          const dx = Math.max(other.left - x, 0, x - other.right);
          const dy = Math.max(other.top - y, 0, y - other.bottom);
          return Math.hypot(dx, dy) < 12;
        });
      })
      .map(
        ({ one, width, height }) =>
          `${one.tagName}.${one.className} "${(one.getAttribute('aria-label') ?? one.textContent ?? '').slice(0, 30)}" ${width.toFixed(0)}x${height.toFixed(0)}`,
      );
  });

describe('targets', () => {
  for (const width of [360, 768, 1199, 1440]) {
    it(`[A11Y-04] every control is 24 px or has room at ${width}`, async () => {
      await page.setViewportSize({ width, height: 860 });
      const found: Record<string, string[]> = {};
      for (const walk of walks) {
        await show(page, walk);
        const small = await smallTargets(page);
        if (small.length > 0) found[walk.path] = [...new Set(small)].slice(0, 6);
      }
      // The slip, and compact rows, where everything stands closest.
      await page.evaluate(() => {
        document.documentElement.dataset.density = 'compact';
      });
      await priced();
      await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
      await stakeBox(page).waitFor();
      const tight = await smallTargets(page);
      if (tight.length > 0) found['compact with the slip'] = tight;
      await clear();
      await page.evaluate(() => {
        document.documentElement.dataset.density = 'comfortable';
      });
      expect(found).toEqual({});
    });
  }

  it('[A11Y-04] [A11Y-11] [A11Y-12] sign-in and code: sizes, paste, names for password managers, told before it sends', async () => {
    for (const viewport of [PHONE, DESKTOP]) {
      const guest = await visit(browser, { viewport });
      await guest.page.goto(`${site.url}/login`);
      const name = guest.page.getByLabel('Username');
      await name.waitFor();
      expect(await smallTargets(guest.page)).toEqual([]);
      expect(await name.getAttribute('autocomplete')).toBe('username');
      const word = guest.page.getByLabel('Password', { exact: true });
      expect(await word.getAttribute('autocomplete')).toBe('current-password');
      for (const box of [name, word])
        expect(
          await box.evaluate((one) => {
            const data = new DataTransfer();
            data.setData('text/plain', 'x');
            return one.dispatchEvent(
              new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
            );
          }),
        ).toBe(true);
      await name.fill('carol');
      await word.fill(PASSWORDS.carol);
      await guest.page.getByRole('button', { name: 'Login', exact: true }).click();
      await guest.page.waitForURL('**/verify');
      const boxes = guest.page.getByRole('group').locator('input');
      await boxes.first().waitFor();
      expect(await boxes.count()).toBe(6);
      expect(await boxes.first().getAttribute('autocomplete')).toBe('one-time-code');
      const group = guest.page.getByRole('group').first();
      const label = await group.evaluate((one) => {
        const ids = `${one.getAttribute('aria-labelledby') ?? ''} ${one.getAttribute('aria-describedby') ?? ''}`.split(
          /\s+/,
        );
        return [
          one.getAttribute('aria-label') ?? '',
          one.querySelector('legend')?.textContent ?? '',
          ...ids.map((id) => document.getElementById(id)?.textContent ?? ''),
        ].join(' ');
      });
      expect(label.trim()).not.toBe('');
      // Told beforehand, on the screen and to who hears it.
      expect(await guest.page.locator('main').textContent()).toMatch(/check the code once the last digit is in/);
      expect(label).toMatch(/checked by itself once the last digit is in/);
      expect(await smallTargets(guest.page)).toEqual([]);
      const button = guest.page.getByRole('button', { name: 'Check code' });
      expect(await button.first().isVisible()).toBe(true);
      await boxes.first().focus();
      await guest.page.evaluate(() => {
        const data = new DataTransfer();
        data.setData('text/plain', '000000');
        document.activeElement!.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      });
      await guest.page
        .getByText(/code is (wrong|not right)|not (right|correct)/i)
        .first()
        .waitFor();
      await guest.context.close();
    }
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
      const paths = ['/home', made.path, '/account-statement', '/rules', '/change-password', walks[8]!.path];
      for (const path of paths) {
        await show(page, { path, ready: '#main > *' });
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
            const style = getComputedStyle(on.matches('.seg input, .sr') ? on.parentElement! : on);
            const ring = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
            const around = on.closest('label, .inp, .stp, .hdr__search, .input');
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
    const one = await signedIn(browser, site, 'bob');
    await one.page.locator('.marq__run').waitFor();
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
    expect((await running()).some(({ on }) => String(on).includes('marq__run'))).toBe(true);
    await one.page.getByRole('button', { name: 'Pause notices' }).click();
    await one.page.mouse.move(10, 500);
    await one.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await sleep(200);
    expect((await running()).some(({ on }) => String(on).includes('marq__run'))).toBe(false);
    await one.page.getByRole('button', { name: 'Run notices' }).click();
    // Whatever else moves ends by itself within five seconds, but for what says that something is loading or live.
    const endless = (await running()).filter(({ on, end }) => !String(on).includes('marq') && !(end <= 5000));
    expect(endless.filter(({ on }) => !/ballrun|spin|skel|reload-line/.test(String(on)))).toEqual([]);
    await sleep(5200);
    const still = await running();
    expect(still.filter(({ on }) => /dot|nv/.test(String(on)))).toEqual([]);
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
    const cells = market(page, 'Match Odds').locator('button.px:not(.px--e)');
    for (const cell of await cells.all()) expect(await cell.getAttribute('aria-disabled')).toBe('true');
    const before = await cells.allTextContents();
    await quote(site, made.betId, made.runnerIds[0]!, [[300, 100_000]], [[305, 100_000]]);
    await sleep(1500);
    expect(await cells.allTextContents()).toEqual(before);
    // Other screens stand still too.
    await go(page, '/home');
    await page.locator(PRICED).first().waitFor();
    // The list itself is read anew once, when its screen is opened.
    await sleep(1500);
    const figures = () => page.locator('.px b').allTextContents();
    const then = (await figures()).join(' ');
    await sleep(4000);
    expect((await figures()).join(' ')).toBe(then);
    expect(await page.locator('.ev button.px:not([aria-disabled])').count()).toBe(0);
    await openMatch(page, made);
    await page.getByRole('button', { name: 'Run prices' }).click();
    await banner.waitFor({ state: 'detached' });
    await expect.poll(() => cells.allTextContents()).not.toEqual(before);
    await seen(market(page, 'Match Odds'), '3.00');
    await expect
      .poll(() => market(page, 'Match Odds').locator('button.px:not([aria-disabled])').count())
      .toBeGreaterThan(1);
    await clear();
  });

  it('[A11Y-06] slow prices come together every five seconds; a suspension does not wait', async () => {
    await priced(200);
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('radio', { name: 'Every 5 s' }).check();
    await page.keyboard.press('Escape');
    const cell = market(page, 'Match Odds').locator('button.px--b').nth(2);
    const changes = await page.evaluate(() => {
      const times: number[] = [];
      const cell_ = document.querySelector('section.mk[aria-label="Match Odds"] button.px--b:not(.px--2):not(.px--3)')!;
      new MutationObserver(() => times.push(performance.now())).observe(cell_, {
        subtree: true,
        characterData: true,
        childList: true,
      });
      Object.assign(globalThis, { times });
      return times.length;
    });
    expect(changes).toBe(0);
    for (let n = 0; n < 24; n++) {
      await quote(site, made.betId, made.runnerIds[0]!, [[220 + n * 2, 100_000]], [[305, 100_000]]);
      await sleep(450);
    }
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
    await sleep(1500);
    await page.evaluate(() => {
      const lit: number[] = [];
      const cell = document.querySelector('section.mk[aria-label="Match Odds"] button.px--b:not(.px--2):not(.px--3)')!;
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
    const started = Date.now();
    for (let n = 0; Date.now() - started < 6000; n++) {
      await quote(site, made.betId, made.runnerIds[0]!, [[n % 2 ? 220 : 226, 100_000]], [[305, 100_000]]);
      await sleep(60);
    }
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
    await sleep(600);
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
    const marked = market(calm.page, 'Match Odds').locator('.px.is-up, .px.is-dn').first();
    await marked.waitFor();
    const { light, arrow } = await marked.evaluate((cell) => ({
      light: getComputedStyle(cell).backgroundImage,
      arrow: getComputedStyle(cell.querySelector('.mv')!).visibility,
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
    await idle.page.locator('.hdr').waitFor();
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
    await page
      .getByRole('button', { name: /^(Save|Update|Save changes)$/ })
      .first()
      .click();
    const toast = page.locator('.toast');
    await toast.waitFor();
    await toast.hover();
    const words = ((await toast.textContent()) ?? '').trim();
    await sleep(2600);
    expect(await toast.count()).toBe(1);
    await page.mouse.move(400, 600);
    await toast.waitFor({ state: 'detached', timeout: 4000 });
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
      await sleep(1000);
      expect(await box.isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await box.waitFor({ state: 'hidden' });
      expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
    }
  });
});

/** What reaches over the right edge of the page. Live grids may scroll inside themselves. */
const overflow = (on: Page): Promise<string> =>
  on.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const over = document.documentElement.scrollWidth - width;
    if (over <= 0) return '';
    const wide = [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((part) => part.getBoundingClientRect().right > width + 0.5 && getComputedStyle(part).position !== 'fixed')
      .map((part) => `${part.tagName}.${part.className}`)
      .slice(-4);
    return `${over} px: ${wide.join(', ')}`;
  });

/** Words cut off in a box that hides them, without an ellipsis to say so. */
const clipped = (on: Page): Promise<string[]> =>
  on.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#main *, .hdr *, .tabbar *, .slip *')]
      .filter((part) => {
        const style = getComputedStyle(part);
        if (part.children.length > 0 || !part.textContent?.trim() || part.closest('.sr, [hidden], .marq, svg'))
          return false;
        if (style.visibility === 'hidden' || part.offsetParent === null) return false;
        const hides = style.overflowY === 'hidden' || style.overflowY === 'clip';
        return hides && part.clientHeight > 0 && part.scrollHeight > part.clientHeight + 2;
      })
      .map((part) => `${part.tagName}.${part.className} "${part.textContent!.slice(0, 24)}"`)
      .slice(0, 5),
  );

describe('reflow and larger text', () => {
  const conditions: Array<[string, { width: number; height: number }, string]> = [
    ['320 px', { width: 320, height: 640 }, ''],
    ['400 % of 1280 x 1024', { width: 320, height: 256 }, ''],
    ['200 % text on a phone', PHONE, ':root { font-size: 200% }'],
    ['200 % text on a desktop', { width: 1280, height: 900 }, ':root { font-size: 200% }'],
    [
      'text spacing',
      PHONE,
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    ],
  ];
  for (const [name, viewport, css] of conditions) {
    it(`[A11Y-14] no page moves sideways and no words are cut at ${name}`, async () => {
      await page.setViewportSize(viewport);
      // A constructed sheet: the policy of the site allows no style element.
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, css);
      const found: Record<string, unknown> = {};
      for (const walk of walks) {
        await show(page, walk);
        const over = await overflow(page);
        if (over !== '') found[walk.path] = over;
        const cut = name.includes('spacing') ? [] : await clipped(page);
        if (cut.length > 0) found[`${walk.path} cut`] = cut;
      }
      // The slip with a bet in it.
      await priced();
      await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
      await stakeBox(page).fill('4999.99');
      const over = await overflow(page);
      if (over !== '') found.slip = over;
      await stakeBox(page).scrollIntoViewIfNeeded();
      expect(await slipOf(page).locator('button[type=submit]').isEnabled()).toBe(true);
      await clear();
      await page.evaluate(() => {
        document.adoptedStyleSheets = [];
      });
      expect(found).toEqual({});
    });
  }

  it('[A11Y-14] a bet is placed with 200 % text on a phone', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true, isMobile: true });
    await phone.page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(':root { font-size: 200% }');
      document.adoptedStyleSheets = [sheet];
    });
    await quote(site, made.betId, made.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
    await openMatch(phone.page, made);
    await priceOf(phone.page, 'Match Odds', 'Back', 'Max Moor').tap();
    await stakeBox(phone.page).fill('2');
    await placeNow(phone.page);
    await seen(slipOf(phone.page), /matched/i);
    await phone.context.close();
  });
});

describe('names, roles and places', () => {
  it('[A11Y-16] a suspended price is disabled and says why; frames, tabs, menus and dialogs have names', async () => {
    await page.setViewportSize(DESKTOP);
    await priced();
    await site.operator('/market/suspend', { betId: made.betId, reason: 'A test' });
    await market(page, 'Match Odds').getByText('Suspended').first().waitFor();
    for (const cell of await market(page, 'Match Odds').locator('button.px').all())
      expect(await cell.getAttribute('aria-disabled')).toBe('true');
    await site.operator('/market/resume', { betId: made.betId, reason: 'A test' });
    await show(page, walks.find((walk) => walk.path.includes('/cricket/'))!);
    for (const frame of await page.locator('iframe').all()) expect(await frame.getAttribute('title')).not.toBeNull();
    for (const name of ['tablist', 'navigation', 'complementary'] as const)
      for (const one of await page.getByRole(name).all())
        expect((await one.getAttribute('aria-label')) ?? (await one.getAttribute('aria-labelledby'))).not.toBeNull();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menu', { name: 'Account' }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBeGreaterThan(5);
    await page.keyboard.press('Escape');
  });

  it('[A11Y-17] help stands in the same place on every page', async () => {
    const orders = new Set<string>();
    for (const walk of walks) {
      await show(page, walk);
      const order = await page.evaluate(() =>
        [...document.querySelectorAll('.foot a, .foot h2, .foot h3')].map((one) => one.textContent?.trim()).join(' | '),
      );
      expect([walk.path, order]).toEqual([walk.path, expect.stringContaining('Responsible Gaming')]);
      orders.add(order);
    }
    expect(orders.size).toBe(1);
  });

  it('[A11Y-18] nothing needs dragging', async () => {
    for (const walk of walks) {
      await show(page, walk);
      expect(await page.locator('input[type=range], [draggable=true], [role=slider]').count(), walk.path).toBe(0);
    }
  });

  it('[A11Y-19] every page has its language, one first heading, landmarks, and a way past the bars', async () => {
    for (const walk of walks) {
      await show(page, walk);
      const found = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        title: document.title,
        h1: document.querySelectorAll('h1').length,
        main: document.querySelectorAll('main').length,
        banner: document.querySelectorAll('body header').length > 0,
        foot: document.querySelectorAll('footer').length,
        levels: [...document.querySelectorAll('#main :is(h1, h2, h3, h4)')].map((one) => Number(one.tagName[1])),
      }));
      expect([walk.path, found]).toEqual([
        walk.path,
        expect.objectContaining({ lang: 'en', h1: 1, main: 1, banner: true, foot: 1 }),
      ]);
      expect(found.title, walk.path).toMatch(/fairGame$/);
      found.levels.reduce((before, level) => {
        expect(level, `${walk.path} ${found.levels.join(' ')}`).toBeLessThanOrEqual(before + 1);
        return level;
      }, 0);
    }
    await go(page, '/home');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.reload();
    await page.locator('.hdr').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });
});

/** Serious and critical findings, with the first places of each. */
async function findings(on: Page, theme: 'dark' | 'light'): Promise<string[]> {
  const axe = new AxeBuilder({ page: on }).options({ preload: false, resultTypes: ['violations'] });
  // The light theme differs from the dark one in its colours alone.
  const { violations } = await (theme === 'light'
    ? axe.withRules(['color-contrast', 'link-in-text-block'])
    : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  ).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id} (${nodes.length}): ${nodes
          .slice(0, 3)
          .map((node) => node.target.join(' '))
          .join(' | ')}`,
    );
}

/** The other screens are looked at in axe.e2e.ts, in every state. */
const ELSEWHERE = /^\/(home|game-list|game-detail|race|unsettled-bet|account-statement)/;

describe('axe on every other route', () => {
  for (const theme of ['dark', 'light'] as const) {
    for (const [device, viewport] of [
      ['desktop', DESKTOP],
      ['phone', PHONE],
    ] as const) {
      it(`[A11Y-03] [A11Y-16] [A11Y-19] no serious finding, ${theme}, ${device}`, async () => {
        const found: Record<string, string[]> = {};
        const guest = await visit(browser, { theme, viewport });
        for (const walk of PUBLIC.slice(1)) {
          await guest.page.goto(site.url + walk.path);
          await guest.page.locator(walk.ready).first().waitFor();
          await sleep(200);
          const list = await findings(guest.page, theme);
          if (list.length > 0) found[walk.path] = list;
        }
        await guest.context.close();
        const inside = await signedIn(browser, site, 'bob', { theme, viewport });
        for (const walk of [...walks.filter(({ path }) => !ELSEWHERE.test(path)), ...FRAMES]) {
          await show(inside.page, walk);
          const list = await findings(inside.page, theme);
          if (list.length > 0) found[walk.path] = list;
        }
        await go(inside.page, '/home');
        await inside.page.getByRole('button', { name: 'Display' }).click();
        await inside.page.getByRole('dialog', { name: 'Display' }).waitFor();
        const list = await findings(inside.page, theme);
        if (list.length > 0) found.display = list;
        await inside.context.close();
        expect(found).toEqual({});
      });
    }
  }
});

describe('other ways to see it', () => {
  it('forced colours: prices have edges, the chosen one and the focus are marked by the system', async () => {
    const forced = await signedIn(browser, site, 'bob', { forcedColors: 'active' });
    await quote(site, made.betId, made.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
    await openMatch(forced.page, made);
    const cell = priceOf(forced.page, 'Match Odds', 'Back', 'Max Moor');
    await cell.click();
    const look = await cell.evaluate((one) => {
      const { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth } = getComputedStyle(one);
      return { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth };
    });
    expect(look).toMatchObject({
      borderTopStyle: expect.stringMatching(/solid|double/),
      outlineStyle: 'solid',
      outlineWidth: '2px',
    });
    await stakeBox(forced.page).focus();
    expect(
      await forced.page.evaluate(() => getComputedStyle(document.activeElement!.closest('.inp')!).outlineStyle),
    ).toBe('solid');
    // On and off are told apart without their colours.
    await go(forced.page, '/home');
    await forced.page.getByRole('button', { name: 'Display' }).click();
    const [on, off] = await forced.page.evaluate(() =>
      ['.seg > .is-on', '.seg > label:not(.is-on)'].map((one) => {
        const style = getComputedStyle(document.querySelector(one)!);
        return `${style.backgroundColor} ${style.outlineStyle} ${style.borderTopStyle} ${style.textDecorationLine}`;
      }),
    );
    expect(on).not.toBe(off);
    await forced.context.close();
  });

  it('the statement and the legal pages print on white without the bars', async () => {
    for (const path of [
      '/account-statement',
      '/profit-loss',
      '/bet-history',
      '/terms-and-conditions',
      '/responsible-gaming',
    ]) {
      await go(page, path);
      await page.locator('h1').first().waitFor();
      if (path === '/account-statement') await page.locator('.dt tbody tr').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      const found = await page.evaluate(() => {
        const visible = (selector: string) =>
          [...document.querySelectorAll<HTMLElement>(selector)].some(
            (one) =>
              one.offsetParent !== null ||
              (getComputedStyle(one).position === 'fixed' && getComputedStyle(one).display !== 'none'),
          );
        const heading = document.querySelector('h1')!;
        const light = (colour: string) => {
          const parts = colour.match(/[\d.]+/g)?.map(Number) ?? [];
          return parts.length > 3 && parts[3] === 0 ? null : (parts[0]! + parts[1]! + parts[2]!) / 3;
        };
        let ground: number | null = null;
        for (let one: Element | null = heading; one && ground === null; one = one.parentElement)
          ground = light(getComputedStyle(one).backgroundColor);
        return {
          bars: ['.hdr', '.marq', '.topnav', '.side', '.rail', '.tabbar', '.foot'].filter(visible),
          heading: heading.offsetParent !== null,
          ground: ground ?? 255,
          ink: light(getComputedStyle(heading).color),
          cells: light(getComputedStyle(document.querySelector('td, main p, main li') ?? heading).color),
        };
      });
      const pdf = await page.pdf({ format: 'A4' });
      await page.emulateMedia({ media: 'screen' });
      expect([path, found.bars, found.heading]).toEqual([path, [], true]);
      expect(found.ground, path).toBeGreaterThan(240);
      expect(found.ink!, path).toBeLessThan(90);
      expect(found.cells!, path).toBeLessThan(110);
      expect(pdf.length, path).toBeGreaterThan(5000);
    }
  });

  it('theme and rows are chosen once and kept by the browser, set before the first paint', async () => {
    const one = await signedIn(browser, site, 'bob');
    const height = async () => {
      await one.page.locator(PRICED).first().waitFor();
      return one.page
        .locator('.ev')
        .first()
        .evaluate((row) => row.getBoundingClientRect().height);
    };
    const comfortable = await height();
    await one.page.getByRole('button', { name: 'Display' }).click();
    await one.page.getByRole('radio', { name: 'Compact' }).check();
    await one.page.getByRole('radio', { name: 'Light' }).check();
    await one.page.keyboard.press('Escape');
    expect(await height()).toBeLessThan(comfortable);
    const second = await one.context.newPage();
    await second.goto(`${site.url}/login`, { waitUntil: 'commit' });
    await second.waitForFunction(() => document.body !== null);
    expect(await second.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)))).toEqual({
      theme: 'light',
      density: 'compact',
    });
    await one.context.close();
  });
});
