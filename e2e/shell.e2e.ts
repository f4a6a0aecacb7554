import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browser, page, site, stand, token } from './alice-ground.ts';
import { DESKTOP, PHONE, visit } from './browser.ts';
import {
  addMatch,
  betsOf,
  go,
  headerFigure,
  listed,
  type Made,
  market,
  matchOf,
  openMatch,
  placeByCall,
  priceOf,
  quote,
  seen,
  signedIn,
  slipOf,
  stakeBox,
  walletOf,
} from './play.ts';
import { PRICED } from './screens.ts';
import { settled } from './wait.ts';

/** The shell around every screen and the lists in it, row by row of the requirements that only a browser can show. */
let made: Made;
const calls: Array<{ method: string; url: URL }> = [];

stand(
  { FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '13' },
  async () => {
    made = await addMatch(site, 'Ora Oak v Pia Pine', ['Ora Oak', 'Pia Pine']);
    await quote(site, made.betId, made.runnerIds[0]!, [[300, 1_000_000]], [[310, 1_000_000]]);
  },
  (on) =>
    on.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push({ method: request.method(), url: new URL(request.url()) });
    }),
);

const callsTo = (path: string) => calls.filter(({ url }) => url.pathname === `/api${path}`);
const shown = (selector: string) => page.locator(selector).first().isVisible();
const resize = async (width: number) => {
  await page.setViewportSize({ width, height: 900 });
  await settled(page);
};

describe('before the client runs', () => {
  it.each([
    ['en', ['fairGame', 'Back and lay on one exchange. For adults only.']],
    ['ur', ['fairGame', '18+']],
  ])('the first picture says nothing in another language than the one kept: %s', async (language, words) => {
    const { context, page: early } = await visit(browser);
    await context.addInitScript((kept) => localStorage.setItem('language', kept), language);
    await early.route(/assets\/index-.*\.js$/, (route) => route.abort());
    await early.goto(site.url);
    const said = early.locator('#splash > *:visible');
    await expect.poll(() => said.allInnerTexts()).toEqual(words);
    await context.close();
  });
});

