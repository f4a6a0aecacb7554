import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browser, clear, made, page, priced, show, site, stand, walks } from './a11y-ground.ts';
import { DESKTOP, PHONE, visit } from './browser.ts';
import { crowded, overflow } from './crowded.ts';
import { findings, setTheme } from './findings.ts';
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
import { EVENT, FRAMES, PRICED, PUBLIC } from './screens.ts';
import { accented } from './untranslated.ts';
import { settled } from './wait.ts';

/** Accessibility of how the pages stand, one block a criterion, on the built site with prices that move. */
stand();

describe('colour', () => {
  it('[A11Y-02] every price says its side, its runner, its price and its size; moves have a shape, results a sign', async () => {
    for (const walk of walks.filter(({ ready }) => /price__/.test(ready))) {
      await show(page, walk);
      let names: string[] = [];
      // The screen before stands until this one is there.
      await expect
        .poll(
          async () => {
            names = await page
              .locator('.price__cell:not(.price__noOutcome)')
              .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
            return names.length;
          },
          { message: walk.path },
        )
        .toBeGreaterThan(1);
      for (const name of names)
        expect([walk.path, name]).toEqual([
          walk.path,
          expect.stringMatching(
            /^(Back|Lay|Yes|No) .+(, no price| at [\d.,–-]+( runs, rate \d+|, [\d.,kM]+ available))$/,
          ),
        ]);
      // Above the columns stand the words.
      await expect
        .poll(() => page.getByText('Back', { exact: true }).count(), { message: walk.path })
        .toBeGreaterThan(0);
    }
    await priced(200);
    const cell = priceOf(page, 'Match Odds', 'Back', 'Max Moor');
    await quote(site, made.betId, made.runnerIds[0]!, [[210, 100_000]], [[214, 100_000]]);
    await expect
      .poll(() => cell.evaluate((one) => getComputedStyle(one.querySelector('.price__move')!).visibility))
      .toBe('visible');
    // Up and down are two shapes, not two colours of one.
    const turned = (move: string) =>
      cell.evaluate((one, name) => {
        const copy = one.cloneNode(true) as HTMLElement;
        copy.classList.remove('is-up', 'is-dn');
        copy.classList.add(name);
        one.after(copy);
        const { transform } = getComputedStyle(copy.querySelector('.price__move')!);
        copy.remove();
        return transform;
      }, move);
    expect(await turned('is-up')).not.toBe(await turned('is-dn'));
    await go(page, '/account-statement');
    await page.locator('.data-table__table tbody tr').first().waitFor();
    const amounts = await page.locator('.controls__profit').allTextContents();
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

/** Language, title, one first heading, levels, landmarks, nothing that needs dragging; answers where help is. */
const standsRight = async (on: Page, path: string): Promise<string> => {
  const look = () =>
    on.evaluate(() => ({
      lang: document.documentElement.lang,
      title: document.title,
      h1: document.querySelectorAll('h1').length,
      main: document.querySelectorAll('main').length,
      banner: document.querySelectorAll('body header').length > 0,
      foot: document.querySelectorAll('footer').length,
      // A level that is left out.
      jumps: [...document.querySelectorAll('#main :is(h1, h2, h3, h4)')]
        .map((one) => Number(one.tagName[1]))
        .filter((level, at, all) => level > (all[at - 1] ?? 0) + 1),
      help: [...document.querySelectorAll('.footer__footer a, .footer__footer h2, .footer__footer h3')]
        .map((one) => one.textContent?.trim())
        .join(' | '),
      dragged: document.querySelectorAll('input[type=range], [draggable=true], [role=slider]').length,
    }));
  // The screen before may stand until this one is there.
  await expect.poll(look, { message: path }).toEqual({
    lang: 'en',
    title: expect.stringMatching(/fairGame$/),
    h1: 1,
    main: 1,
    banner: true,
    foot: 1,
    jumps: [],
    help: expect.stringContaining('Responsible Gaming'),
    dragged: 0,
  });
  return (await look()).help;
};

const TARGET_WIDTHS = [360, 768, 1199, 1440];

describe('targets', () => {
  // One walk for all of them: it is the walk that takes its time.
  it(`[A11Y-04] [A11Y-17] [A11Y-18] [A11Y-19] every control is 24 px or has room at ${TARGET_WIDTHS.join(', ')}; every page has its language, one first heading, landmarks, help in the same place and nothing that needs dragging`, async () => {
    const found: Record<string, string[]> = {};
    const orders = new Set<string>();
    const check = async (what: string) => {
      for (const width of TARGET_WIDTHS) {
        await page.setViewportSize({ width, height: 860 });
        await settled(page);
        const small = await smallTargets(page);
        if (small.length > 0) found[`${what} at ${width}`] = [...new Set(small)].slice(0, 6);
      }
    };
    for (const walk of walks) {
      await show(page, walk);
      orders.add(await standsRight(page, walk.path));
      await check(walk.path);
    }
    expect(orders.size).toBe(1);
    // The slip, and compact rows, where everything stands closest.
    await page.evaluate(() => {
      document.documentElement.dataset.density = 'compact';
    });
    for (const width of TARGET_WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await priced();
      await priceOf(page, 'Match Odds', 'Back', 'Max Moor').click();
      await stakeBox(page).waitFor();
      const tight = await smallTargets(page);
      if (tight.length > 0) found[`compact with the slip at ${width}`] = tight;
      await clear();
    }
    await page.evaluate(() => {
      document.documentElement.dataset.density = 'comfortable';
    });
    expect(found).toEqual({});
  }, 240_000);

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

/** Words cut off in a box that hides them, without an ellipsis to say so. */
const clipped = (on: Page): Promise<string[]> =>
  on.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#main *, .header__header *, .top-bar__bottom *, .slip__slip *')]
      .filter((part) => {
        const style = getComputedStyle(part);
        if (
          part.children.length > 0 ||
          !part.textContent?.trim() ||
          part.closest('.sr, [hidden], .notice-bar__bar, svg')
        )
          return false;
        if (style.visibility === 'hidden' || part.offsetParent === null) return false;
        const hides = style.overflowY === 'hidden' || style.overflowY === 'clip';
        return hides && part.clientHeight > 0 && part.scrollHeight > part.clientHeight + 2;
      })
      .map((part) => `${part.tagName}.${part.className} "${part.textContent!.slice(0, 24)}"`)
      .slice(0, 5),
  );

/** How large a price of a list or a card table and what stands below it are written, px. */
const figures = (on: Page): Promise<number[]> =>
  on.evaluate(() =>
    ['b', 'i'].flatMap((part) => {
      const one = document.querySelector(`:is(.event-list__odds, .odds-rows__table) .price__cell ${part}`);
      return one ? [Number.parseFloat(getComputedStyle(one).fontSize)] : [];
    }),
  );

describe('reflow and larger text', () => {
  const conditions: Array<[string, { width: number; height: number }, string]> = [
    ['320 px', { width: 320, height: 640 }, ''],
    ['400 % of 1280 x 1024', { width: 320, height: 256 }, ''],
    ['common text beside both columns', { width: 1280, height: 900 }, ''],
    ['200 % text on a phone', PHONE, ':root { font-size: 200% }'],
    ['200 % text on a desktop', { width: 1280, height: 900 }, ':root { font-size: 200% }'],
    [
      'text spacing',
      PHONE,
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    ],
  ];
  it('[A11Y-14] no page moves sideways, no words are cut in any of them, and no text stands over another at twice the size', async () => {
    const found: Record<string, unknown> = {};
    const under = async ([, viewport, css]: (typeof conditions)[number]) => {
      await page.setViewportSize(viewport);
      // A constructed sheet: the policy of the site allows no style element.
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [sheet];
      }, css);
      await settled(page);
    };
    // Two in five letters more, as other languages have: what holds here holds in them.
    const language = await accented(page);
    for (const walk of walks) {
      await show(page, walk);
      const plain = await language.plain();
      if (plain.length > 0) found[`${walk.path} not translated`] = plain;
      for (const condition of conditions) {
        const [name] = condition;
        // Where names stand beside six prices.
        if (name.startsWith('common') && !/^\/(race|game-detail)\//.test(walk.path)) continue;
        await under(condition);
        if (name.startsWith('200 %')) {
          const [price, size] = await figures(page);
          if (price !== undefined && (price < 26 || size! < 22))
            found[`${walk.path} figures at ${name}`] = [price, size];
        }
        const over = await overflow(page);
        if (over !== '') found[`${walk.path} at ${name}`] = over;
        const cut = name.includes('spacing') ? [] : await clipped(page);
        if (cut.length > 0) found[`${walk.path} cut at ${name}`] = cut;
        const close = /text (on|beside)/.test(name) ? await crowded(page) : [];
        if (close.length > 0) found[`${walk.path} crowded at ${name}`] = close;
      }
    }
    // The slip with a bet in it.
    const slip = page.locator('section:is(.slip__slip, .slip__inline)');
    for (const condition of conditions) {
      await under(condition);
      await show(page, { path: made.path, ready: EVENT });
      await page.locator('#main .price__cell:not(.price__cell2, .price__cell3)').first().click();
      const stake = slip.locator('.stepper__stakeInput input');
      await stake.fill('4999.99');
      const over = await overflow(page);
      if (over !== '') found[`slip at ${condition[0]}`] = over;
      await stake.scrollIntoViewIfNeeded();
      expect(await slip.locator('button[type=submit]').isEnabled()).toBe(true);
      await stake.press('Escape');
      // On a phone the slip takes its entry of the history with it: the next screen is asked for after that.
      await slip.locator('form').waitFor({ state: 'detached' });
    }
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
    await language.end();
    expect(found).toEqual({});
  }, 240_000);

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
    for (const cell of await market(page, 'Match Odds').locator('button.price__cell').all())
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

  it('a way leads past the bars', async () => {
    await go(page, '/home');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.reload();
    await page.locator('.header__header').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });
});

/** The other screens are looked at in axe.e2e.ts, in every state. */
const ELSEWHERE = /^\/(home|game-list|game-detail|race|unsettled-bet|account-statement)/;

describe('axe on every other route', () => {
  it('[A11Y-03] [A11Y-16] [A11Y-19] no serious finding, on a desktop and on a phone', async () => {
    const found: Record<string, string[]> = {};
    // The phone has the colours of the desktop.
    const looks = [
      [DESKTOP, 'light'],
      [DESKTOP, 'dark'],
      [PHONE, 'dark'],
    ] as const;
    const check = async (on: Page, what: string) => {
      for (const [viewport, theme] of looks) {
        await on.setViewportSize(viewport);
        await settled(on);
        await setTheme(on, theme);
        const list = await findings(on, theme);
        if (list.length > 0) found[`${what} ${viewport.width} ${theme}`] = list;
      }
    };
    const guest = await visit(browser, { viewport: DESKTOP });
    for (const walk of PUBLIC.slice(1)) {
      await guest.page.goto(site.url + walk.path);
      await guest.page.locator(walk.ready).first().waitFor();
      await check(guest.page, walk.path);
    }
    await guest.context.close();
    const inside = await signedIn(browser, site, 'bob', { viewport: DESKTOP });
    for (const walk of [...walks.filter(({ path }) => !ELSEWHERE.test(path)), ...FRAMES]) {
      await show(inside.page, walk);
      await check(inside.page, walk.path);
    }
    await go(inside.page, '/home');
    await inside.page.getByRole('button', { name: 'Display' }).click();
    await inside.page.getByRole('dialog', { name: 'Display' }).waitFor();
    await check(inside.page, 'display');
    await inside.context.close();
    expect(found).toEqual({});
  }, 240_000);
});

describe('other ways to see it', () => {
  it('forced colours: prices have edges, the chosen one and the focus are marked by the system', async () => {
    const forced = await signedIn(browser, site, 'bob', { forcedColors: 'active' });
    await quote(site, made.betId, made.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
    await openMatch(forced.page, made);
    const cell = priceOf(forced.page, 'Match Odds', 'Back', 'Max Moor');
    await cell.click();
    // A press is drawn with the next frame.
    await expect
      .poll(() =>
        cell.evaluate((one) => {
          const { borderTopStyle, outlineStyle, outlineWidth } = getComputedStyle(one);
          return { borderTopStyle, outlineStyle, outlineWidth };
        }),
      )
      .toMatchObject({
        borderTopStyle: expect.stringMatching(/solid|double/),
        outlineStyle: 'solid',
        outlineWidth: '2px',
      });
    await stakeBox(forced.page).focus();
    expect(
      await forced.page.evaluate(
        () => getComputedStyle(document.activeElement!.closest('.field__input')!).outlineStyle,
      ),
    ).toBe('solid');
    // On and off are told apart without their colours.
    await go(forced.page, '/home');
    await forced.page.getByRole('button', { name: 'Display' }).click();
    await forced.page.locator('.tabs__switch > .is-on').first().waitFor();
    const [on, off] = await forced.page.evaluate(() =>
      ['.tabs__switch > .is-on', '.tabs__switch > label:not(.is-on)'].map((one) => {
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
      if (path === '/account-statement') await page.locator('.data-table__table tbody tr').first().waitFor();
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
          bars: [
            '.header__header',
            '.notice-bar__bar',
            '.top-bar__nav',
            '.side-nav__side',
            '.shell__rail',
            '.top-bar__bottom',
            '.footer__footer',
          ].filter(visible),
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
        .locator('.event-list__event')
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
