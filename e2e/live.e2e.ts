import { describe, expect, it } from 'vitest';
import { alice, bob, page, site, stand, token } from './alice-ground.ts';
import {
  addMatch,
  betsOf,
  go,
  headerFigure,
  listed,
  type Made,
  market,
  matchOf,
  myBets,
  openMatch,
  placeByCall,
  placeNow,
  priceOf,
  quote,
  seen,
  slipOf,
  stakeBox,
  walletOf,
} from './play.ts';
import { holds, until } from './wait.ts';

/** What others do while the player looks: the screen follows by itself, and says what became of his money. */
stand({ FAIRGAME_FEED: 'simulated', FAIRGAME_FEED_SEED: '17' });

/** A fresh match with a price to back and one to lay on the first runner. */
async function fresh(title: string): Promise<Made> {
  const made = await addMatch(site, title, title.split(' v '));
  await quote(site, made.betId, made.runnerIds[0]!, [[300, 100_000]], [[310, 100_000]]);
  return made;
}

async function place(made: Made, side: 'Back' | 'Lay', name: string, stake: string): Promise<void> {
  await openMatch(page, made);
  await priceOf(page, 'Match Odds', side, name).click();
  await stakeBox(page).fill(stake);
  await placeNow(page);
}

describe('bets', () => {
  it('[SOC-04] a bet placed elsewhere shows here at once, with the header', async () => {
    const made = await fresh('Sam Snow v Tia Todd');
    await openMatch(page, made);
    const before = await headerFigure(page, 'Exposure');
    await placeByCall(site, token, made, made.runnerIds[0]!, 'BACK', 300, 900);
    await seen(myBets(page), /Sam Snow[\s\S]*3\.00\s*9/);
    await expect.poll(() => headerFigure(page, 'Exposure')).toBe(before - 900);
    await seen(market(page, 'Match Odds'), /Sam Snow[\s\S]*\+18\.00[\s\S]*Tia Todd[\s\S]*-9\.00/);
  });

  it('a stake with cents is shown with its cents wherever the bet is', async () => {
    const made = await fresh('Gus Gale v Hew Holt');
    await place(made, 'Back', 'Gus Gale', '12.34');
    await seen(slipOf(page), /Matched at 3\.00, 12\.34\./);
    await seen(myBets(page), /Gus Gale[\s\S]*3\.00\s*12\.34/);
    await seen(market(page, 'Match Odds'), /\+24\.68[\s\S]*-12\.34/);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
  });

  it('a waiting bet that another player takes turns to matched, in the slip, in the list and in the figures', async () => {
    const made = await addMatch(site, 'Uma Urs v Vic Vale', ['Uma Urs', 'Vic Vale']);
    await placeByCall(site, bob, made, made.runnerIds[0]!, 'LAY', 200, 100);
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Back', 'Uma Urs').click();
    await slipOf(page).getByLabel('Odds', { exact: true }).fill('5');
    await slipOf(page).getByLabel('Odds', { exact: true }).blur();
    await stakeBox(page).fill('6');
    await placeNow(page);
    await seen(slipOf(page), /Waiting at 5\.00/);
    await placeByCall(site, bob, made, made.runnerIds[0]!, 'LAY', 500, 600);
    await seen(slipOf(page), /Matched at 5\.00, 6\.00\./, 3000);
    await seen(market(page, 'Match Odds'), /\+24\.00/);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
  });

  it('[BET-08] [SOC-12] [SOC-17] a bet the operator takes out stays in view with its reason, and its stake is free', async () => {
    const made = await fresh('Wes Wood v Xia Xu');
    await place(made, 'Back', 'Wes Wood', '11');
    await seen(slipOf(page), /Matched at 3\.00/);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
    const held = await headerFigure(page, 'Exposure');
    const [bet] = await betsOf(site, token, `&betId=eq${made.betId}`);
    await site.operator('/bet/delete', { ids: [bet!.id], reason: 'Wrong price shown' });
    await seen(page.getByRole('region', { name: 'Deleted bets' }), /Wes Wood[\s\S]*Wrong price shown/, 3000);
    await expect.poll(() => headerFigure(page, 'Exposure')).toBe(held + 1100);
    await seen(market(page, 'Match Odds'), /No position|0\.00/);
    await site.operator('/bet/reason', { ids: [bet!.id], reason: 'Price was a slip of the pen' });
    await seen(page.getByRole('region', { name: 'Deleted bets' }), 'Price was a slip of the pen', 3000);
  });

  it('[SOC-08] [SOC-09] a result pays, taken back it takes the money back and the bet is open again', async () => {
    const made = await fresh('Yan York v Zed Zorn');
    await place(made, 'Back', 'Yan York', '10');
    await seen(slipOf(page), /Matched at 3\.00/);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
    const start = await walletOf(site, token);
    const declare = (winner: number) =>
      site.operator('/market/declare', {
        betId: made.betId,
        result: { kind: 'winners', runnerIds: [made.runnerIds[winner]] },
      });
    await declare(0);
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(start.currentBalance + 1960);
    await seen(market(page, 'Match Odds'), 'Winner');
    await site.operator('/market/undeclare', { betId: made.betId, reason: 'Wrong winner' });
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(start.currentBalance);
    await expect.poll(() => headerFigure(page, 'Exposure')).toBe(-start.exposure);
    await seen(myBets(page), /Yan York[\s\S]*3\.00\s*10/);
    await declare(1);
    await expect.poll(() => headerFigure(page, 'Balance')).toBe(start.currentBalance - 1000);
  });

  it('an in-play bet waits out its delay in view, then is matched or waits', async () => {
    const { match, runner } = await inPlayBook();
    await go(page, `/game-detail/${match.matchType}/${match.id}`);
    const cell = priceOf(page, 'Match Odds', 'Back', runner);
    await cell.click({ timeout: 20_000 });
    await stakeBox(page).fill('5');
    await placeNow(page);
    await seen(slipOf(page), /Waiting \d seconds?|In-play bets wait \d seconds/, 4000);
    await seen(myBets(page), /in its delay/);
    // Its stake is held while it waits.
    const bets = async () => (await betsOf(site, token, `&betPlaced.matchId=eq${match.id}`))[0]!;
    expect((await bets()).status).toBe('PENDING');
    await expect.poll(async () => (await bets()).status, { timeout: 15_000 }).not.toBe('PENDING');
    await seen(slipOf(page), /Matched at|of 5\.00 matched|Waiting at|Not matched/, 4000);
    await slipOf(page).getByRole('button', { name: 'Done' }).click();
  });
});

