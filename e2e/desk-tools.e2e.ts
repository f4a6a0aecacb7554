import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { bob, browser, page, site, stand, token } from './alice-ground.ts';
import { DESKTOP, PHONE } from './browser.ts';
import { addMatch, betsOf, type Made, placeByCall, quote, signedIn } from './play.ts';

/** The tools of a trader's ladder: ways out that the server holds, the menu of a cell, chips of several orders, following, closing all. */
stand();

/** A match of its own for each test: what another left in its book would be in the way. */
async function matched(title: string, ...names: string[]) {
  const made = await addMatch(site, title, names);
  const offer = (back: number, lay: number, runner = 0) =>
    quote(site, made.betId, made.runnerIds[runner]!, [[back, 100_000]], [[lay, 100_000]]);
  await offer(218, 220);
  return { made, offer };
}
const openOf = async ({ betId }: Made, of = token) =>
  (await betsOf(site, of, `&betId=eq${betId}`)).filter(({ result }) => result === 'PENDING');
const heldOf = async ({ betId }: Made) =>
  (await site.call<Array<{ kind: string; trigger: number | null }>>('GET', `/bet/conditional?betId=${betId}`, token))
    .data;
const ladderOf = (name: string, on = page) => on.getByRole('region', { name: `Ladder of ${name}`, exact: true });
const openLadder = async (made: Made, runners = made.runnerIds.slice(0, 1), on = page) => {
  await on.goto(`${site.url}/ladder/${made.betId}?runners=${runners.join()}`);
  await on
    .getByRole('button', { name: /^Back .* at 2\.18, [\d,]+ available/ })
    .first()
    .waitFor();
};
const rowOf = (ladder: Locator, price: number) => ladder.locator(`[data-price="${price}"]`);
const arm = async (ladder: Locator) => {
  await ladder.getByLabel('Stake of a press').fill('10');
  await ladder.getByRole('switch').click();
  await ladder.getByText('A press places 10').waitFor();
};

describe('a way out that the server holds', () => {
  it('is a take-profit for an amount: its price and its stake are said, marked in its row, and it closes the bet there', async () => {
    const { made, offer } = await matched('Gil Gray v Hal Hope', 'Gil Gray', 'Hal Hope');
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 218, 1000);
    await openLadder(made);
    const ladder = ladderOf('Gil Gray');
    await ladder.getByText('Wins +11.80, else −10.00').waitFor();
    await ladder.getByRole('button', { name: 'Stops' }).click();
    const form = page.getByRole('dialog', { name: 'Orders that the server holds' });
    await form.getByRole('button', { name: 'Take profit' }).or(form.getByText('Take profit')).first().click();
    await form.getByText('a profit').click();
    await form.getByLabel('Amount').fill('0.50');
    // 21.80 / 2.06: the last tick that brings so much.
    await form
      .getByText('Lays 10.58 at 2.06 or better once 2.06 is the best price, about +0.58 whatever wins.')
      .waitFor();
    await form.getByRole('button', { name: 'Hold it' }).click();
    await form.waitFor({ state: 'hidden' });
    const mark = rowOf(ladder, 206).getByRole('button', { name: 'Take profit at 2.06' });
    expect(await mark.innerText()).toBe('P');
    await ladder.getByRole('button', { name: 'Stops 1' }).waitFor();
    // One tick short of it nothing happens.
    await offer(206, 208);
    await ladder.getByRole('button', { name: 'Lay Gil Gray at 2.08, 1,000 available' }).waitFor();
    expect(await heldOf(made)).toMatchObject([{ kind: 'PROFIT', trigger: 206 }]);
    await offer(204, 206);
    await ladder.getByText(/Wins \+0\.5[89], else \+0\.58/).waitFor();
    await mark.waitFor({ state: 'detached' });
    expect((await openOf(made)).map(({ betType, odds, matched }) => [betType, odds, matched])).toEqual(
      expect.arrayContaining([['LAY', 206, 1058]]),
    );
    expect(await heldOf(made)).toEqual([]);
  });

  it('is a trailing stop: its mark goes with the best price and not back, and it acts when the market turns', async () => {
    const { made, offer } = await matched('Ike Iver v Jon Jay', 'Ike Iver', 'Jon Jay');
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 218, 1000);
    await openLadder(made);
    const ladder = ladderOf('Ike Iver');
    await ladder.getByRole('button', { name: /^Back Ike Iver at 2\.18/ }).focus();
    await page.keyboard.press('t');
    const form = page.getByRole('dialog', { name: 'Orders that the server holds' });
    await form.getByLabel('Ticks behind').fill('3');
    await form.getByLabel('Stake').fill('9');
    await form
      .getByText('Lays 9 once the price is 3 ticks worse than the best since now, at most 3 further.')
      .waitFor();
    await form.getByRole('button', { name: 'Hold it' }).click();
    const mark = (price: number) => rowOf(ladder, price).getByRole('button', { name: /^Trailing stop at/ });
    await mark(226).waitFor();
    await offer(208, 210);
    await mark(216).waitFor();
    await offer(210, 212);
    await ladder.getByRole('button', { name: 'Lay Ike Iver at 2.12, 1,000 available' }).waitFor();
    expect(await heldOf(made)).toMatchObject([{ kind: 'TRAIL', trigger: 216 }]);
    await mark(216).waitFor();
    await offer(216, 218);
    await ladder.getByText('Wins +1.18, else −1.00').waitFor();
    await mark(216).waitFor({ state: 'detached' });
    expect((await openOf(made)).map(({ betType, oddsMatched, matched }) => [betType, oddsMatched, matched])).toEqual(
      expect.arrayContaining([['LAY', 218, 900]]),
    );
  });
});

