import { readFileSync } from 'node:fs';
import type { CALLS, ReplyOf } from '@fairgame/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, PHONE, signIn } from './browser.ts';
import { addMatch, go, type Made, openMatch, placeByCall, priceOf, quote, seen, slipOf } from './play.ts';
import { type Site, startSite } from './site.ts';
import { holds } from './wait.ts';
import {
  calls,
  callsOf,
  chooseInMenu,
  menuEntry,
  newPlayer,
  open,
  openMenu,
  pathOf,
  type Sent,
  toBeAt,
} from './watch.ts';

/** Reports, stake buttons, rules and My Market, on exact data made by the operator. */
let site: Site;
let browser: Browser;
let password: string;
let token: string;
let userId: number;
let page: Page;
let made: Sent[];
let tennis: Made;
let football: Made;
let waiting: Made;

const SETTLED = 'inArr[WIN,LOSS,TIE,VOID,UNDECLARE]';

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite({ FAIRGAME_SUPPORT: 'Ring 0800 1234.' }), launch()]);
  password = await newPlayer(site, 'petra');
  token = await site.signIn('petra', password);
  userId = (await site.call<{ id: number }>('GET', '/user/profile', token)).data.id;
  for (let n = 1; n <= 14; n++) {
    await site.operator('/player/credit', {
      userName: 'petra',
      amountMinor: n === 3 ? -2500 : 1000 + n,
      reason: n === 3 ? 'Paid out to the bank' : `Paid in number ${n}`,
      kind: n === 3 ? 'withdrawal' : n === 5 ? 'creditReference' : 'deposit',
    });
  }
  [tennis, football, waiting] = await Promise.all([
    addMatch(site, 'Ann Ash v Bea Birch', ['Ann Ash', 'Bea Birch'], 'tennis'),
    addMatch(site, 'Reds v Blues', ['Reds', 'Blues', 'The Draw'], 'football'),
    addMatch(site, 'Cat Cole v Dee Dow', ['Cat Cole', 'Dee Dow'], 'tennis'),
  ]);
  for (const match of [tennis, football, waiting])
    for (const runnerId of match.runnerIds)
      await quote(site, match.betId, runnerId, [[200, 1_000_000]], [[210, 1_000_000]]);
  // Won 10.00 at 2.00 and lost 5.00 laying at 2.10 on the same winner; a loss of 20.00 in the football.
  await placeByCall(site, token, tennis, tennis.runnerIds[0]!, 'BACK', 200, 1000);
  await placeByCall(site, token, tennis, tennis.runnerIds[0]!, 'LAY', 210, 500);
  await placeByCall(site, token, football, football.runnerIds[1]!, 'BACK', 200, 2000);
  for (const match of [tennis, football])
    await site.operator('/market/declare', {
      betId: match.betId,
      result: { kind: 'winners', runnerIds: [match.runnerIds[0]] },
    });
  const visit = await open(browser, { acceptDownloads: true });
  page = visit.page;
  made = calls(page);
  await signIn(page, site.url, 'petra', password);
  await page.waitForURL('**/home');
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const heads = async (): Promise<string[]> =>
  (await page.locator('main .data-table__table thead th').allInnerTexts()).map((text) => text.trim());
const rowsOf = (within: Locator | Page = page): Locator => within.locator('.data-table__table tbody tr');
const cells = async (row: Locator): Promise<string[]> =>
  (await row.locator('td').allInnerTexts()).map((text) => text.trim().replaceAll('\u2212', '-'));
const last = (path: string): Sent => callsOf(made, path).at(-1)!;
const dialog = (name: string): Locator => page.getByRole('dialog', { name });

/** Columns that page and file have under one name. */
const OPEN_BETS = ['Event', 'Market', 'Selection', 'Side', 'Price', 'Stake', 'Matched', 'Status', 'Bet'];
const SETTLED_BETS = [...OPEN_BETS, 'Profit/Loss'];
const ORDERS = ['Event', 'Market', 'Selection', 'Price', 'Stake', 'Matched', 'Bet'];

/** Presses what saves a file and reads it. */
async function csv(): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  // trim() would take the byte order mark with it.
  return readFileSync(await file.path(), 'utf8')
    .replace(/\r\n$/, '')
    .split('\r\n');
}
/** The file of a list has its rows as they are shown, in their order. */
async function expectFiled(columns: readonly string[], count: number): Promise<void> {
  await expect.poll(() => rowsOf().count()).toBe(count);
  const shownHead = await heads();
  const shown = await Promise.all((await rowsOf().all()).map(cells));
  const [filedHead, ...filed] = (await csv()).map((line) => line.replace(/^\uFEFF/, '').split(','));
  const of = (head: readonly string[], rows: string[][]) =>
    rows.map((row) => columns.map((name) => row[head.indexOf(name)]));
  // The letter of its side stands before a selection, a plus before what is won.
  const plain = shown.map((row) => row.map((text) => text.replace(/^[A-Z]\n|^\+/, '')));
  expect(of(filedHead!, filed)).toEqual(of(shownHead, plain));
  expect(columns.filter((name) => !shownHead.includes(name) || !filedHead!.includes(name))).toEqual([]);
}
/** The player's own days as the filter sends them. */
function weekText(): string {
  const from = new Date();
  from.setHours(0, 0, 0, 0);
  from.setDate(from.getDate() - 7);
  const to = new Date();
  to.setHours(0, 0, 0, 0);
  to.setDate(to.getDate() + 1);
  return `between${from.toISOString()}|${to.toISOString()}`;
}