describe('one click', () => {
  it('is off, is armed with a warning, places at once at the armed stake, and is off again after a reload', async () => {
    const made = await fresh('Abe Ames v Bea Bond');
    await openMatch(page, made);
    await slipOf(page).getByText('One-click', { exact: true }).click();
    await seen(slipOf(page), /One-click is on[\s\S]*places 10 at once|One-click is on[\s\S]*places 5 at once/);
    await slipOf(page).locator('.betting__one').getByRole('button', { name: '10', exact: true }).click();
    await priceOf(page, 'Match Odds', 'Back', 'Abe Ames').click();
    await seen(slipOf(page), /Matched at 3\.00, 10\.00\./);
    const bets = await betsOf(site, token, `&betId=eq${made.betId}`);
    expect(bets.map((bet) => bet.amount)).toEqual([1000]);
    await page.reload();
    await market(page, 'Match Odds').waitFor();
    await priceOf(page, 'Match Odds', 'Back', 'Abe Ames').click();
    await holds(800, async () => expect((await betsOf(site, token, `&betId=eq${made.betId}`)).length).toBe(1));
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });

  it('does not outlive the leaving of the page it was armed on, as its warning says', async () => {
    const made = await fresh('Cal Cobb v Dee Dunn');
    await openMatch(page, made);
    await slipOf(page).getByText('One-click', { exact: true }).click();
    await seen(slipOf(page), 'One-click is on');
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.locator('.event-list__event').first().waitFor();
    await openMatch(page, made);
    await priceOf(page, 'Match Odds', 'Back', 'Cal Cobb').click();
    await holds(800, async () => expect((await betsOf(site, token, `&betId=eq${made.betId}`)).length).toBe(0));
    await slipOf(page).getByRole('button', { name: 'Clear' }).click();
  });
});