describe('the menu of a cell', () => {
  it('stays after a right press: keeps a bet, lets it lapse, and kills what is not filled', async () => {
    const { made } = await matched('Kai Kerr v Lou Lane', 'Kai Kerr', 'Lou Lane');
    await openLadder(made);
    const ladder = ladderOf('Kai Kerr');
    await arm(ladder);
    const cell = ladder.getByRole('button', { name: 'Back Kai Kerr at 2.30', exact: true });
    await cell.click({ button: 'right' });
    const menu = page.getByRole('dialog', { name: 'Back 10 at 2.30' });
    await menu.getByRole('button', { name: 'Keep in-play' }).click();
    const chip = ladder.getByRole('button', { name: 'Cancel back 10 at 2.30' });
    await chip.waitFor();
    const kept = async () => (await openOf(made)).map(({ persistence, remaining }) => [persistence, remaining]);
    expect(await kept()).toEqual([['PERSIST', 1000]]);
    await chip.click({ button: 'right' });
    await page
      .getByRole('dialog', { name: 'Your back at 2.30' })
      .getByRole('button', { name: 'Lapse in-play' })
      .click();
    await expect.poll(kept).toEqual([['LAPSE', 1000]]);
    await ladder.getByRole('button', { name: 'Lay Kai Kerr at 2.10', exact: true }).click({ button: 'right' });
    await page.getByRole('dialog', { name: 'Lay 10 at 2.10' }).getByRole('button', { name: 'Fill or kill' }).click();
    await page.getByText('The bet could not be matched in full and was not placed.').waitFor();
    expect(await kept()).toEqual([['LAPSE', 1000]]);
  });

  it('of a ladder that is not armed fills the slip with the choice; the slip covers what it lies over', async () => {
    const { made } = await matched('Liv Lark v Mia Moon', 'Liv Lark', 'Mia Moon');
    await openLadder(made);
    await ladderOf('Liv Lark')
      .getByRole('button', { name: 'Back Liv Lark at 2.30', exact: true })
      .click({ button: 'right' });
    await page
      .getByRole('dialog', { name: /^Back .* at 2\.30$/ })
      .getByRole('button', { name: 'Fill or kill' })
      .click();
    const slip = page.locator('[data-slip]');
    await expect.poll(() => slip.getByLabel('Fill or kill').isChecked()).toBe(true);
    expect(await slip.getByLabel('Odds', { exact: true }).inputValue()).toBe('2.30');
    expect(await openOf(made)).toEqual([]);
    const ground = await slip.evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(ground).toMatch(/^rgb\(/);
    await slip.getByRole('button', { name: 'Clear' }).click();
  });

  it('comes at a long press of a finger and stays when that goes: nothing is bet before a choice', async () => {
    const { made } = await matched('Max Moor v Ned Nash', 'Max Moor', 'Ned Nash');
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true, isMobile: true });
    try {
      await openLadder(made, undefined, phone.page);
      const ladder = ladderOf('Max Moor', phone.page);
      await arm(ladder);
      const cell = ladder.getByRole('button', { name: 'Back Max Moor at 2.30', exact: true });
      const { x, y, width, height } = (await cell.boundingBox())!;
      const finger = await phone.context.newCDPSession(phone.page);
      const touch = (type: 'touchStart' | 'touchEnd') =>
        finger.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + height / 2 }],
        });
      await touch('touchStart');
      const menu = phone.page.getByRole('dialog', { name: 'Back 10 at 2.30' });
      await menu.getByRole('button', { name: 'Keep in-play' }).waitFor();
      await touch('touchEnd');
      await menu.getByRole('button', { name: 'Keep in-play' }).tap();
      await ladder.getByRole('button', { name: 'Cancel back 10 at 2.30' }).waitFor();
      expect((await openOf(made, bob)).map(({ persistence, remaining }) => [persistence, remaining])).toEqual([
        ['PERSIST', 1000],
      ]);
    } finally {
      await phone.context.close();
    }
  });
});