describe('My Market before any open bet', () => {
  it('[SHL-14] [MYM-06] exposure of zero opens nothing', async () => {
    const exposure = page.getByRole('button', { name: /^Exposure/ });
    await seen(exposure, /0\.00/);
    await exposure.click({ force: true });
    await holds(300, async () => expect(await page.getByRole('dialog').count()).toBe(0));
    await page.getByRole('button', { name: /^My Market/ }).click();
    await dialog('My Market').getByText('No open bets').waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('Set Button Values', () => {
  const box = (): Locator => dialog('Set Button Values');
  const label = (n: number): Locator => page.getByLabel(`Price Label ${n}`, { exact: true });
  const value = (n: number): Locator => page.getByLabel(`Price Value ${n}`, { exact: true });

  it('[BTN-01] [BTN-02] [BTN-03] [BTN-04] [BTN-05] [BTN-06] [BTN-07] [MNU-04] [OPN-62] [CAR-37] the modal has two tabs of eight rows, each read by its type', async () => {
    const before = page.url();
    await chooseInMenu(page, 'Set Button Values');
    await box().waitFor();
    expect(page.url()).toBe(before);
    expect(await box().getByRole('tab').allInnerTexts()).toEqual(['Game Buttons', 'Casino Buttons']);
    await label(8).waitFor();
    expect(await page.getByLabel(/^Price Label \d$/).count()).toBe(8);
    expect(await page.getByLabel(/^Price Value \d$/).count()).toBe(8);
    expect(await label(1).getAttribute('type')).toBe('text');
    expect(await value(1).getAttribute('type')).toBe('number');
    expect(await box().getByRole('button', { name: 'Update' }).count()).toBe(1);
    expect(last('/button')).toMatchObject({ method: 'GET', query: { type: 'Match' } });
    await box().getByRole('tab', { name: 'Casino Buttons' }).click();
    await expect.poll(() => last('/button').query).toEqual({ type: 'Casino' });
    await label(8).waitFor();
    await box().getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('[BET-09] [BTN-09] [BTN-11] [BTN-12] [OPN-06] [CAR-31] takes digits only, leaves half-filled rows out, and the bet slip shows what was saved, in its order', async () => {
    await chooseInMenu(page, 'Set Button Values');
    await label(1).fill('Tiny');
    await value(1).fill('');
    await value(1).focus();
    await page.keyboard.type('a1e-2.x');
    expect(await value(1).inputValue()).toBe('12');
    await label(8).fill('');
    await value(7).fill('');
    await box().getByRole('button', { name: 'Update' }).click();
    await expect.poll(() => box().count()).toBe(0);
    const sent = last('/button/insert');
    expect(sent.method).toBe('POST');
    expect(sent.body).toEqual({
      id: (sent.body as { id: number }).id,
      type: 'Match',
      value: '{"Tiny":12,"10":10,"25":25,"50":50,"100":100,"250":250}',
    });
    await seen(page.locator('.toast__toasts'), /saved|updated/i);
    await openMatch(page, waiting);
    await priceOf(page, 'Match Odds', 'Back', 'Cat Cole').click();
    const buttons = slipOf(page).getByRole('group', { name: 'Stake buttons' }).getByRole('button');
    await expect.poll(() => buttons.allInnerTexts()).toEqual(['Tiny', '10', '25', '50', '100', '250']);
    await buttons.first().click();
    expect(await slipOf(page).getByLabel('Stake', { exact: true }).inputValue()).toMatch(/^12(\.00)?$/);
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('[OPN-06] [CAR-31] [OPN-19] two equal labels and values out of bounds are refused at their rows; the route holds the same form', async () => {
    await go(page, '/change-btn-value');
    await page.getByRole('heading', { name: 'Set Button Values' }).waitFor();
    await expect.poll(() => label(1).inputValue()).toBe('Tiny');
    expect(await value(1).inputValue()).toBe('12');
    await label(2).fill(' Tiny ');
    await value(3).fill('0');
    await value(4).fill('100000001');
    const sent = callsOf(made, '/button/insert').length;
    await page.getByRole('button', { name: 'Update' }).click();
    await seen(
      page.locator('.buttons__wrong'),
      /This label stands twice\.[\s\S]*Enter a whole number from 1 to 100,000,000\./,
    );
    expect(await page.locator('.buttons__wrong').count()).toBe(3);
    const note = await value(3).getAttribute('aria-describedby');
    expect(await page.locator(`[id="${note}"]`).innerText()).toContain('whole number');
    await label(5).fill('longer than ten');
    expect(await label(5).inputValue()).toBe('longer tha');
    expect(callsOf(made, '/button/insert')).toHaveLength(sent);
    for (const value_ of ['{"a":1,"a":2}', '{"a":0}', '{"eleven chars":1}', '{"a":1.5}', '{}', 'no']) {
      const answer = await site.call('POST', '/button/insert', token, { type: 'Match', value: value_ });
      expect({ value: value_, status: answer.status }).toEqual({ value: value_, status: 400 });
    }
    await page.reload();
    await expect.poll(() => label(1).inputValue()).toBe('Tiny');
    expect(await label(2).inputValue()).toBe('10');
  });
});

describe('Rules', () => {
  interface Entry {
    sportName: string;
    rules: Array<{ category: string; description: Array<{ text: string; color: string }> }>;
  }
  const box = (): Locator => dialog('Rules');

  it('[RUL-01] [RUL-02] [RUL-03] [RUL-04] [CAR-37] the modal has English alone, a tab a sport, its categories, and lines of their own colour', async () => {
    await go(page, '/home');
    const before = page.url();
    await page.locator('.header__header').getByRole('button', { name: 'Rules' }).first().click();
    await box().waitFor();
    expect(page.url()).toBe(before);
    expect(await box().getByLabel('Language').locator('option').allInnerTexts()).toEqual(['English']);
    const { data } = await site.call<Entry[]>('GET', '/rules', token);
    await box().getByRole('tab').first().waitFor();
    expect(await box().getByRole('tab').allInnerTexts()).toEqual(data.map((entry) => entry.sportName));
    await box().getByRole('tab', { name: 'Cricket' }).click();
    const cricket = data.find((entry) => entry.sportName === 'Cricket')!;
    expect(await box().locator('.rules__categories button').allInnerTexts()).toEqual(
      cricket.rules.map((part) => part.category),
    );
    await box().locator('.rules__categories').getByRole('button', { name: 'Fancy', exact: true }).click();
    const fancy = cricket.rules.find((part) => part.category === 'Fancy')!;
    const lines = box().locator('.rules__text li');
    expect((await lines.allInnerTexts()).map((text) => text.trim())).toEqual(
      fancy.description.map((line) => line.text),
    );
    const black = fancy.description.findIndex((line) => line.color === 'black');
    await box().locator('.rules__categories').getByRole('button', { name: 'General', exact: true }).click();
    const colour = (line: Locator) => line.evaluate((element) => getComputedStyle(element).color);
    const token_ = (name: string) =>
      page.evaluate((variable) => {
        const probe = document.createElement('i');
        probe.style.color = `var(${variable})`;
        document.body.append(probe);
        const value = getComputedStyle(probe).color;
        probe.remove();
        return value;
      }, name);
    const red = lines.first();
    expect(await colour(red)).toBe(await token_('--neg'));
    expect(await red.innerText()).toMatch(/^Important\. /);
    await box().locator('.rules__categories').getByRole('button', { name: 'Fancy', exact: true }).click();
    expect(await colour(lines.nth(black))).toBe(await token_('--t1'));
    expect(await colour(lines.first())).toBe(await token_('--t2'));
    await box().getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => box().count()).toBe(0);
  });

  it('[RTX-01] [RTX-02] [RTX-03] [RTX-04] [RTX-05] [RTX-06] [RTX-07] [RTX-08] [RTX-09] [RTX-10] [RTX-11] [RTX-12] [RTX-13] [RTX-14] [OPN-54] [NAV-12] the screen holds every figure, in full sentences by sport and category', async () => {
    await go(page, '/rules');
    await page.getByRole('heading', { name: 'Rules' }).waitFor();
    const read = async (sport: string, category: string): Promise<string> => {
      await page.locator('main').getByRole('tab', { name: sport, exact: true }).click();
      await page.locator('.rules__categories').getByRole('button', { name: category, exact: true }).click();
      return page.locator('.rules__text').innerText();
    };
    const cricket = await read('Cricket', 'General');
    expect(cricket).toMatch(/result or a rate are taken within 7 days/);
    for (const kind of ['ground', 'group', 'punching'])
      expect(cricket).toMatch(new RegExp(`voided, with a penalty of 2X, where they are ${kind} bets`));
    const match = await read('Cricket', 'Match');
    expect(match).toMatch(/ODI .* score after 25 overs/);
    expect(match).toMatch(/T20 .* score after 10 overs/);
    const fancy = await read('Cricket', 'Fancy');
    expect(fancy).toMatch(/Test sessions need a minimum of 25 overs/);
    expect(fancy).toMatch(/1st day total of a Test needs 80 overs/);
    expect(fancy).toMatch(/lambi .* needs 70 overs/);
    expect(fancy).toMatch(/Other fancies of a Test need 300 overs/);
    const cup = await read('Cricket', 'World cup special');
    expect(cup).toMatch(/abandoned, averages are taken for it: 45 fours, 11 sixes and 15 wickets/);
    expect(await read('Football', 'General')).toMatch(/not played within 48 hours .* void/);
    expect(await read('Motor Sports', 'Match')).toMatch(/Bets stand if the race concludes within 72 hours/);
    expect(await read('Basketball', 'Match')).toMatch(/For bets to stand, 5 minutes or less must be left/);
    expect(await read('General', 'General')).toMatch(/Live television runs with a delay of 5 seconds/);
  });

  it('[MNU-07] [MNU-08] [MNU-09] the menu has Rules and the figures at 768, not at 769', async () => {
    await go(page, '/home');
    await page.setViewportSize({ width: 769, height: 900 });
    await openMenu(page);
    await menuEntry(page, 'Account Statement').waitFor();
    expect(await menuEntry(page, 'Rules').count()).toBe(0);
    expect(await page.locator('.account-menu__figures').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 768, height: 900 });
    await openMenu(page);
    const figures = page.locator('.account-menu__figures');
    await seen(figures, /Balance[\s\S]*Exposure/);
    expect(await figures.getByRole('link').count()).toBe(0);
    const before = page.url();
    await menuEntry(page, 'Rules').click();
    await box().waitFor();
    expect(page.url()).toBe(before);
    await box().getByRole('button', { name: 'Close' }).last().click();
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('reports', () => {
  it('[REP-01] [REP-02] [REP-03] [OPN-10] [OPN-14] the statement: fifteen rows a page, newest first, searched, filtered and totalled', async () => {
    await chooseInMenu(page, 'Account Statement');
    await toBeAt(page, '/account-statement');
    await expect.poll(() => rowsOf().count()).toBe(15);
    const path = `/transaction/get/${userId}`;
    expect(callsOf(made, path)[0]).toMatchObject({
      method: 'GET',
      query: {
        page: '1',
        limit: '15',
        sort: 'transaction.createdAt:DESC,transaction.uniqueId:DESC',
        'transaction.createdAt': weekText(),
      },
    });
    expect(await heads()).toEqual(['Date', 'Sr no', 'Type', 'Remark', 'Credit', 'Debit', 'Balance']);
    const { data } = await site.call<ReplyOf<typeof CALLS.account.transactions>>('GET', `${path}?limit=100`, token);
    const numbers = (await rowsOf().locator('td:nth-child(2)').allInnerTexts()).map(Number);
    expect(numbers).toEqual(data.rows.slice(0, 15).map((row) => row.uniqueId));
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    const money = (minor: number) => (minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
    await seen(
      page.getByRole('region', { name: 'Totals' }),
      new RegExp(`Closing balance\\s*${money(data.totals.closing)}`),
    );
    await seen(page.getByRole('region', { name: 'Totals' }), new RegExp(`\\+${money(data.totals.credit)}`));
    await seen(page.locator('.data-table__pages'), new RegExp(`1 to 15 of ${data.total} entries`));
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => rowsOf().count()).toBe(data.total - 15);
    expect(callsOf(made, path).some((one) => one.query.page === '2' && one.query.limit === '15')).toBe(true);

    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('  number 1 ');
    await page.getByRole('button', { name: 'Apply' }).click();
    await seen(page.locator('.data-table__pages'), /1 to 2 of 2|1 to 1 of 1|entries/);
    await expect
      .poll(() =>
        callsOf(made, path).some((one) => one.query.searchBy === 'description' && one.query.keyword === 'number 1'),
      )
      .toBe(true);
    await expect.poll(async () => (await rowsOf().allInnerTexts()).every((text) => /number 1/.test(text))).toBe(true);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('combobox', { name: 'Account' }).selectOption('Sport');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await rowsOf().allInnerTexts()).every((text) => /Win|Loss/.test(text))).toBe(true);
    expect(callsOf(made, path).some((one) => one.query.type === '1')).toBe(true);
    await page.getByRole('tab', { name: '30 days' }).click();
    await expect.poll(() => page.getByLabel('From').inputValue()).not.toBe('');
    await page.getByRole('button', { name: 'Reset' }).click();
  });

  it('[OPN-14] saves the whole statement as CSV, keeps dates in order, and says when there is nothing', async () => {
    await go(page, '/account-statement');
    await expect.poll(() => rowsOf().count()).toBe(15);
    const lines = await csv();
    const { data } = await site.call<{ total: number }>('GET', `/transaction/get/${userId}?limit=1`, token);
    expect(lines[0]).toMatch(/^\uFEFFDate \([\w/]+\),Sr no,Type,Remark,Credit,Debit,Balance$/);
    expect(lines).toHaveLength(data.total + 1);
    expect(lines.some((line) => /Withdrawal,Paid out to the bank,,-25\.00,/.test(line))).toBe(true);
    const [year] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Year as PDF' }).click(),
    ]);
    expect(year.suggestedFilename()).toMatch(/^statement-20\d\d\.pdf$/);
    expect(readFileSync(await year.path(), 'latin1')).toMatch(/^%PDF-/);
    await page.getByLabel('From').fill('2026-01-02');
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await page.getByText('From is after To.').waitFor();
    expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await page.getByLabel('To', { exact: true }).fill('2026-01-03');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No entries in this time').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => rowsOf().count()).toBe(15);
  });

  it('[OPN-10] [REP-14] [REP-16] [REP-17] a row of the statement opens the bets behind it', async () => {
    await go(page, '/account-statement');
    await page
      .locator('main')
      .getByRole('button', { name: /Ann Ash v Bea Birch.*Ann Ash/ })
      .first()
      .click();
    const behind = page.getByRole('dialog');
    await expect.poll(() => rowsOf(behind).count()).toBe(2);
    expect(last('/bet').query).toMatchObject({
      betId: `inArr[${tennis.betId}]`,
      result: SETTLED,
      createBy: `eq${userId}`,
      sort: 'betPlaced.createdAt:DESC',
      isCurrentBets: 'true',
    });
    await seen(behind, /Ann Ash[\s\S]*Lay[\s\S]*2\.10[\s\S]*5\.00[\s\S]*-5\.50[\s\S]*Lost/);
    await seen(behind, /Ann Ash[\s\S]*Back[\s\S]*2\.00[\s\S]*10\.00[\s\S]*\+10\.00[\s\S]*Won/);
    await page.keyboard.press('Escape');
  });

  it('[REP-18] [OPN-11] [OPN-15] [CAR-20] profit and loss opens sport, match, market and bets', async () => {
    await go(page, '/profit-loss');
    await expect.poll(() => rowsOf().count()).toBe(2);
    const first = callsOf(made, '/bet/profitLoss')[0]!;
    expect(first.method).toBe('POST');
    expect(first.body).toMatchObject({ level: 'sport' });
    expect(Object.keys(first.body as object).sort()).toEqual(['from', 'level', 'timeZone', 'to']);
    expect(await page.locator('.toast__toast').count()).toBe(0);
    const names = await heads();
    expect(names[0]).toBe('Event Type');
    expect(names.at(-1)).toBe('Profit/Loss');
    // +10.00 less 5.50, less the commission of 2 % on the net win; and a loss of 20.00.
    expect(await cells(rowsOf().filter({ hasText: 'Tennis' }))).toEqual(expect.arrayContaining(['2', '0.09', '+4.41']));
    expect(await cells(rowsOf().filter({ hasText: 'Football' }))).toEqual(
      expect.arrayContaining(['1', '0.00', '-20.00']),
    );
    await seen(page.locator('.data-table__table tfoot'), /-15\.59/);
    await seen(page.getByRole('region', { name: 'Totals' }), /Net result\s*-15\.59/);
    // A file of the level that is shown, with its columns.
    const file = await csv();
    expect(file[0]!.slice(1)).toBe('Event Type,Bets,Settled,Commission,Profit/Loss');
    expect(file.find((line) => line.startsWith('Tennis'))).toMatch(
      /^Tennis,2,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,0\.09,4\.41$/,
    );
    await page.getByRole('button', { name: 'Tennis' }).click();
    await page.locator('.data-table__table').getByRole('button', { name: 'Ann Ash v Bea Birch' }).click();
    expect(last('/bet/profitLoss').body).toMatchObject({
      level: 'market',
      eventType: 'tennis',
      matchId: tennis.matchId,
    });
    await page.locator('.data-table__table').getByRole('button', { name: 'Match Odds' }).click();
    await expect.poll(() => rowsOf().count()).toBe(2);
    expect(last('/bet').query).toMatchObject({ betId: `inArr[${tennis.betId}]`, createBy: `eq${userId}` });
    const ids = (await rowsOf().allInnerTexts()).map((text) => /\s(\d+)\s*$/.exec(text)?.[1]);
    expect((await csv()).slice(1).map((line) => line.split(',').at(-1))).toEqual(ids);
    await page.getByRole('navigation', { name: 'Where you are' }).getByRole('button', { name: 'All sports' }).click();
    await expect.poll(() => rowsOf().count()).toBe(2);
  });

  it('[OPN-12] [OPN-15] [REP-16] bet history: settled bets by sport and result, with totals', async () => {
    await go(page, '/bet-history');
    await expect.poll(() => rowsOf().count()).toBe(3);
    expect(await heads()).toEqual([
      'Event',
      'Market',
      'Selection',
      'Side',
      'Price',
      'Stake',
      'Matched',
      'Profit/Loss',
      'Placed at',
      'Status',
      'Bet',
      'Details',
    ]);
    expect(last('/bet').query).toEqual({
      result: SETTLED,
      'betPlaced.createdAt': weekText(),
      createBy: `eq${userId}`,
      sort: 'betPlaced.createdAt:DESC',
      page: '1',
      limit: '15',
    });
    await seen(page.locator('.data-table__table tfoot'), /35\.00\s*35\.00\s*-15\.50/);
    await page.getByLabel('Result', { exact: true }).selectOption('Won');
    await expect.poll(() => rowsOf().count()).toBe(1);
    await page.getByLabel('Sport', { exact: true }).selectOption('Football');
    await page.getByText('No settled bets in this time').waitFor();
    expect(last('/bet').query).toMatchObject({ result: 'eqWIN', 'betPlaced.eventType': 'eqfootball' });
    await page.getByLabel('Result', { exact: true }).selectOption('All results');
    await expect
      .poll(async () => cells(rowsOf().first()))
      .toEqual(expect.arrayContaining(['Reds v Blues', 'Match Odds', 'Back', '2.00', '20.00', '-20.00', 'Lost']));
    expect(await rowsOf().getByRole('link', { name: 'Reds v Blues' }).getAttribute('href')).toBe(
      `${football.path}?bid=op-${football.matchId}`,
    );
    await expectFiled(SETTLED_BETS, 1);
    await page.getByLabel('Sport', { exact: true }).selectOption('All sports');
    await expectFiled(SETTLED_BETS, 3);
    await page.getByLabel('Result', { exact: true }).selectOption('Lost');
    await expectFiled(SETTLED_BETS, 2);
  });

  it('[BET-03] [BET-05] [REP-08] [REP-09] [REP-10] [OPN-12] [OPN-34] [MNU-02] current bets: ten a page from page 1, by state and sport; an unmatched one is cancelled here', async () => {
    for (let n = 0; n < 11; n++)
      await placeByCall(site, token, waiting, waiting.runnerIds[n % 2]!, 'BACK', n === 10 ? 500 : 200, 100 + n);
    await chooseInMenu(page, 'Current Bet');
    await toBeAt(page, '/unsettled-bet');
    await expect.poll(() => rowsOf().count()).toBe(10);
    expect(last('/bet').query).toEqual({
      result: 'inArr[PENDING,UNDECLARE]',
      isCurrentBets: 'true',
      page: '1',
      limit: '10',
      sort: 'betPlaced.createdAt:DESC',
    });
    expect(await heads()).toEqual([
      'Event',
      'Market',
      'Selection',
      'Side',
      'Price',
      'Stake',
      'Matched',
      'Profit/Loss',
      'Placed at',
      'Bet',
      'Details',
      'Status',
    ]);
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => rowsOf().count()).toBe(1);
    await page.getByLabel('State').selectOption('Unmatched');
    await page.getByLabel('Sport', { exact: true }).selectOption('Tennis');
    await expect.poll(() => rowsOf().count()).toBe(1);
    expect(last('/bet').query).toMatchObject({
      status: 'eqEXECUTABLE',
      'betPlaced.eventType': 'eqtennis',
      page: '1',
      limit: '10',
    });
    await seen(rowsOf(), /5\.00[\s\S]*1\.10[\s\S]*Unmatched/);
    expect((await csv())[1]).toMatch(/,Cat Cole,Back,,5\.00,1\.10,0\.00,,4\.40,1\.10,Unmatched,,\d+$/);
    await page.getByRole('button', { name: 'Cancel bet on Cat Cole' }).click();
    await page.getByText('No open bets').waitFor();
    await page.getByLabel('State').selectOption('All open bets');
    await expect.poll(() => rowsOf().count()).toBe(10);
    await expectFiled(OPEN_BETS, 10);
  });

  it('orders that the server held stand in the order history once they are over, and Current Bet leads there', async () => {
    const held = await addMatch(site, 'Eve Elm v Fay Fir', ['Eve Elm', 'Fay Fir'], 'tennis');
    const runnerId = held.runnerIds[0]!;
    const stop = (trigger: number) =>
      site.call('POST', '/bet/conditional', token, {
        key: crypto.randomUUID(),
        betId: held.betId,
        kind: 'STOP',
        runnerId,
        bettingType: 'LAY',
        stake: 500,
        trigger,
        odd: trigger + 20,
      });
    await quote(site, held.betId, runnerId, [[200, 1_000_000]], [[210, 1_000_000]]);
    for (const trigger of [250, 500]) expect((await stop(trigger)).status).toBe(200);
    await quote(site, held.betId, runnerId, [[250, 1_000_000]], [[260, 1_000_000]]);
    await go(page, '/unsettled-bet');
    const takeBack = page.getByRole('button', { name: 'Take back: Stop, Eve Elm' });
    // The one that fired may still stand there as it was last read.
    await expect.poll(() => takeBack.count()).toBe(1);
    await takeBack.click();
    await page.getByText('1 order taken back').waitFor();
    await page.locator('main').getByRole('link', { name: 'Order history' }).click();
    await toBeAt(page, '/order-history');
    await seen(rowsOf().first(), /Eve Elm[\s\S]*Stop at 5\.00[\s\S]*Cancelled[\s\S]*by you/);
    await seen(rowsOf().nth(1), /Eve Elm[\s\S]*Stop at 2\.50[\s\S]*Fired[\s\S]*2\.60[\s\S]*5\.00/);
    await expectFiled(ORDERS, 2);
    await page.getByLabel('Status', { exact: true }).selectOption('Fired');
    await expect.poll(() => page.getByText('by you', { exact: true }).count()).toBe(0);
    await seen(rowsOf().first(), /Fired/);
    expect(last('/bet/conditional/history').query).toMatchObject({ status: 'eqFIRED', limit: '15' });
    await expectFiled(ORDERS, 1);
    expect((await csv())[1]).toMatch(/,Eve Elm,Stop,Lay,2\.50,,2\.70,5\.00,,Fired,,\d+,2\.60,5\.00$/);
    await site.operator('/market/declare', { betId: held.betId, result: { kind: 'void', reason: 'Not played' } });
  });

  it('[REP-11] [REP-12] [REP-13] [OPN-13] [CAR-32] [CAR-33] [MNU-03] live casino bets: fifteen a page, oldest first, by provider, day and word', async () => {
    const path = `/mac88/bets/${userId}`;
    const rows = [1, 2].map((id) => ({
      id,
      providerName: 'North Star',
      gameName: `Roulette ${id}`,
      round: `r-${id}`,
      stake: 1000 * id,
      result: id === 1 ? 1500 : -2000,
      createdAt: new Date(Date.now() - 60_000 * (3 - id)).toISOString(),
    }));
    await page.route('**/api/mac88/providers', (route) =>
      route.fulfill({ json: { statusCode: 200, data: ['North Star', 'Velvet'] } }),
    );
    let answer: unknown[] = [];
    await page.route(`**/api${path}*`, (route) =>
      route.fulfill({ json: { statusCode: 200, data: { rows: answer, total: answer.length, page: 1, limit: 15 } } }),
    );
    await chooseInMenu(page, 'Live Casino Bets');
    await toBeAt(page, '/live-casino-bets');
    await page.getByText('No live casino bets in this time').waitFor();
    const query = {
      page: '1',
      limit: '15',
      sort: 'virtualCasinoBetPlaced.createdAt:ASC',
      createdAt: weekText(),
    };
    expect(last(path).query).toEqual(query);
    answer = rows;
    await page.getByLabel('Provider').selectOption('North Star');
    await expect.poll(() => rowsOf().count()).toBe(2);
    expect(last(path).query).toEqual({ ...query, providerName: 'eqNorth Star' });
    expect(await heads()).toEqual(['Provider', 'Game', 'Round', 'Stake', 'Result', 'Date']);
    expect((await cells(rowsOf().first())).slice(0, 5)).toEqual(['North Star', 'Roulette 1', 'r-1', '10.00', '+15.00']);
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('Roulette');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect
      .poll(() => last(path).query)
      .toEqual({
        ...query,
        providerName: 'eqNorth Star',
        searchBy: 'gameName',
        keyword: 'Roulette',
      });
    await page.unroute('**/api/mac88/providers');
    await page.unroute(`**/api${path}*`);
    // The server takes the same words and nothing beside them.
    const text = new URLSearchParams({ ...query, providerName: 'eqVelvet', searchBy: 'gameName', keyword: 'x' });
    expect((await site.call('GET', `${path}?${text}`, token)).status).toBe(200);
    expect((await site.call('GET', `${path}?sort=id:ASC`, token)).code).toBe('BAD_FILTER');
  });

  it('reports that do not load say so and try again; the rows of a phone are cards with every figure', async () => {
    // Read again by an event, as of a socket that comes to stand, it does not load either: not before the button is pressed.
    const isPressed = () => page.evaluate(() => 'pressed' in document.documentElement.dataset).catch(() => false);
    await page.route('**/api/transaction/get/**', async (route) =>
      (await isPressed())
        ? route.continue()
        : route.fulfill({ status: 500, json: { statusCode: 500, code: 'INTERNAL', message: 'Down.' } }),
    );
    await page.goto(`${site.url}/account-statement`);
    await page.getByText('The statement did not load.').waitFor();
    const note = page.getByRole('alert').filter({ hasText: 'The statement did not load.' });
    await seen(note, /Your balance is not affected\./);
    const stands = (await note.elementHandle())!;
    const asked = callsOf(made, `/transaction/get/${userId}`).length;
    await placeByCall(site, token, waiting, waiting.runnerIds[0]!, 'BACK', 600, 300);
    await expect.poll(() => callsOf(made, `/transaction/get/${userId}`).length).toBeGreaterThan(asked);
    await note.locator('button:not([aria-busy])').waitFor();
    expect(await stands.evaluate((one) => one.isConnected)).toBe(true);
    // While it is read again the button takes no press.
    await page.evaluate(() => {
      const press = ({ target }: Event) => {
        const isTaken = target instanceof Element && target.closest('button:not([aria-busy])') !== null;
        if (isTaken) document.documentElement.dataset.pressed = '';
      };
      document.addEventListener('click', press, { capture: true });
    });
    // A press in the moment in which an event has it read joins that reading, which fails still: the button stands then as before.
    await expect
      .poll(async () => {
        const again = note.locator('button:not([aria-busy])');
        if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => undefined);
        return rowsOf().count();
      })
      .toBe(15);
    expect(await isPressed()).toBe(true);
    await page.unroute('**/api/transaction/get/**');
    await page.setViewportSize(PHONE);
    const paid = rowsOf().filter({ hasText: 'Reds v Blues' }).first();
    await seen(paid, /-20\.00/);
    // The shell of a phone takes the place of the other one a moment later.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await go(page, '/unsettled-bet');
    await page.getByRole('button', { name: 'Cancel bet on Cat Cole' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Cancel bet/ }).count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('on paper a statement is a white table with its period, without the chrome, in either theme', async () => {
    await go(page, '/account-statement');
    await expect.poll(() => rowsOf().count()).toBe(15);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 720, height: 1000 });
    for (const hidden of [
      '.header__header',
      '.side-nav__side',
      '.data__filters',
      '.data-table__pages',
      '.top-bar__bottom',
      'main .shell__pageHead .button__button',
    ])
      expect({ hidden, shown: await page.locator(`${hidden}:visible`).count() }).toEqual({ hidden, shown: 0 });
    await seen(page.locator('.reports__printOnly'), /\d{2} \w{3} \d{4} to \d{2} \w{3} \d{4}/);
    const look = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
    expect(await look('main .data-table__table', 'display')).toBe('table');
    expect(await look('main .panel__panel:last-of-type', 'background-color')).toBe('rgb(255, 255, 255)');
    expect(await look('main .data-table__table td', 'color')).toBe('rgb(0, 0, 0)');
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('[OPN-57] [OPN-59] figures are grouped with two decimals, and the same moment shows in the zone of each player', async () => {
    const { data } = await site.call<ReplyOf<typeof CALLS.account.transactions>>(
      'GET',
      `/transaction/get/${userId}?limit=1&sort=transaction.createdAt:DESC`,
      token,
    );
    const at = Date.parse(data.rows[0]!.createdAt);
    const texts: string[] = [];
    for (const timezoneId of ['Asia/Kolkata', 'America/Los_Angeles']) {
      const other = await open(browser, { timezoneId });
      await signIn(other.page, site.url, 'petra', password);
      await toBeAt(other.page, '/home');
      await go(other.page, '/account-statement');
      const cell = other.page.locator('.data-table__table tbody td').first();
      await cell.waitFor();
      const text = (await cell.innerText()).trim();
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezoneId, hour: '2-digit', minute: '2-digit' });
      expect(text.endsWith(clock.format(at))).toBe(true);
      texts.push(text);
      expect(await other.page.locator('.wallet__wallet b').first().innerText()).toMatch(/^\d{1,3}(,\d{3})*\.\d{2}$/);
      await other.context.close();
    }
    expect(texts[0]).not.toBe(texts[1]);
  });
});

describe('My Market', () => {
  const box = (): Locator => dialog('My Market');

  it('[MYM-01] [MYM-02] [MYM-03] [MYM-05] [MYM-06] [SHL-13] [OPN-50] exposure opens it: its columns, its links, its refresh', async () => {
    // By a link: a page that is loaded anew has all bets read again when its socket stands, and that would count as the press does.
    await go(page, '/home');
    await page.getByRole('button', { name: /^Exposure .*open the list/ }).click();
    await box().waitFor();
    await expect.poll(() => rowsOf(box()).count()).toBe(1);
    await box().locator('.is-spinning').waitFor({ state: 'detached' });
    expect((await box().locator('thead th').allInnerTexts()).slice(0, 4)).toEqual([
      'EventType',
      'Event Name',
      'Match Name',
      'Trade',
    ]);
    expect((await cells(rowsOf(box()))).slice(0, 4)).toEqual(['Tennis', 'Cat Cole v Dee Dow', 'Match Odds', '10']);
    await seen(box(), /10 open bets in 1 market/);
    const before = callsOf(made, '/bet/myMarket').length;
    expect(last('/bet/myMarket').method).toBe('GET');
    await box().getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => callsOf(made, '/bet/myMarket').length).toBe(before + 1);
    await box().getByRole('link', { name: 'Cat Cole v Dee Dow' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await toBeAt(page, waiting.path);
  });

  it('[MYM-02] [MYM-03] [MYM-04] [CAR-30] grouped market type, else market type; links by the kind of event; a negative exposure opens it too', async () => {
    const row = { eventName: 'x', beventId: null, trade: 1, exposure: 500, matchId: 7, betId: 1 };
    await page.route('**/api/bet/myMarket', (route) =>
      route.fulfill({
        json: {
          statusCode: 200,
          data: [
            {
              ...row,
              eventType: 'horseRacing',
              eventName: '14:30 Weston',
              groupedmarkettype: 'Win',
              marketType: 'WIN',
            },
            {
              ...row,
              betId: 2,
              eventType: 'football',
              eventName: 'Greys v Golds',
              beventId: '1.55',
              groupedmarkettype: null,
              marketType: 'MATCH_ODDS',
            },
          ],
        },
      }),
    );
    await page.route('**/api/user/profile', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { userBal: Record<string, number> } };
      body.data.userBal = { ...body.data.userBal, exposure: -500, version: 1_000_000 };
      // The page may have given up the reading meanwhile.
      await route.fulfill({ json: body }).catch(() => undefined);
    });
    await page.goto(`${site.url}/home`);
    const exposure = page.getByRole('button', { name: /^Exposure .*open the list/ });
    await seen(exposure, /-5\.00/);
    await exposure.click();
    await expect.poll(() => rowsOf(box()).count()).toBe(2);
    expect((await cells(rowsOf(box()).first()))[2]).toBe('Win');
    expect((await cells(rowsOf(box()).nth(1)))[2]).toBe('MATCH_ODDS');
    expect(await box().getByRole('link', { name: '14:30 Weston' }).getAttribute('href')).toBe('/race/7');
    expect(await box().getByRole('link', { name: 'Greys v Golds' }).getAttribute('href')).toBe(
      '/game-detail/football/7?bid=1.55',
    );
    await page.unroute('**/api/bet/myMarket');
    await page.unroute('**/api/user/profile');
    expect(pathOf(page)).toBe('/home');
  });
});

describe('beside the reports', () => {
  it('[OPN-48] [OPN-08] a product opened on request says what it is, how to ask for it, and leads home', async () => {
    for (const [path, name, words] of [
      ['/contact-admin/98', 'Racing Sports', /The meetings of today and the next days are here/],
      ['/contact-admin/1', 'Lottery', /opened by your operator/],
      ['/contact-admin/777', 'Table Tennis', /opened for your account on request/],
      ['/contact-admin/badminton', 'Badminton', /Ask support: Ring 0800 1234\./],
    ] as const) {
      await go(page, path);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await seen(page.locator('main'), words);
    }
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await toBeAt(page, '/home');
  });

  it('[NAV-04] [NAV-07] [NAV-10] [NAV-11] [OPN-18] [PRD-18] no screen of the account has a way to pay in or out, and none is the operator’s', async () => {
    for (const [path, name] of [
      ['/account-statement', 'Account Statement'],
      ['/secure-auth', 'Security Auth Verification'],
      ['/change-password', 'Change Password'],
      ['/unsettled-bet', 'Current Bet'],
      ['/rules', 'Rules'],
    ] as const) {
      await go(page, path);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const words = (await page.getByRole('link').or(page.getByRole('button')).allInnerTexts()).join('\n');
      expect(words).not.toMatch(/deposit|withdraw|cashier|pay in|operator/i);
    }
    expect(made.filter((one) => one.path.startsWith('/operator'))).toEqual([]);
  });
});