describe('the line', () => {
  it('prices of a cut socket cannot be pressed; they come back by themselves and are right', async () => {
    const made = await fresh('Eli Eads v Fox Fair');
    await openMatch(page, made);
    const cell = priceOf(page, 'Match Odds', 'Back', 'Eli Eads');
    await seen(cell, '3.00');
    await alice.context.setOffline(true);
    await expect.poll(() => cell.getAttribute('aria-disabled'), { timeout: 20_000 }).toBe('true');
    // Its figures fade, from the next frame on.
    const opacity = () =>
      cell.locator('b').evaluate((figure) => {
        let seen = 1;
        for (let part: Element = figure; !part.matches('button'); part = part.parentElement!)
          seen *= Number(getComputedStyle(part).opacity);
        return seen;
      });
    await expect.poll(opacity).toBeLessThan(1);
    await quote(site, made.betId, made.runnerIds[0]!, [[280, 100_000]], [[290, 100_000]]);
    await page.evaluate(() => sessionStorage.setItem('reloadedAt', String(Date.now())));
    await alice.context.setOffline(false);
    await seen(cell, '2.80', 15_000);
    await expect.poll(() => cell.getAttribute('aria-disabled')).toBe(null);
  });

  it('[SOC-02] [SOC-22] [SOC-23] [SOC-24] [SOC-25] [MAT-08] says its matches, its role and the room, and the words of leaving', async () => {
    const made = await fresh('Gil Gray v Hal Hart');
    await openMatch(page, made);
    const sent: string[] = [];
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => sent.push(String(payload).replace(/^(\d\d)(?:(\/\w+),)?/, '$1$2 '))),
    );
    await page.reload();
    await seen(priceOf(page, 'Match Odds', 'Back', 'Gil Gray'), '3.00');
    const words = (prefix: string) =>
      sent.filter((one) => one.startsWith(prefix)).map((one) => JSON.parse(one.slice(prefix.length)) as object);
    await expect.poll(() => words('40/match ').at(-1)).toMatchObject({ roleName: 'user', token: expect.any(String) });
    const { matchIdArray } = words('40/match ').at(-1) as { matchIdArray: string };
    expect(matchIdArray.split(',')).toContain(String(made.matchId));
    await expect.poll(() => words('42 ')).toContainEqual(['matchRoom', { id: made.matchId }]);
    expect(words('42/match ')).not.toContainEqual(['leaveAll']);
    // Within the client, to a screen without prices.
    await page.evaluate(() => {
      history.pushState(null, '', '/account-statement');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await expect.poll(() => words('42/match ')).toContainEqual(['disconnectCricketData', { matchId: made.matchId }]);
    await expect.poll(() => words('42/match ')).toContainEqual(['leaveAll']);
  });

  it('[SOC-18] [CAR-06] hardRefreshAll reloads a quiet tab', async () => {
    await page.evaluate(() => sessionStorage.removeItem('reloadedAt'));
    const loaded = page.waitForEvent('load', { timeout: 40_000 });
    await site.operator('/refresh', { reason: 'New version' });
    await loaded;
  });
});

async function inPlayBook() {
  return until(
    'No event in play with a delay',
    async () => {
      for (const match of await listed(site, token)) {
        if (!match.inPlay || !['football', 'tennis'].includes(match.matchType)) continue;
        const head = (await matchOf(site, token, match.id)).markets.find((one) => one.name === 'Match Odds');
        const runner = head?.runners.find((one) => one.back.length > 0 && one.back[0]![0] < 1000);
        if (head?.status === 'OPEN' && head.betDelayMs >= 3000 && runner) return { match, runner: runner.name };
      }
      return null;
    },
    { every: 500 },
  );
}