describe('a finger', () => {
  it('drags an order to another row and out of the ladder; a row has what was matched there under its odds', async () => {
    const { made } = await matched('Cleo Cray v Dora Dunn', 'Cleo Cray', 'Dora Dunn');
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 218, 2000);
    const phone = await signedIn(browser, site, 'bob', { viewport: PHONE, hasTouch: true, isMobile: true });
    try {
      await openLadder(made, undefined, phone.page);
      const ladder = ladderOf('Cleo Cray', phone.page);
      await rowOf(ladder, 218).locator('.trader__matched').waitFor();
      await arm(ladder);
      const chip = (price: string) => ladder.getByRole('button', { name: `Cancel back 10 at ${price}` });
      await ladder.getByRole('button', { name: 'Back Cleo Cray at 2.26', exact: true }).tap();
      await chip('2.26').waitFor();
      const finger = await phone.context.newCDPSession(phone.page);
      const at = async (of: Locator) => {
        const { x, y, width, height } = (await of.boundingBox())!;
        return { x: x + width / 2, y: y + height / 2 };
      };
      const drag = async (from: Locator, to: { x: number; y: number }) => {
        const first = await at(from);
        for (const [type, point] of [
          ['touchStart', first],
          ['touchMove', { x: first.x, y: first.y + 10 }],
          ['touchMove', to],
        ] as const)
          await finger.send('Input.dispatchTouchEvent', { type, touchPoints: [point] });
        await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      };
      await drag(chip('2.26'), await at(rowOf(ladder, 222)));
      await chip('2.22').waitFor();
      expect((await openOf(made, bob)).map(({ odds, remaining }) => [odds, remaining])).toEqual([[222, 1000]]);
      // Above the rows, where the tools are.
      await drag(chip('2.22'), await at(ladder.getByLabel('Stake of a press')));
      await chip('2.22').waitFor({ state: 'detached' });
      expect(await openOf(made, bob)).toEqual([]);
    } finally {
      await phone.context.close();
    }
  });
});

