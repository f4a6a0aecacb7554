import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launch, type Visit } from './browser.ts';
import {
  addMatch,
  betsOf,
  headerFigure,
  type Made,
  market,
  myBets,
  openMatch,
  placeByCall,
  placeNow,
  priceOf,
  quote,
  seen,
  signedIn,
  slipOf,
  stakeBox,
  tokenOf,
  walletOf,
} from './play.ts';
import { type Site, startSite } from './site.ts';
import { holds, late } from './wait.ts';

/**
 * A bet whose answer is lost ends in exactly one bet, or in a definite "not placed", and the slip knows which: whatever the
 * moment at which server, network or tab went away (section 7; architecture section 6). Bets are counted in the account.
 */
let site: Site;
let browser: Browser;
let alice: Visit | undefined;
let page: Page;
let token: string;
let made: Made;
let before = 0;

const PLACE = '**/api/placeBet';
const CASH_OUT = '**/api/bet/cashOut';
const SETTLE = '**/api/bet/key/settle';
const MATCHED = /Matched at 3\.00, 10\.00\./;
const NOT_PLACED = /Your bet was not placed/;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), launch()]);
  token = await tokenOf(site, 'alice');
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

beforeEach(async () => {
  made = await addMatch(site, 'Gia Gold v Hal Hart', ['Gia Gold', 'Hal Hart']);
  await quote(site, made.betId, made.runnerIds[0]!, [[300, 1_000_000]], [[310, 1_000_000]]);
  alice ??= await signedIn(browser, site, 'alice');
  page = alice.page;
  await openMatch(page, made);
  before = await count();
  // While the fate of the last test's bet is open the slip takes no other.
  await expect
    .poll(async () => (await slipOf(page).allInnerTexts()).join(' '), { timeout: 20_000 })
    .not.toMatch(/Checking|Placing/);
  await priceOf(page, 'Match Odds', 'Back', 'Gia Gold').click();
  await stakeBox(page).fill('10');
});
afterEach(async ({ task }) => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (task.result?.state !== 'fail') return;
  // The next test starts with a tab of its own.
  await alice?.context.close();
  alice = undefined;
});

const count = async (): Promise<number> => (await betsOf(site, token, `&betId=eq${made.betId}`)).length;

/** One bet more than before, the slip says so, and header, wallet and list agree. */
async function endsInOneBet(timeout = 20_000): Promise<void> {
  await seen(slipOf(page), MATCHED, timeout);
  expect(await count()).toBe(before + 1);
  await seen(myBets(page), /Gia Gold[\s\S]*3\.00\s*10/);
  const wallet = await walletOf(site, token);
  await expect.poll(() => headerFigure(page, 'Exposure')).toBe(-wallet.exposure);
  // Nothing comes after: no second try is on its way.
  await holds(700, async () => expect(await count()).toBe(before + 1));
}

async function endsInNoBet(timeout = 20_000): Promise<void> {
  await seen(slipOf(page), NOT_PLACED, timeout);
  expect(await stakeBox(page).inputValue()).toBe('10');
  await holds(700, async () => expect(await count()).toBe(before));
}

/** Lets the request reach the server and the bet be committed; the answer is kept from the page. */
const reached = async (route: Route): Promise<void> => {
  expect((await route.fetch()).status()).toBe(200);
};

