import { afterEach, describe, expect, it } from 'vitest';
import { alice, browser, page, site, stand, token } from './alice-ground.ts';
import { DESKTOP, PHONE, visit } from './browser.ts';
import {
  addMatch,
  go,
  type ListedMatch,
  listed,
  type Made,
  market,
  openMatch,
  placeByCall,
  priceOf,
  quote,
  seen,
  signedIn,
  slipOf,
} from './play.ts';
import { PRICED } from './screens.ts';
import { settled } from './wait.ts';

/** The landing screen and what hangs on it: tabs, favourites, markets on one screen, tables, rules of a market. */
let made: Made;
let bookmaker: ListedMatch;
const calls: URL[] = [];

stand(
  { FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '3' },
  async () => {
    made = await addMatch(site, 'Uma Underhill v Vic Vale', ['Uma Underhill', 'Vic Vale']);
    await quote(site, made.betId, made.runnerIds[0]!, [[300, 1_000_000]], [[310, 1_000_000]]);
    bookmaker = (await listed(site, token)).find(
      (one) => one.matchType === 'cricket' && one.isBookmaker && one.isFancy,
    )!;
  },
  (on) =>
    on.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(new URL(request.url()));
    }),
);
afterEach(() => {
  expect(
    alice.errors.splice(0).filter((text) => !/500/.test(text)),
    'errors in the console',
  ).toEqual([]);
});

const callsTo = (path: string) => calls.filter((url) => url.pathname === `/api${path}`);
const tab = (name: RegExp | string) => page.getByRole('tablist', { name: 'Sports' }).getByRole('tab', { name });
const chosenTab = () =>
  page.getByRole('tablist', { name: 'Sports' }).locator('[aria-selected="true"]').first().innerText();
const home = async (path = '/home') => {
  await go(page, path);
  await page.getByRole('tablist', { name: 'Sports' }).waitFor();
};
const visible = (selector: string) => page.locator(selector).first().isVisible();