describe('several orders at one price', () => {
  it('are one chip with their count, which opens them; each is cancelled by itself', async () => {
    const { made } = await matched('Oli Orr v Pat Penn', 'Oli Orr', 'Pat Penn');
    for (const stake of [500, 1000, 1500]) await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 230, stake);
    await openLadder(made);
    const ladder = ladderOf('Oli Orr');
    const chip = ladder.getByRole('button', { name: 'Your 3 orders to back at 2.30, 30 in all' });
    expect(await chip.innerText()).toMatch(/^3\s+30$/);
    await chip.click();
    const list = page.getByRole('dialog', { name: 'Your orders to back at 2.30' });
    expect(await list.getByRole('listitem').allInnerTexts()).toEqual(['15', '10', '5']);
    await list.getByRole('button', { name: 'Cancel back 10 at 2.30' }).click();
    await ladder.getByRole('button', { name: 'Your 2 orders to back at 2.30, 20 in all' }).waitFor();
    await list.getByRole('button', { name: 'Cancel back 5 at 2.30' }).click();
    await ladder.getByRole('button', { name: 'Cancel back 15 at 2.30' }).waitFor();
    expect((await openOf(made)).filter(({ remaining }) => remaining > 0).map(({ amount }) => amount)).toEqual([1500]);
  });

  it('lose none to the Escape that closes their list; the next one, of the ladder itself, cancels all', async () => {
    const { made } = await matched('Tia Thorn v Una Urwin', 'Tia Thorn', 'Una Urwin');
    for (const stake of [500, 1000]) await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 230, stake);
    await openLadder(made);
    const ladder = ladderOf('Tia Thorn');
    const waiting = async () => (await openOf(made)).filter(({ remaining }) => remaining > 0).length;
    const list = page.getByRole('dialog', { name: 'Your orders to back at 2.30' });
    await ladder.getByRole('button', { name: 'Your 2 orders to back at 2.30, 15 in all' }).click();
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await expect(page.getByText('2 bets cancelled').waitFor({ timeout: 700 })).rejects.toThrow('Timeout');
    expect(await waiting()).toBe(2);
    await page.keyboard.press('Escape');
    await page.getByText('2 bets cancelled').waitFor();
    expect(await waiting()).toBe(0);
  });

  it('wait on it, and are cancelled there, also behind a hundred newer bets', async () => {
    const { made } = await matched('Val Vale v Wes Wynn', 'Val Vale', 'Wes Wynn');
    const [first] = made.runnerIds;
    await placeByCall(site, token, made, first!, 'BACK', 230, 1000);
    for (let n = 0; n < 100; n++) await placeByCall(site, token, made, first!, 'BACK', 218, 100);
    await openLadder(made);
    const ladder = ladderOf('Val Vale');
    await ladder.getByText('Wins +118.00, else −100.00').waitFor();
    await ladder.getByRole('button', { name: 'Cancel back 10 at 2.30' }).waitFor();
    await ladder.getByRole('button', { name: 'Cancel backs' }).click();
    await page.getByText('Bet cancelled').waitFor();
    expect(await betsOf(site, token, `&betId=eq${made.betId}&status=eqEXECUTABLE`)).toEqual([]);
  });
});

describe('more than a hundred orders in one market', () => {
  it('are all on their ladder, and those of a side are cancelled at once', async () => {
    const { made } = await matched('Abi Ash v Bob Bay', 'Abi Ash', 'Bob Bay');
    const [first, second] = made.runnerIds;
    await placeByCall(site, token, made, second!, 'BACK', 230, 1000);
    for (let n = 0; n < 120; n++) await placeByCall(site, token, made, first!, 'BACK', 222 + 2 * (n % 4), 100);
    await placeByCall(site, token, made, first!, 'LAY', 210, 100);
    await openLadder(made);
    const ladder = ladderOf('Abi Ash');
    for (const price of ['2.22', '2.24', '2.26', '2.28'])
      await ladder.getByRole('button', { name: `Your 30 orders to back at ${price}, 30 in all` }).waitFor();
    await ladder.getByRole('button', { name: 'Cancel backs' }).click();
    await page.getByText('120 bets cancelled').waitFor();
    const left = await betsOf(site, token, `&betId=eq${made.betId}&status=eqEXECUTABLE`);
    expect(left.map(({ runnerId, betType, odds }) => [runnerId, betType, odds])).toEqual([
      [first, 'LAY', 210],
      [second, 'BACK', 230],
    ]);
  });
});

