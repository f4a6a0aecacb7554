import { describe, expect, it } from 'vitest';
import { browser, made, page, show, site, stand, walks } from './a11y-ground.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { crowded, overflow } from './crowded.ts';
import { large, SMALL, tablesStandWhole } from './languages.ts';
import { listed, signedIn, speak } from './play.ts';
import { EVENT, type Walk } from './screens.ts';
import { accented } from './untranslated.ts';
import { settled } from './wait.ts';

/** How pages stand in the languages with the longest words and with large text, on the built site with prices that move. */
stand();

/** Where a player of other languages finds longer words than the walks of all screens have. */
const MORE: readonly Walk[] = [
  { path: '/terms-and-conditions', ready: 'h1' },
  { path: '/responsible-gaming', ready: 'h1' },
  { path: '/game-list/tennis', ready: '.event-list__event' },
  { path: '/game-list/greyHound', ready: '.race-parts__race' },
  { path: '/workspace', ready: 'main h1' },
];

describe('long words and large text', () => {
  for (const language of ['ta', 'ur'])
    it(`no page is wider than 320 px with text at twice the size: ${language}`, async () => {
      const phone = await signedIn(browser, site, 'bob', { viewport: SMALL });
      await speak(phone.page, language);
      const found: Record<string, string> = {};
      for (const walk of [...walks, ...MORE]) {
        await show(phone.page, walk);
        await large(phone.page, 200);
        await settled(phone.page);
        const over = await overflow(phone.page);
        if (over !== '') found[walk.path] = over;
      }
      await phone.context.close();
      expect(found).toEqual({});
    });

  it('the ladders of a market stand clear of each other with text at twice the size, on a phone and side by side', async () => {
    const football = (await listed(site, await site.signIn('bob', 'lays-the-favourite-4'))).find(
      ({ matchType, inPlay, head }) => matchType === 'football' && !inPlay && head,
    )!;
    const path = `/game-detail/football/${football.id}?ladder=${football.head!.id}`;
    const language = await accented(page);
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      await show(page, { path, ready: '.ladder__rung:not(.ladder__head)' });
      await large(page, 200);
      await settled(page);
      expect([size.width, await crowded(page), await overflow(page)]).toEqual([size.width, [], '']);
    }
    await large(page, 100);
    await language.end();
  });
});

describe('a card table on a desktop', () => {
  it('has the names of its players at the end of their prices', async () => {
    await page.setViewportSize(DESKTOP);
    await show(page, { path: '/teen20', ready: '.odds-rows__pairHead b' });
    const ends = (of: string) =>
      page.locator(of).evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    expect(await ends('.odds-rows__pairHead .odds-rows__group > b')).toEqual(
      await ends('.odds-rows__pairHead + .odds-rows__pair .price__cells'),
    );
  });
});

describe('a phone', () => {
  tablesStandWhole(['ta']);

  it('the tabs of an event, what is asked for at its head and the signs of the bar stand in one line, whatever the language', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE });
    const cricket = walks.find(({ path }) => path.includes('/game-detail/cricket/'))!;
    for (const language of ['en', 'ta', 'pt-BR']) {
      await speak(phone.page, language);
      await show(phone.page, cricket);
      const tabs = phone.page.locator('.event__tabs [role="tab"]');
      expect(await tabs.count()).toBeGreaterThan(3);
      const tops = await tabs.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      expect([language, new Set(tops).size]).toEqual([language, 1]);
      const signs = phone.page.locator('.top-bar__bottom > * > svg');
      expect(await signs.count()).toBe(5);
      const heights = await signs.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      expect([language, new Set(heights).size]).toEqual([language, 1]);
      // What is asked for at the head of it takes no line of its own.
      const [star, see] = await phone.page
        .locator('.event__head > button, .event__see')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      expect([language, see!.top < star!.bottom && star!.top < see!.bottom]).toEqual([language, true]);
      await tabs.last().click();
      expect(await tabs.last().getAttribute('aria-selected')).toBe('true');
    }
    await phone.context.close();
  });

  it('a lobby of tables shows results that have room, and no page moves for them', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: SMALL });
    await phone.page.route('**/card/tiles', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: Array<{ lastBadges: string[] }> };
      for (const tile of body.data) tile.lastBadges = ['10 Q 10', '10 6 J', '7 8 A', 'Q 10 10'];
      await route.fulfill({ response: answer, json: body });
    });
    for (const percent of [100, 200]) {
      await show(phone.page, { path: '/casino', ready: '.results__result' });
      await large(phone.page, percent);
      await settled(phone.page);
      expect([percent, await crowded(phone.page), await overflow(phone.page)]).toEqual([percent, [], '']);
    }
    await phone.context.close();
  });

  it('the figures of the account menu fill their lines: none leaves an empty cell', async () => {
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE });
    await show(phone.page, { path: made.path, ready: EVENT });
    await phone.page.locator('.account-menu__user').click();
    await phone.page.locator('.account-menu__figures').waitFor();
    await settled(phone.page);
    const [box, last] = await phone.page
      .locator('.account-menu__figures, .account-menu__figures > :last-child')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    expect(last).toBe(box);
    await phone.context.close();
  });
});