describe('what the product is', () => {
  it('[SID-06] [SID-07] [PRD-01] exchange, card casino, live casino and legal pages are one press away from home', async () => {
    await go(page, '/home');
    await page.locator('.event-list__event').first().waitFor();
    const side = page.locator('aside.side-nav__side');
    await side.getByRole('link', { name: 'Casino', exact: true }).click();
    await page.waitForURL('**/casino');
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await side.getByRole('link', { name: 'Live Casino', exact: true }).click();
    await page.waitForURL('**/live-casino');
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    for (const path of ['/terms-and-conditions', '/responsible-gaming'])
      expect(await page.locator(`footer a[href="${path}"]`).count()).toBe(1);
  });

  it('[NAV-17] [PRD-02] [PRD-08] [PRD-09] each of the six sports has its list, and a race card is reached from one', async () => {
    for (const [type, name] of [
      ['cricket', 'Cricket'],
      ['football', 'Football'],
      ['tennis', 'Tennis'],
      ['politics', 'Politics'],
    ] as const) {
      await go(page, `/game-list/${type}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.locator(PRICED).first().waitFor();
    }
    for (const type of ['horseRacing', 'greyHound']) {
      await go(page, `/game-list/${type}`);
      const chip = page.locator('main .race-parts__race').first();
      await chip.waitFor();
      await chip.click();
      await page.waitForURL(/\/race\/\d+$/);
      await page.locator('.race-page__title').waitFor();
    }
  });

  it('[SHL-05] [PRD-05] [PRD-06] after the sign-in the header shows the figures of the profile', async () => {
    const wallet = await walletOf(site, token);
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(wallet.currentBalance);
    await expect.poll(() => headerFigure(page, 'Exposure')).toBe(-wallet.exposure || 0);
    expect(page.url().startsWith(site.url)).toBe(true);
  });

  it('[PRD-07] a search leads to the event', async () => {
    await go(page, '/home');
    const box = page.locator('.header__header input').first();
    await box.click();
    await box.fill('Ora Oak');
    await page
      .getByRole('option', { name: /Ora Oak/ })
      .or(page.getByRole('link', { name: /Ora Oak/ }))
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === made.path);
    await page.getByRole('heading', { level: 1, name: 'Ora Oak v Pia Pine' }).waitFor();
    await box.fill('');
  });

  it('[PRD-13] [BET-09] [NAV-09] stake buttons of the slip are the saved values', async () => {
    await go(page, '/change-btn-value');
    await expect.poll(() => page.getByLabel(/^Price Value \d$/).count()).toBe(8);
    await page.getByLabel('Price Label 1', { exact: true }).fill('Tiny');
    await page.getByLabel('Price Value 1', { exact: true }).fill('7');
    await page.getByRole('button', { name: 'Update' }).click();
    await seen(page.locator('.toast__toast'), /./);
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Back', 'Ora Oak').click();
    await slipOf(page).getByRole('button', { name: 'Tiny', exact: true }).click();
    expect(await stakeBox(page).inputValue()).toBe('7');
    const { data } = await site.call<{ buttonValues: { value: string } }>('GET', '/user/profile', token);
    const labels = await slipOf(page).locator('.stepper__stakes button').allTextContents();
    expect([...labels].sort()).toEqual(Object.keys(JSON.parse(data.buttonValues.value) as object).sort());
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('[PRD-12] [NAV-05] [NAV-06] statement, profit and loss and bet history tell of a settled bet', async () => {
    const settled = await addMatch(site, 'Quin Quay v Rex Reed', ['Quin Quay', 'Rex Reed']);
    await quote(site, settled.betId, settled.runnerIds[0]!, [[200, 100_000]], [[204, 100_000]]);
    await placeByCall(site, token, settled, settled.runnerIds[0]!, 'BACK', 200, 1000);
    await site.operator('/market/declare', {
      betId: settled.betId,
      result: { kind: 'winners', runnerIds: [settled.runnerIds[0]] },
    });
    await go(page, '/account-statement');
    await seen(page.locator('main table'), /Quin Quay v Rex Reed/);
    await go(page, '/profit-loss');
    await page.getByRole('heading', { level: 1, name: 'Profit and loss' }).waitFor();
    await seen(page.locator('main table'), /Tennis[\s\S]*\+9\.80/);
    await go(page, '/bet-history');
    await page.getByRole('heading', { level: 1, name: 'Bet history' }).waitFor();
    await seen(page.locator('main'), /Quin Quay v Rex Reed/);
  });

  it('[PRD-14] [NAV-12] the rules can be read in their window and on their screen', async () => {
    await go(page, '/bet-history');
    await page.getByRole('heading', { level: 1, name: 'Bet history' }).waitFor();
    // The press comes while the screen before still stands under the new address, and is not undone by what comes.
    const button = page.locator('.header__header').getByRole('button', { name: 'Rules', exact: true }).first();
    await button.evaluate((rules) => {
      history.pushState({}, '', '/home');
      dispatchEvent(new PopStateEvent('popstate'));
      (rules as HTMLElement).click();
    });
    await page.locator(PRICED).first().waitFor();
    const dialog = page.getByRole('dialog', { name: 'Rules' });
    await expect.poll(async () => (await dialog.locator('li').allInnerTexts()).join(' ').length).toBeGreaterThan(100);
    await page.keyboard.press('Escape');
    await go(page, '/rules');
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
    await expect
      .poll(async () => (await page.locator('main li').allInnerTexts()).join(' ').length)
      .toBeGreaterThan(100);
  });

  it('[PRD-15] [PRD-18] the player is a `user`: no operator screen, link or call', async () => {
    const profile = await site.call<{ role: string }>('GET', '/user/profile', token);
    expect(profile.data.role).toBe('user');
    await page.goto(`${site.url}/operator`);
    await page.waitForURL('**/home');
    await page.locator('.event-list__event').first().waitFor();
    const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    expect(links.filter((href) => /operator|admin(?!\/\d)/i.test(href))).toEqual([]);
    expect(calls.filter(({ url }) => url.pathname.startsWith('/api/operator'))).toEqual([]);
    expect((await site.call('POST', '/operator/market/declare', token, {})).status).toBe(403);
  });

  it('[PRD-17] the legal pages need no sign-in', async () => {
    const guest = await visit(browser);
    for (const path of ['/terms-and-conditions', '/responsible-gaming']) {
      expect((await fetch(site.url + path)).status).toBe(200);
      await guest.page.goto(site.url + path);
      await guest.page.locator('h1').first().waitFor();
      expect(new URL(guest.page.url()).pathname).toBe(path);
    }
    await guest.context.close();
  });
});

describe('the layout by width', () => {
  it('[SHL-08] [SHL-09] [TOP-01] sidebar and top bar stand on a desktop, and give way below it', async () => {
    await go(page, '/home');
    await resize(1600);
    const side = (await page.locator('aside.side-nav__side').boundingBox())!;
    const main = (await page.locator('main').boundingBox())!;
    expect(side.x + side.width).toBeLessThanOrEqual(main.x + 1);
    expect(await shown('nav[aria-label="Main"]')).toBe(true);
    await resize(768);
    expect(await shown('aside.side-nav__side')).toBe(false);
    expect(await shown('nav[aria-label="Main"]')).toBe(false);
    // What stood there opens as a drawer.
    await page
      .locator('.header__header')
      .getByRole('button', { name: /menu|sports/i })
      .first()
      .click();
    await seen(page.getByRole('dialog'), /All Sports/);
    await page.keyboard.press('Escape');
  });

  it('[SHL-16] [SHL-17] phone up to 768, tablet from 769 to 1599, desktop from 1600', async () => {
    const bottomBar = '.top-bar__bottom';
    const sideWidth = async () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--side-w').trim());
    await resize(768);
    const phone = await page.locator('.shell__shell').evaluate((shell) => getComputedStyle(shell).gridTemplateColumns);
    expect(await shown(bottomBar)).toBe(true);
    await resize(769);
    expect(await shown(bottomBar)).toBe(false);
    expect(phone.split(' ')).toHaveLength(1);
    const tablet = await sideWidth();
    await resize(1599);
    expect(await sideWidth()).toBe(tablet);
    await resize(1600);
    expect(await sideWidth()).not.toBe(tablet);
    await resize(DESKTOP.width);
  });

  it('[FTR-01] [FTR-05] [FTR-11] [FTR-12] both shells have the footer, its heading smaller on a phone', async () => {
    const guest = await visit(browser, { viewport: { width: 769, height: 900 } });
    await guest.page.goto(`${site.url}/login`);
    for (const on of [guest.page, page]) {
      await on.locator('footer').waitFor();
      const size = async (width: number) => {
        await on.setViewportSize({ width, height: 900 });
        return on.locator('footer h2').evaluate((head) => Number.parseFloat(getComputedStyle(head).fontSize));
      };
      expect(await size(768)).toBeLessThan(await size(769));
      const outside = await on
        .locator('footer .footer__bar a')
        .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).origin));
      expect(outside).toHaveLength(2);
      expect(outside).not.toContain(site.url);
      await seen(on.locator('footer'), /© \d{4} fairGame/);
    }
    await guest.context.close();
    await resize(DESKTOP.width);
  });

  it('[PUB-09] a new screen starts at its top', async () => {
    await go(page, '/home');
    await page.locator('.event-list__event').nth(8).scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, 900));
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
    await page
      .locator('.event-list__open')
      .nth(9)
      .evaluate((link) => (link as HTMLElement).click());
    await page.waitForURL(/game-detail/);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });

  it('the tree at the side shows where the player is, and the page stays at its top', async () => {
    // So low that the way to the event ends below the window.
    await page.setViewportSize({ width: DESKTOP.width, height: 420 });
    for (const n of [0, 1]) {
      await page.goto(`${site.url}/game-list/tennis`);
      const row = page.locator('.event-list__open').nth(n);
      await row.evaluate((link) => (link as HTMLElement).click());
      const leaf = page.locator('.side-nav__leaf[aria-current]');
      await expect.poll(() => leaf.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(420);
      expect(await leaf.evaluate((one) => one.closest('.side-nav__side')!.scrollTop)).toBeGreaterThan(0);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    }
    await resize(DESKTOP.width);
  });

  it('rows out of sight are not drawn, at their own heights, and Back comes to the very place that was left', async () => {
    // Low, so that a short list reaches far: a browser draws what is up to one and a half windows away.
    await page.setViewportSize({ width: PHONE.width, height: 500 });
    await go(page, '/home');
    await expect
      .poll(() =>
        page.locator('.event-list__event').evaluateAll((rows) => {
          const drawn = (row: Element) => row.firstElementChild!.checkVisibility({ contentVisibilityAuto: true });
          const height = () => document.documentElement.scrollHeight;
          const now = { first: drawn(rows[0]!), last: drawn(rows.at(-1)!), height: height() };
          for (const row of rows) (row as HTMLElement).style.contentVisibility = 'visible';
          const missing = rows.filter((row) => !drawn(row)).length;
          const grown = height() - now.height;
          for (const row of rows) (row as HTMLElement).style.contentVisibility = '';
          return { first: now.first, last: now.last, missing, grown };
        }),
      )
      .toEqual({ first: true, last: false, missing: 0, grown: 0 });

    await page.evaluate(() => scrollTo(0, 700));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
    await page
      .locator('.event-list__open')
      .nth(9)
      .evaluate((link) => (link as HTMLElement).click());
    await page.waitForURL(/game-detail/);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
    await resize(DESKTOP.width);
  });

  it('[SID-01] [SID-05] the sidebar has its three groups; Tembo Casino blinks, and holds still for those who ask', async () => {
    await go(page, '/home');
    const side = page.locator('aside.side-nav__side');
    await expect
      .poll(async () =>
        (await side.innerText()).match(/Racing Sports|Others|All Sports/gi)?.map((name) => name.toLowerCase()),
      )
      .toEqual(['racing sports', 'others', 'all sports']);
    const running = (on: Page) =>
      on
        .locator('aside.side-nav__side a', { hasText: 'Tembo Casino' })
        .evaluate((link) => link.getAnimations({ subtree: true }).filter((one) => one.playState === 'running').length);
    expect(await running(page)).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => running(page)).toBe(0);
    await page.emulateMedia({ reducedMotion: null });
  });

  it('[SHL-06] [OPN-62] [SHL-07] [MNU-10] the user menu of a phone holds its entries in order', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE });
    await phone.page.getByRole('button', { name: /^Account of bob/ }).click();
    const sheet = phone.page.getByRole('dialog', { name: 'Account' });
    await sheet.getByText('SignOut').waitFor();
    const text = await sheet.innerText();
    const at = [
      'Account Statement',
      'Current Bet',
      'Live Casino Bets',
      'Set Button Values',
      'Security Auth Verification',
      'Change Password',
      'Rules',
      'Balance',
      'Exposure',
      'SignOut',
    ].map((name) => text.indexOf(name));
    expect(at.every((place) => place >= 0)).toBe(true);
    expect([...at].sort((a, b) => a - b)).toEqual(at);
    await phone.context.close();
  });

  it('[MQE-02] the notices run to the right of a margin of 300 pixels', async () => {
    await go(page, '/home');
    const margin = await page
      .locator('.notice-bar__view')
      .evaluate((view) => Math.round(view.getBoundingClientRect().x - view.parentElement!.getBoundingClientRect().x));
    expect(margin).toBe(300);
    expect(await page.locator('.notice-bar__view').evaluate((view) => getComputedStyle(view).marginLeft)).toBe('300px');
  });
});

describe('lists', () => {
  it('[HOM-01] [HOM-02] [HOM-03] [HOM-04] the landing asks in the order of the start; rows and tabs are those of the answers', async () => {
    calls.length = 0;
    await page.goto(`${site.url}/home`);
    await page.locator('.event-list__event').first().waitFor();
    expect(callsTo('/match/list')[0]!.url.searchParams.get('sort')).toBe('match.startAt:ASC');
    expect(callsTo('/expert/blinkingTabs').length).toBeGreaterThan(0);
    const tabs = await site.call<Array<{ name: string; matchType: string | null }>>(
      'GET',
      '/expert/blinkingTabs',
      token,
    );
    const strip = await page.locator('main').innerText();
    for (const one of tabs.data) expect(strip).toContain(one.name);
    const all = await listed(site, token);
    const links = await page
      .locator('.event-list__open')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')!));
    expect(links.length).toBeGreaterThan(10);
    for (const href of links) {
      const [, type, id, bid] = /^\/game-detail\/(\w+)\/(\d+)(\?bid=.+)?$/.exec(href) ?? [];
      const match = all.find((one) => String(one.id) === id);
      expect(match?.matchType).toBe(type);
      expect(bid !== undefined).toBe(type !== 'cricket');
    }
  });

  it('[NAV-14] an event opens with and without ?bid=', async () => {
    for (const path of [made.path, `${made.path}?bid=op-1`]) {
      await page.goto(site.url + path);
      await page.getByRole('heading', { level: 1, name: 'Ora Oak v Pia Pine' }).waitFor();
    }
  });

  it('[OPN-31] [MAT-01] [MAT-02] cricket, football and tennis are read by one call, the others by the other', async () => {
    const all = await listed(site, token);
    for (const [type, path] of [
      ['cricket', '/match/'],
      ['football', '/match/'],
      ['tennis', '/match/'],
      ['politics', '/match/other/'],
    ] as const) {
      const { id, title } = all.find((one) => one.matchType === type && one.head?.status !== 'CLOSED')!;
      await go(page, `/game-detail/${type}/${id}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(callsTo(`${path}${id}`).map((one) => one.method)).toContain('GET');
    }
  });

  it('[MAT-12] a failing getIframeUrl is logged, and no frame stays', async () => {
    const match = (await listed(site, token)).find((one) => one.matchType === 'cricket' && one.inPlay)!;
    const other = await signedIn(browser, site, 'bob');
    await other.page.route('**/getIframeUrl/**', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{"statusCode":500,"message":"no"}' }),
    );
    await go(other.page, `/game-detail/cricket/${match.id}`);
    await other.page.getByRole('heading', { level: 1, name: match.title }).waitFor();
    await expect
      .poll(() => other.errors.some((text) => text.includes('getIframeUrl failed')), { timeout: 30_000 })
      .toBe(true);
    expect(await other.page.locator('iframe').count()).toBe(0);
    await other.context.close();
  });

  it('[MAT-11] the picture stands in a frame of its own and draws the match', async () => {
    const all = (await listed(site, token)).filter((one) => one.matchType === 'cricket' && one.inPlay);
    const details = await Promise.all(all.map((one) => matchOf(site, token, one.id)));
    const match = details.find((one) => one.isTv)!;
    await go(page, `/game-detail/cricket/${match.id}`);
    const frame = page.locator('iframe');
    await frame.first().waitFor();
    const { data } = await site.call<{ tvData: { iframeUrl: string } }>(
      'GET',
      `/getIframeUrl/${match.id}?sportType=cricket&isTv=true&isScore=true`,
      token,
    );
    expect(await frame.first().getAttribute('src')).toBe(data.tvData.iframeUrl);
    const inside = page.frameLocator('iframe').first();
    await expect.poll(() => inside.locator('#title').innerText()).toContain(match.title);
    await expect.poll(() => inside.locator('#field > *').count()).toBeGreaterThan(3);
  });

  it('[FAN-07] sessions of the feed show where apiSessionActive is true, and nowhere else', async () => {
    const seenOf = { true: 0, false: 0 };
    for (const one of (await listed(site, token)).filter((at) => at.matchType === 'cricket')) {
      const { apiSessionActive } = await matchOf(site, token, one.id);
      const key = `${apiSessionActive}` as const;
      if (seenOf[key] >= 2) continue;
      await go(page, `/game-detail/cricket/${one.id}`);
      // The page before it stands until this one is there, and has such a market too.
      await page.getByRole('heading', { level: 1, name: one.title }).waitFor();
      await market(page, 'Match Odds').waitFor();
      const now = (await matchOf(site, token, one.id)).apiSessionActive;
      if (now !== apiSessionActive) continue;
      seenOf[key] += 1;
      if (apiSessionActive) await page.locator('.fancy-market__line').first().waitFor();
      // Sessions that are over stay to be read, and take no bet.
      else expect(await page.locator('.fancy-market__line button.price__cell:not([aria-disabled])').count()).toBe(0);
    }
    expect(seenOf.true).toBeGreaterThan(0);
    expect(seenOf.false).toBeGreaterThan(0);
  });

  it('[FAN-08] a session made by hand shows while manualSessionActive is true, and not before or after', async () => {
    const made = await addMatch(site, 'Hand Made v Machine', ['Hand Made', 'Machine'], 'cricket');
    await go(page, made.path);
    await market(page, 'Match Odds').waitFor();
    expect((await matchOf(site, token, made.matchId)).manualSessionActive).toBe(false);
    expect(await page.locator('.fancy-market__line').count()).toBe(0);
    const added = await site.operator<Pick<Made, 'betId' | 'runnerIds'>>('/session/add', {
      matchId: made.matchId,
      name: '10 over runs HM',
    });
    await site.operator('/market/quote', {
      betId: added.betId,
      runnerId: added.runnerIds[0]!,
      line: 71,
      back: [[100, 25_000]],
      lay: [[100, 25_000]],
    });
    expect((await matchOf(site, token, made.matchId)).manualSessionActive).toBe(true);
    await seen(page.locator('.fancy-market__line'), /10 over runs HM[\s\S]*71/);
    await site.operator('/market/declare', {
      betId: added.betId,
      result: { kind: 'void', reason: 'Rain' },
    });
    expect((await matchOf(site, token, made.matchId)).manualSessionActive).toBe(false);
    await page.reload();
    await market(page, 'Match Odds').waitFor();
    // Settled it stays to be read, under its result, and takes no bet.
    expect(await page.locator('.fancy-market__line button.price__cell:not([aria-disabled])').count()).toBe(0);
  });

  it('of the sessions settled before, the six latest show under the open ones, the others when asked for', async () => {
    const made = await addMatch(site, 'Old Results v New', ['Old Results', 'New'], 'cricket');
    const ids: number[] = [];
    for (let over = 1; over <= 9; over++) {
      const { betId, runnerIds } = await site.operator<Pick<Made, 'betId' | 'runnerIds'>>('/session/add', {
        matchId: made.matchId,
        name: `Over ${over} runs`,
        kind: 'overByover',
      });
      const price = { back: [[100, 25_000]], lay: [[100, 25_000]] };
      await site.operator('/market/quote', { betId, runnerId: runnerIds[0]!, line: 7, ...price });
      ids.push(betId);
    }
    // The first stays open: it was made before those that are settled.
    for (const [at, betId] of ids.entries())
      if (at > 0) await site.operator('/market/declare', { betId, result: { kind: 'score', score: at } });
    await go(page, made.path);
    const names = () => page.locator('.fancy-market__name').allInnerTexts();
    const rows = (...overs: number[]) => overs.map((over) => `Over ${over} runs`);
    await expect.poll(async () => (await names()).sort()).toEqual(rows(1, 4, 5, 6, 7, 8, 9));
    expect((await names())[0]).toBe('Over 1 runs');
    await page.getByRole('button', { name: 'Show 2 earlier results' }).click();
    await expect.poll(async () => (await names()).sort()).toEqual(rows(1, 2, 3, 4, 5, 6, 7, 8, 9));
    await page.getByRole('button', { name: 'Hide earlier results' }).click();
    await expect.poll(async () => (await names()).length).toBe(7);
    // One that is settled while it is looked at stays where it is.
    await site.operator('/market/declare', { betId: ids[0]!, result: { kind: 'score', score: 7 } });
    await seen(page.locator('.fancy-market__line').first(), /Over 1 runs[\s\S]*Result 7/);
    expect(await names()).toHaveLength(7);
  });
});

describe('idle and offline', () => {
  it('[IDL-01] [IDL-02] the session ends on the screen after six idle hours and not before; a move starts them anew', async () => {
    const idle = await visit(browser);
    await idle.page.clock.install();
    await idle.page.goto(`${site.url}/login`);
    await idle.page.getByLabel('Username').fill('bob');
    await idle.page.getByLabel('Password', { exact: true }).fill('lays-the-favourite-4');
    await idle.page.getByRole('button', { name: 'Login', exact: true }).click();
    await idle.page.waitForURL('**/home');
    await idle.page.locator('.event-list__event').first().waitFor();
    const expired = idle.page.getByText('Your session has been expired,');
    await idle.page.clock.fastForward('05:50:00');
    await idle.page.mouse.move(200, 300);
    await idle.page.mouse.move(300, 400);
    await idle.page.clock.fastForward('05:57:00');
    expect(await expired.count()).toBe(0);
    await idle.page.clock.fastForward('02:00');
    expect(await expired.count()).toBe(0);
    await idle.page.clock.fastForward('01:30');
    await idle.page.clock.runFor(3000);
    await expect.poll(() => expired.count()).toBe(1);
    await idle.context.close();
  });

  it('[IDL-10] [CAR-05] back online the page loads itself anew, within five seconds', async () => {
    const other = await signedIn(browser, site, 'bob');
    await other.page.evaluate(() => sessionStorage.removeItem('reloadedAt'));
    await other.context.setOffline(true);
    await other.page.getByText('You are currently offline').waitFor();
    const loaded = other.page.waitForEvent('load', { timeout: 20_000 });
    await other.context.setOffline(false);
    await loaded;
    await other.page.locator('.event-list__event').first().waitFor();
    expect(await betsOf(site, token)).toBeDefined();
    await other.context.close();
  });
});