describe('a ladder on a tablet that is turned', () => {
  it('has the same rows in its middle, higher or lower ones, and what was matched beside them', async () => {
    const { made } = await matched('Xan Xavier v Yul York', 'Xan Xavier', 'Yul York');
    await openLadder(made);
    const ladder = ladderOf('Xan Xavier');
    const box = ladder.locator('.ladder__box');
    /** The price of the row in the middle of the box, as drawn; null where nothing is. */
    const middle = () =>
      box.evaluate((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const row = document.elementFromPoint(left + width / 2, top + height / 2)?.closest('[data-price]');
        return row && { price: Number(row.getAttribute('data-price')), height: row.getBoundingClientRect().height };
      });
    try {
      for (const [width, height, row] of [
        [1024, 768, 25],
        [768, 1024, 44],
        [1024, 768, 25],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect.poll(async () => (await middle())?.height).toBe(row);
        // Within two rows of the market, which was in the middle.
        const price = (await middle())!.price;
        expect(price).toBeGreaterThanOrEqual(214);
        expect(price).toBeLessThanOrEqual(224);
        expect(await ladder.locator('.ladder__volume').first().isVisible()).toBe(true);
      }
    } finally {
      await page.setViewportSize(DESKTOP);
    }
  });
});

describe('following the market', () => {
  it('keeps it in the middle, waits while a pointer is over the rows, and goes on when that has left', async () => {
    const { made, offer } = await matched('Rex Rand v Sid Shaw', 'Rex Rand', 'Sid Shaw');
    await openLadder(made);
    const ladder = ladderOf('Rex Rand');
    const box = ladder.locator('.ladder__box');
    /** How far a row stands from the middle of what is in sight, in rows; far away where it is not drawn. */
    const offMiddle = (price: number) =>
      box.evaluate((one, at) => {
        const row = one.querySelector(`[data-price="${at}"]`)?.getBoundingClientRect();
        const { top, height } = one.getBoundingClientRect();
        return row ? Math.abs(Math.round((row.top + row.height / 2 - top - height / 2) / row.height)) : 99;
      }, price);
    await page.mouse.move(2, 2);
    await offer(400, 410);
    await ladder.getByRole('button', { name: 'Market above, at 4.10: centre' }).waitFor();
    await page.getByRole('switch', { name: 'Follow the market' }).click();
    await expect.poll(() => offMiddle(400)).toBeLessThanOrEqual(1);
    await offer(200, 202);
    await expect.poll(() => offMiddle(200)).toBeLessThanOrEqual(1);
    await box.hover();
    await offer(300, 305);
    await ladder.getByRole('button', { name: /^Market above, at 3\.05/ }).waitFor();
    expect(await offMiddle(200)).toBeLessThanOrEqual(1);
    await page.mouse.move(2, 2);
    await expect.poll(() => offMiddle(300)).toBeLessThanOrEqual(1);
  });
});

describe('closing all', () => {
  it('is a key, asked once more: every runner of the market then stands the same', async () => {
    const { made, offer } = await matched('Tom Tate v Una Ure', 'Tom Tate', 'Una Ure');
    await offer(184, 186, 1);
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 218, 2000);
    await placeByCall(site, token, made, made.runnerIds[1]!, 'LAY', 186, 500);
    await openLadder(made, made.runnerIds);
    const ladder = ladderOf('Tom Tate');
    await ladder.getByRole('button', { name: /^Back Tom Tate at 2\.18/ }).focus();
    await page.keyboard.press('g');
    const asked = ladder.getByRole('button', { name: /^Take/ });
    await asked.waitFor();
    expect(await openOf(made)).toHaveLength(2);
    await page.keyboard.press('g');
    await asked.waitFor({ state: 'detached' });
    const results = async () =>
      (
        await site.call<Array<{ betId: number; runners: Array<{ net: number }> }>>(
          'GET',
          `/bet/positions?matchId=${made.matchId}`,
          token,
        )
      ).data
        .filter(({ betId }) => betId === made.betId)
        .flatMap(({ runners }) => runners.map(({ net }) => net));
    await expect.poll(async () => (await openOf(made)).length).toBeGreaterThan(2);
    const [first, second] = await results();
    expect(Math.abs(first! - second!)).toBeLessThanOrEqual(2);
  });
});

describe('a whole trade', () => {
  it('goes by keys from the open page: to the ladder, stake, arm, lay, move, cancel, and on to the next ladder', async () => {
    const { made } = await matched('Xena Xu v Yann Yates', 'Xena Xu', 'Yann Yates');
    await openLadder(made, made.runnerIds);
    const one = ladderOf('Xena Xu');
    const rows = (name: string) => ladderOf(name).locator('.ladder__box');
    const isAt = (name: string) =>
      rows(name).evaluate((box) => box === document.activeElement && box.matches(':focus-visible'));
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await expect
      .poll(async () => {
        // The keys of pages come a moment after the page.
        if (!(await isAt('Xena Xu'))) await press('j');
        return isAt('Xena Xu');
      })
      .toBe(true);
    await press('c', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', '2', 'a');
    await one.getByText('A press places 10').waitFor();
    await press('l');
    await expect.poll(async () => (await openOf(made)).map(({ odds }) => odds)).toHaveLength(1);
    const [{ odds: first } = { odds: 0 }] = await openOf(made);
    await rowOf(one, first)
      .getByRole('button', { name: /^Cancel lay 10 at/ })
      .waitFor();
    await press('m', 'ArrowDown', 'Enter');
    await expect.poll(async () => (await openOf(made)).map(({ odds }) => odds < first)).toEqual([true]);
    await press(']');
    await expect.poll(() => openOf(made)).toEqual([]);
    await press('Shift+J');
    await expect.poll(() => isAt('Yann Yates')).toBe(true);
    await press('Shift+K');
    await expect.poll(() => isAt('Xena Xu')).toBe(true);
  });
});