describe('the answer is dropped', () => {
  it('after the bet was taken: the slip asks by the key and finds the bet', async () => {
    await page.route(PLACE, async (route) => {
      await reached(route);
      await route.abort('connectionreset');
    });
    await placeNow(page);
    await endsInOneBet();
  });

  it('and the first questions are lost too: the slip keeps asking and says so meanwhile', async () => {
    let asked = 0;
    await page.route(SETTLE, async (route) => {
      asked += 1;
      if (asked <= 3) await route.abort('connectionreset');
      else await route.continue();
    });
    await page.route(PLACE, async (route) => {
      await reached(route);
      await route.abort('connectionreset');
    });
    await placeNow(page);
    await seen(slipOf(page), /Checking[\s\S]*it is never placed twice/);
    // Nothing can be pressed, changed or thrown away while its fate is open.
    expect(await stakeBox(page).isDisabled()).toBe(true);
    await slipOf(page).getByRole('button', { name: 'Remove' }).click();
    await priceOf(page, 'Match Odds', 'Lay', 'Gia Gold').click();
    await seen(slipOf(page), /Checking/);
    await endsInOneBet();
    expect(asked).toBeGreaterThan(3);
  });

  it('an answer that never comes is given up after ten seconds and asked for', async () => {
    await page.route(PLACE, reached);
    await placeNow(page);
    await seen(slipOf(page), /Placing/);
    await endsInOneBet(25_000);
  });

  it('a gateway answers 502 in its place: asked for as well', async () => {
    await page.route(PLACE, async (route) => {
      await reached(route);
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    });
    await placeNow(page);
    await endsInOneBet();
  });

  it('the server could not tell in time: its words stand in the slip while the key is asked', async () => {
    let asked = 0;
    await page.route(SETTLE, async (route) => {
      asked += 1;
      if (asked <= 2) await route.abort('connectionreset');
      else await route.continue();
    });
    await page.route(PLACE, async (route) => {
      await reached(route);
      const body = { statusCode: 503, code: 'UNAVAILABLE', message: 'Betting is not available at the moment.' };
      await route.fulfill({ status: 503, contentType: 'application/json', body: JSON.stringify(body) });
    });
    await placeNow(page);
    await seen(slipOf(page), /Checking\. Betting is not available at the moment\./);
    await endsInOneBet();
  });

  it('of a cash out: its hedge is sent once', async () => {
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 300, 1000);
    await quote(site, made.betId, made.runnerIds[0]!, [[198, 1_000_000]], [[200, 1_000_000]]);
    const button = market(page, 'Match Odds').locator('button.cash-out__button');
    await seen(button, /Cash out\s*\+4\.90/);
    await page.route(CASH_OUT, async (route) => {
      await reached(route);
      await route.fulfill({ status: 504, contentType: 'text/html', body: 'Gateway time-out' });
    });
    await button.click();
    await seen(button, /Take\s*\+4\.90\?/);
    await button.click();
    await seen(page.locator('.toast__toast'), /Cashed out \+4\.90/);
    const bets = await betsOf(site, token, `&betId=eq${made.betId}`);
    expect(
      bets.map((bet) => [bet.betType, bet.odds, bet.matched]).sort((a, b) => String(a).localeCompare(String(b))),
    ).toEqual([
      ['BACK', 300, 1000],
      ['LAY', 200, 1500],
    ]);
  });

  it('before the bet arrived: a definite no, and the straggler is refused', async () => {
    let held: { body: string; authorization: string } | undefined;
    await page.route(PLACE, async (route) => {
      held = {
        body: route.request().postData()!,
        authorization: (await route.request().headerValue('authorization'))!,
      };
      await route.abort('connectionreset');
    });
    await placeNow(page);
    await endsInNoBet();
    const late = await fetch(`${site.url}/api/placeBet`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: held!.authorization },
      body: held!.body,
    });
    expect(((await late.json()) as { code: string }).code).toBe('KEY_BURNT');
    expect(await count()).toBe(before);
    // The next try is a new bet under a new key, and goes through.
    await page.unroute(PLACE);
    await placeNow(page);
    await endsInOneBet();
  });

  it('a double press sends one bet', async () => {
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/placeBet')) sent += 1;
    });
    await slipOf(page)
      .getByRole('button', { name: /^Place / })
      .click();
    await slipOf(page)
      .getByRole('button', { name: /^Confirm / })
      .dblclick();
    await endsInOneBet();
    expect(sent).toBe(1);
  });
});