describe('the landing screen', () => {
  it('[OPN-46] the nine routes open it, each at its tab: events with first prices, next races, tables', async () => {
    const opening = {
      home: 'Highlights',
      sports: 'Highlights',
      inPlay: 'In-Play',
      'casino-slot': 'Casino',
      'live-casinom': 'Casino',
      other: 'Politics',
      virtual: 'Casino',
      slot: 'Casino',
      fantasy: 'Highlights',
    };
    for (const [path, name] of Object.entries(opening)) {
      await home(`/${path}`);
      await expect.poll(chosenTab).toMatch(new RegExp(`^${name}`));
      expect(await page.locator('h1').innerText()).toBe('Home');
    }
    await home();
    for (const sport of ['Cricket', 'Football', 'Tennis', 'Horse Racing', 'GreyHound Racing', 'Politics'])
      await tab(new RegExp(`^${sport}`)).waitFor();
    await page.locator(PRICED).first().waitFor();
    expect(await page.getByRole('navigation', { name: 'Next races' }).getByRole('link').count()).toBeGreaterThan(3);
    await tab(/^In-Play/).click();
    const rows = page.locator('.event-list__event');
    await rows.first().waitFor();
    await expect.poll(async () => (await rows.filter({ hasText: 'In-play' }).count()) - (await rows.count())).toBe(0);
    const shown = async () =>
      Number(
        (
          await tab(/^In-Play/)
            .locator('em')
            .innerText()
        ).trim(),
      );
    // A match may begin or end between the two readings.
    await expect
      .poll(async () => (await listed(site, token)).filter((one) => one.inPlay).length - (await shown()))
      .toBe(0);
  });

  it('a row of an event takes two lines on a desktop, in play too, and its competition is whole', async () => {
    const [one, other] = ['Valentina Unterberger', 'Wilhelmina Vandenberg'];
    await addMatch(site, `${one} v ${other}`, [one, other]);
    await go(page, '/game-list/tennis');
    const rows = page.locator('.event-list__event');
    await rows.filter({ hasText: other }).waitFor();
    await rows.locator('.event-list__meta b').first().waitFor();
    await expect
      .poll(() => rows.evaluateAll((all) => Math.max(...all.map((row) => row.getBoundingClientRect().height))))
      .toBeLessThan(48);
    const below = page.locator('.event-list__meta');
    expect(await below.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0);
  });

  it('[MQE-01] [CAR-45] [OPN-46] [OPN-36] [MQE-03] the marquee is read by its own call, and banners by theirs: what the operator says shows', async () => {
    await site.operator('/marquee', { value: 'Reserve day on Monday' });
    await site.operator('/marquee', { value: 'The final is on <b>Sunday</b>', type: 'banner1' });
    calls.length = 0;
    await page.goto(`${site.url}/home`);
    await seen(page.locator('.notice-bar__bar'), /Reserve day on Monday/);
    await seen(page.locator('main'), /The final is on <b>Sunday<\/b>/);
    const asked = callsTo('/expert/notification').map((url) => url.searchParams.get('type'));
    expect(new Set(asked)).toEqual(new Set([null, 'banner1', 'banner2']));
  });

  it('a strip of tables leads to one of them and to all', async () => {
    await home();
    // The page comes back to the tab that was chosen last.
    await tab(/^Highlights/).click();
    const strip = page.locator('section', { has: page.getByRole('heading', { name: 'Casino', exact: true }) });
    await expect.poll(() => strip.locator('a.market__tile').count()).toBe(6);
    expect(await strip.getByRole('link', { name: /^All \d+ tables/ }).innerText()).toBe('All 32 tables');
    const images = await strip.locator('img').evaluateAll((found) => found.map((one) => one.getAttribute('src')));
    for (const src of images) {
      expect(src).toMatch(/^\/casino\/[\w-]+\.svg$/);
      expect((await fetch(site.url + src)).headers.get('content-type')).toContain('image/svg+xml');
    }
    await strip.getByRole('link', { name: /^All 32 tables/ }).click();
    await page.waitForURL('**/casino');
  });

  it('[NAV-03] [PRD-10] the lobby leads to a table', async () => {
    await go(page, '/casino');
    // The landing has tiles, too, and stays until the lobby is there.
    await page.locator('.lobby__banner').first().waitFor();
    const to = await page.locator('main a.market__tile').first().getAttribute('href');
    await page.locator(`main a.market__tile[href="${to}"]`).first().click();
    await page.waitForURL(`${site.url}${to}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
  });

  it('[OPN-46] [OPN-51] [OPN-52] the tiles have the names that were chosen; worli is opened by its code', async () => {
    await home('/slot');
    await expect.poll(() => page.locator('main a.market__tile:not([href="/live-casino"])').count()).toBe(32);
    const names = await page
      .locator('main a.market__tile')
      .evaluateAll((found) => Object.fromEntries(found.map((one) => [one.getAttribute('href'), one.textContent])));
    expect(names).toMatchObject({
      '/dt202': '20-20 Dragon Tiger 2',
      '/baccarat2': 'Baccarat 2',
      '/dtl20': '20-20 Dragon Tiger Lion',
      '/teen9': 'Teenpatti Test',
      '/teen8': 'Teenpatti Open',
      '/teen': 'Teenpatti 1-Day',
      '/teen20': '20-20 Teenpatti',
      '/poker6': 'Poker 6 Players',
      '/poker': 'Poker 1-Day',
      '/poker20': '20-20 Poker',
      '/ab20': 'Andar Bahar',
      '/dt20': '20-20 Dragon Tiger',
      '/dt6': '1 Day Dragon Tiger',
      '/casino/worli': 'Worli Matka',
    });
  });

  it('[CAR-40] races are reached from the landing screen and by search, though the sidebar asks the operator', async () => {
    const side = page.locator('aside.side-nav__side').getByRole('link', { name: 'Horse Racing', exact: true });
    expect(await side.getAttribute('href')).toBe('/contact-admin/98');
    await home();
    const chip = page.getByRole('navigation', { name: 'Next races' }).getByRole('link').last();
    const [to, venue] = [await chip.getAttribute('href'), await chip.locator('span').first().innerText()];
    await chip.click();
    await page.waitForURL(`${site.url}${to}`);
    await page.locator('.race-page__title').waitFor();
    await page.getByRole('combobox').first().fill(venue);
    await page
      .getByRole('option', { name: new RegExp(venue) })
      .first()
      .click();
    await page.waitForURL(/\/race\/\d+$/);
    await page.locator('.race-page__title').waitFor();
  });

  it('[LST-01] [OPN-47] a game list has the matches of one sport by start time, with first prices', async () => {
    for (const type of ['cricket', 'football', 'tennis', 'politics']) {
      await go(page, `/game-list/${type}`);
      await page.locator(PRICED).first().waitFor();
      const links = () =>
        page.locator('.event-list__open').evaluateAll((found) =>
          found.map((one) => {
            const [, , kind, id] = new URL((one as HTMLAnchorElement).href).pathname.split('/');
            return `${kind} ${id}`;
          }),
        );
      const expected = async () =>
        (await listed(site, token)).filter((one) => one.matchType === type).map((one) => `${type} ${one.id}`);
      await expect.poll(async () => JSON.stringify(await links()) === JSON.stringify(await expected())).toBe(true);
    }
  });

  it('[OPN-49] the header asks /user/searchlist; /match/search/{keyword} stays served', async () => {
    calls.length = 0;
    const box = page.getByRole('combobox').first();
    await box.fill('Underhill');
    await page.getByRole('option', { name: /Uma Underhill/ }).waitFor();
    expect(callsTo('/user/searchlist').map((url) => url.searchParams.get('keyword'))).toContain('Underhill');
    expect(calls.filter((url) => url.pathname.includes('/match/search'))).toEqual([]);
    await box.fill('');
    const { status, data } = await site.call<Array<{ id: number }>>('GET', '/match/search/Underhill', token);
    expect([status, data.map((one) => one.id)]).toEqual([200, [made.matchId]]);
  });
});

describe('favourites and many markets on one screen', () => {
  it('a star on a row marks an event; it stands under Favourites, on its page, and after a reload', async () => {
    await home();
    await tab(/^Tennis/).click();
    const star = page.getByRole('button', { name: 'Uma Underhill v Vic Vale is a favourite' });
    expect(await star.getAttribute('aria-pressed')).toBe('false');
    await star.click();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    await tab(/^Favourites/).click();
    await expect.poll(() => page.locator('.event-list__event').count()).toBe(1);
    await seen(page.locator('.event-list__event'), /Uma Underhill/);
    const kept = () =>
      site.call<{ matchIds: number[] }>('GET', '/user/favourites', token).then(({ data }) => data.matchIds);
    await expect.poll(kept).toEqual([made.matchId]);

    await page.reload();
    await tab(/^Favourites/).click();
    await page.locator('.event-list__open').click();
    await page.getByRole('heading', { level: 1, name: 'Uma Underhill v Vic Vale' }).waitFor();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    await star.click();
    await expect.poll(kept).toEqual([]);
    await star.click();
    await expect.poll(kept).toEqual([made.matchId]);
  });

  it('a mark the server does not take is taken back', async () => {
    await openMatch(page, made);
    const star = page.getByRole('button', { name: 'Uma Underhill v Vic Vale is a favourite' });
    await page.route('**/api/user/favourites', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { statusCode: 500, message: 'Not now.', code: 'INTERNAL' } })
        : route.continue(),
    );
    await star.click();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    await seen(page.locator('.toast__toast'), /Not now/);
    await page.unroute('**/api/user/favourites');
  });

  it('markets with open bets and favourites stand on one screen, live, and take a bet', async () => {
    const bet = await addMatch(site, 'Wim Wolf v Xan Xylo', ['Wim Wolf', 'Xan Xylo']);
    await quote(site, bet.betId, bet.runnerIds[0]!, [[200, 1_000_000]], [[204, 1_000_000]]);
    await placeByCall(site, token, bet, bet.runnerIds[0]!, 'BACK', 200, 1000);
    await page.goto(`${site.url}/home`);
    await page.getByRole('button', { name: /^My Market/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'On one screen' }).click();
    await expect.poll(chosenTab).toMatch(/^My markets/);
    const event = (title: string) => page.locator(`section.lists__event[aria-label="${title}"]`);
    const markets = page.locator('.lists__market section.market-table__market[aria-label="Match Odds"]');
    await expect.poll(() => markets.count()).toBe(2);
    await seen(event('Wim Wolf v Xan Xylo'), /\+10\.00/);
    const price = event('Uma Underhill v Vic Vale').locator(
      'button.price__cell:not(.price__cell2):not(.price__cell3)[aria-label^="Back Uma Underhill"]',
    );
    await expect.poll(() => price.getAttribute('aria-label')).toContain('3.00');
    await quote(site, made.betId, made.runnerIds[0]!, [[320, 1_000_000]], [[330, 1_000_000]]);
    await expect.poll(() => price.getAttribute('aria-label')).toContain('3.20');
    await price.click();
    await seen(slipOf(page), /Uma Underhill/);
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('on a phone the slip of these markets comes as one sheet', async () => {
    const phone = await signedIn(browser, site, 'alice', { viewport: PHONE });
    await phone.page
      .getByRole('tab', { name: /^My markets/ })
      .first()
      .click();
    await phone.page
      .locator('.lists__event button.price__cell:not(.price__cell2):not(.price__cell3)[aria-label^="Back Wim Wolf"]')
      .click();
    await expect.poll(() => phone.page.getByLabel('Stake', { exact: true }).count()).toBe(1);
    expect(await phone.page.getByRole('dialog', { name: 'Bet slip' }).isVisible()).toBe(true);
    await phone.context.close();
  });
});

describe('the bet slip', () => {
  it('[OPN-09] has selection, side, price, stake, eight stakes, win and loss, clear and place: beside the market, on a phone under the row', async () => {
    await quote(site, made.betId, made.runnerIds[0]!, [[320, 1_000_000]], [[330, 1_000_000]]);
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE });
    for (const on of [page, phone.page]) {
      await go(on, made.path);
      await on.getByRole('heading', { level: 1, name: 'Uma Underhill v Vic Vale' }).waitFor();
      await priceOf(on, 'Match Odds', 'Back', 'Uma Underhill').click();
      const slip = slipOf(on);
      await seen(slip, /Back[\s\S]*Uma Underhill/);
      await expect.poll(() => slip.getByLabel('Odds', { exact: true }).inputValue()).toBe('3.20');
      const stakes = slip.locator('.stepper__stakes button');
      expect(await stakes.count()).toBe(8);
      await stakes.first().click();
      const stake = Number(await slip.getByLabel('Stake', { exact: true }).inputValue());
      expect(stake).toBeGreaterThan(0);
      await seen(slip, new RegExp(`Profit[\\s\\S]*\\+${(stake * 2.2).toFixed(2)}`));
      await seen(slip, new RegExp(`Liability[\\s\\S]*-${stake.toFixed(2)}`));
      await slip.getByRole('button', { name: /^Place back/ }).waitFor();
      const [box, row] = [
        (await slip.boundingBox())!,
        (await priceOf(on, 'Match Odds', 'Back', 'Uma Underhill').boundingBox())!,
      ];
      if (on === page) expect(box.x).toBeGreaterThan(row.x + row.width);
      else expect(box.y).toBeGreaterThanOrEqual(row.y + row.height - 1);
      await slip.getByRole('button', { name: 'Clear' }).click();
    }
    await phone.context.close();
  });
});

describe('rules on the market', () => {
  it('the head of a market opens its rules from its own figures, by keyboard too', async () => {
    const path = `/game-detail/cricket/${bookmaker.id}`;
    await go(page, path);
    await market(page, 'Match Odds').waitFor();
    const info = page.getByRole('button', { name: 'Rules of Match Odds' });
    await info.focus();
    await page.keyboard.press('Enter');
    const box = page.getByRole('dialog', { name: 'Rules of Match Odds' });
    await seen(box, /One runner wins/);
    await seen(box, /2 % of your net win in this market/);
    await seen(box, /Min 1, max 5,000 for one bet/);
    if (bookmaker.inPlay) await seen(box, /A bet waits \d s before it is taken/);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });
    expect(await info.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Rules of Bookmaker' }).click();
    await seen(page.getByRole('dialog', { name: 'Rules of Bookmaker' }), /at 80, a back of 100 wins 80/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rules of Fancy' }).click();
    await seen(page.getByRole('dialog', { name: 'Rules of Fancy' }), /Yes wins when the runs reach the line/);
    await page.keyboard.press('Escape');
    // The place market of a race says its places.
    await home();
    await page.getByRole('navigation', { name: 'Next races' }).getByRole('link').last().click();
    await page.locator('.race-page__title').waitFor();
    await page.getByRole('button', { name: /^Rules of / }).click();
    await seen(page.getByRole('dialog', { name: /^Rules of / }), /Dead heat/);
    await page.keyboard.press('Escape');
  });
});

describe('widths, words and ways', () => {
  it('[CAR-36] [OPN-58] header rules turn at 1199, page rules at 768 and 1599', async () => {
    await home();
    const seenAt = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      return {
        full: await visible('aside.side-nav__side'),
        topBar: await visible('nav[aria-label="Main"]'),
        boxes: await visible('.header__check'),
        phone: await visible('.top-bar__bottom'),
        side: await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--side-w').trim()),
      };
    };
    const at = {
      768: await seenAt(768),
      769: await seenAt(769),
      1199: await seenAt(1199),
      1200: await seenAt(1200),
      1599: await seenAt(1599),
      1600: await seenAt(1600),
    };
    await page.setViewportSize(DESKTOP);
    // 768 is a phone, though the tablet range starts with it.
    expect([at[768].phone, at[769].phone]).toEqual([true, false]);
    for (const width of [769, 1199] as const) expect(at[width]).toMatchObject({ full: false, boxes: true });
    for (const width of [1200, 1599, 1600] as const)
      expect(at[width]).toMatchObject({ full: true, topBar: true, boxes: false, phone: false });
    expect(at[1599].side).toBe(at[1200].side);
    expect(at[1600].side).not.toBe(at[1599].side);
  });

  it('[CAR-39] both shells take unknown paths themselves; Not Found is for what neither takes', async () => {
    await page.goto(`${site.url}/no/such/place`);
    await page.waitForURL('**/home');
    const guest = await visit(browser);
    await guest.page.goto(`${site.url}/no/such/place`);
    await guest.page.waitForURL('**/login');
    await guest.context.close();
    for (const path of ['/api/no/such/call', '/assets/no-such.js']) {
      const answer = await fetch(site.url + path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('Not Found');
    }
  });

  it('[CAR-42] what blinks ends by itself, slower than three times a second, and is still for those who ask', async () => {
    await home();
    const blinks = () =>
      page.evaluate(() =>
        document.getAnimations().flatMap((one) => {
          const effect = one.effect as KeyframeEffect | null;
          if (!effect?.target?.closest('.side-nav__blink')) return [];
          const { duration, iterations } = effect.getComputedTiming();
          return [{ duration: Number(duration), times: iterations ?? 0 }];
        }),
      );
    await page.reload();
    await expect.poll(async () => (await blinks()).length).toBeGreaterThan(0);
    for (const { duration, times } of await blinks()) {
      expect(duration).toBeGreaterThan(1000 / 3);
      expect(duration * times).toBeLessThanOrEqual(5000);
    }
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(async () => (await blinks()).length).toBe(0);
    await page.emulateMedia({ reducedMotion: null });
  });

  it('[OPN-56] no support text, no social icons, two help organisations and the copyright line', async () => {
    const footer = page.locator('footer');
    expect(await footer.locator('.footer__help').innerText()).toBe('');
    expect(await footer.locator('.footer__social').evaluate((box) => box.children.length)).toBe(0);
    expect(await footer.locator('.footer__organisations a').allInnerTexts()).toEqual(['Gambling Therapy', 'GamCare']);
    await seen(footer, new RegExp(`© ${new Date().getFullYear()} fairGame`));
  });
});