describe('the network is cut', () => {
  it('after the request reached the server: one bet, known when the line is back', async () => {
    await page.route(PLACE, async (route) => {
      await reached(route);
      await alice!.context.setOffline(true);
      await route.abort('internetdisconnected');
    });
    await placeNow(page);
    await seen(page.locator('body'), 'You are currently offline');
    await seen(slipOf(page), /Checking/);
    await holds(3000, () => seen(slipOf(page), /Checking/));
    await alice!.context.setOffline(false);
    await endsInOneBet();
  });

  it('before it left: a definite no when the line is back', async () => {
    await alice!.context.setOffline(true);
    await page.route(PLACE, (route) => route.abort('internetdisconnected'));
    const confirm = slipOf(page).locator('button[type=submit]');
    await confirm.click({ timeout: 2000 }).catch(() => undefined);
    await confirm.click({ timeout: 2000 }).catch(() => undefined);
    await holds(2000, async () => expect(await count()).toBe(before));
    await page.unroute(PLACE);
    await alice!.context.setOffline(false);
    await holds(1000, async () => expect(await count()).toBe(before));
  });
});

describe('the tab is reloaded', () => {
  it('while the bet is on its way and taken: the new page knows the bet', async () => {
    await page.route(PLACE, reached);
    await placeNow(page);
    await expect.poll(count).toBe(before + 1);
    await page.reload();
    await endsInOneBet();
  });

  it('while the bet had not arrived: the new page knows that it was not placed', async () => {
    await page.route(PLACE, () => undefined);
    await placeNow(page);
    await seen(slipOf(page), /Placing/);
    await page.reload();
    await endsInNoBet();
  });

  it('onto another screen and back: the slip still follows the bet', async () => {
    await page.route(PLACE, async (route) => {
      await reached(route);
      await late(1500, () => route.abort('connectionreset'));
    });
    await placeNow(page);
    await page.getByRole('link', { name: 'Cricket' }).first().click();
    await seen(slipOf(page), MATCHED, 20_000);
    expect(await count()).toBe(before + 1);
  });

  it('an unsent slip survives a reload', async () => {
    await page.reload();
    await seen(slipOf(page), 'Gia Gold');
    expect(await stakeBox(page).inputValue()).toBe('10');
    expect(await count()).toBe(before);
    await placeNow(page);
    await endsInOneBet();
  });
});

describe('the server is killed', () => {
  it('after it took the bet: one bet after the restart, and the slip finds it', async () => {
    await page.route(PLACE, async (route) => {
      await reached(route);
      await site.kill();
      await route.abort('connectionreset');
    });
    await placeNow(page);
    await seen(slipOf(page), /Checking/);
    await site.start();
    await endsInOneBet(60_000);
  });

  it('before the bet arrived: none after the restart, and the slip says so', async () => {
    await page.route(PLACE, async (route) => {
      await site.kill();
      await route.continue();
    });
    await placeNow(page);
    await seen(slipOf(page), /Checking/);
    await site.start();
    await endsInNoBet(60_000);
    await page.unroute(PLACE);
  });

  it('in the middle of it: whatever the slip says is what the account holds', async () => {
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/placeBet'));
    await placeNow(page);
    await sent;
    await late(Math.random() * 8, () => site.kill());
    await site.start();
    await seen(slipOf(page), /Matched at 3\.00, 10\.00\.|Your bet was not placed/, 60_000);
    const taken = MATCHED.test((await slipOf(page).allInnerTexts()).join(' '));
    expect(await count()).toBe(before + (taken ? 1 : 0));
    // Prices come back by themselves, and the next bet goes through on the same page.
    await slipOf(page)
      .getByRole('button', { name: taken ? 'Done' : 'Clear' })
      .click();
    const cell = priceOf(page, 'Match Odds', 'Back', 'Gia Gold');
    await expect.poll(() => cell.getAttribute('aria-disabled'), { timeout: 30_000 }).toBe(null);
    await cell.click();
    await stakeBox(page).fill('10');
    await placeNow(page);
    await seen(slipOf(page), MATCHED);
    expect(await count()).toBe(before + (taken ? 2 : 1));
  });
});
