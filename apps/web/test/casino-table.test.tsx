import type { CardRound } from '@fairgame/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { chipsOf } from '../src/features/casino/chips.ts';
import { Screen as Table } from '../src/features/casino/table.tsx';
import { setTablePrefs, tablePrefs } from '../src/features/casino/table-prefs.ts';
import { clearToasts, toastLog } from '../src/platform/toasts.ts';
import { casinoSite, image, json, openRound, roundOf, show, tableAnswer, taken } from './casino-site.tsx';
import { settle } from './settle.ts';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

const site = casinoSite();
const TABLE = 77;

const open = async (round: CardRound = openRound()) => {
  site.answers['/match/card'] = tableAnswer('teen20', round);
  await show('/teen20', Table);
  await settle();
};
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const field = (name: RegExp) => button(name);
const press = (name: string | RegExp) => act(async () => void fireEvent.click(button(name)));
/** The words of the bet panel: what is said there is spoken too, in a place of its own. */
const slip = () => within(screen.getByRole('region', { name: 'Bet slip' }));
const bodies = () => site.placed.filter((body) => 'odd' in body);
/** A bet of the player as the list of bets has it. */
const row = (change: object = {}) => ({
  id: 900,
  betId: 500,
  runnerId: 1,
  betType: 'BACK',
  kind: 'card',
  amount: 200,
  matched: 200,
  odds: 198,
  line: null,
  noLine: null,
  teamName: 'Player A',
  bettingName: 'Round 1',
  result: 'PENDING',
  profitLoss: 0,
  deleteReason: null,
  ...change,
});
const listed = (...rows: object[]) => {
  site.answers['/bet'] = { rows, total: rows.length, page: 1, limit: 100, totals: { stake: 0, profitLoss: 0 } };
};

describe('table', () => {
  it('[CAS-13] shows at most ten results, newest first, each a way to its round', async () => {
    await open();
    const marks = within(document.querySelector<HTMLElement>('.felt__foot')!).getAllByRole('button');
    expect(marks).toHaveLength(10);
    expect(marks[0]!.getAttribute('aria-label')).toBe('Round 100: Player A wins');
    expect(marks[0]!.querySelector('.is-new')).toBeTruthy();
  });

  it('[SOC-07] follows its socket, shuts fields while bets are closed, and says who won and why', async () => {
    await open();
    await press(/^Back Player A at/);
    await image('teen20', 2, openRound({ phase: 'LOCKED', endsAt: Date.now() + 3000, lastsMs: 3000 }));
    expect(screen.getAllByText('Bets are closed').length).toBeGreaterThan(0);
    expect(field(/^Back Player A at/).getAttribute('aria-disabled')).toBe('true');
    await image('teen20', 3, roundOf('teen20', 11));
    expect(document.querySelector('.felt__says')?.textContent).toBe('Player B wins: pair of fours beats jack high.');
    expect(screen.getByLabelText(/^Player B: 4 of diamonds, 4 of hearts, Jack of spades. Pair.*. Winner/)).toBeTruthy();
  });

  it('lifts the cards that decided it and keeps odds in sight, with the word Won on what won', async () => {
    const round = roundOf('teen20', 11);
    round.odds = round.odds.map((one) => ({ ...one, open: false, end: one.runnerId === 3 ? 'WIN' : 'LOSE' }));
    await open(round);
    expect(document.querySelectorAll('.boards__hand .hand__card.is-best')).toHaveLength(3);
    const won = field(/^Back Player B at 1\.98/);
    expect(won.textContent).toContain('1.98');
    expect(won.textContent).toContain('Won');
    expect(won.getAttribute('aria-label')).toMatch(/won$/);
    expect(field(/^Back Player A at 1\.98/).textContent).not.toContain('Won');
  });

  it('[PP-14] sets off a result only when the round brought more than it cost', async () => {
    listed(row({ amount: 500, matched: 500, result: 'LOSS', profitLoss: -500 }));
    await open(roundOf('teen20', 11));
    expect(document.querySelector('.table__net')?.textContent).toContain('\u22125.00');
    expect(document.querySelector('.table__net.is-up')).toBeNull();
    expect(document.querySelector('[class*="confetti"], [class*="celebrat"], audio')).toBeNull();
    // And on its field what the bet brought.
    expect(field(/^Back Player A at/).textContent).toContain('\u22125');
  });

  it('keeps the line of the own position: a bet makes no row higher', async () => {
    await open();
    const cells = () =>
      [...document.querySelectorAll('.odds-rows__pair')].map(({ childElementCount }) => childElementCount);
    const before = cells();
    site.answers['/bet/positions'] = [{ betId: 500, runners: [{ runnerId: 1, win: 196, lose: -200, net: 196 }] }];
    await press(/^Back Player A at/);
    await press(/^Place bet/);
    await settle();
    expect(field(/^Back Player A at/).textContent).toContain('+1.96');
    expect(cells()).toEqual(before);
  });

  it('has sound off until it is switched on, and remembers that on this device', async () => {
    await open();
    expect(button('Sound of the table').getAttribute('aria-pressed')).toBe('false');
    await press('Sound of the table');
    expect(tablePrefs().sound).toBe(true);
    expect(JSON.parse(localStorage.getItem('fg.tables')!)).toMatchObject({ sound: true });
    expect(button('Sound of the table').getAttribute('aria-pressed')).toBe('true');
  });

  it('takes a word for the next round, folded away, and keeps the form and the word through every phase', async () => {
    await open();
    expect(document.querySelector('details.table__details')?.hasAttribute('open')).toBe(false);
    site.answers['/card/clientSeed'] = { seed: 'x', roundNo: 2 };
    const word = document.querySelector<HTMLInputElement>('.table__details input')!;
    const help = () => document.getElementById(word.getAttribute('aria-describedby')!)!.textContent;
    const send = () => [...document.querySelectorAll<HTMLButtonElement>('.table__details button')].at(-1)!;
    expect(help()).toMatch(/^Optional/);
    fireEvent.change(word, { target: { value: ' my word ' } });
    fireEvent.click(send());
    await settle();
    expect(site.placed).toEqual([{ type: 'teen20', mid: openRound().mid, seed: 'my word' }]);
    expect(help()).toBe('It is in, and shown here with round 2.');
    await image('teen20', 2, openRound({ phase: 'LOCKED', endsAt: Date.now() + 3000, lastsMs: 3000 }));
    expect(send().textContent).toBe('Change my word');
    expect(screen.getByText('Seed, published when the round ends')).toBeTruthy();
    await image('teen20', 3, openRound({ mid: 'teen20-2', betId: 501, roundNo: 2, words: ['my word', 'luck'] }));
    expect(document.querySelector('.table__details input')).toBe(word);
    expect(word.value).toBe(' my word ');
    expect(help()).toBe('In this round\u2019s public seed: my word, luck');
    expect(send().textContent).toBe('Put my word in');
  });

  it('tells a round that ended while the line was down, with a way to it', async () => {
    clearToasts();
    listed(row());
    await open();
    listed(row({ result: 'WIN', profitLoss: 196 }));
    await image('teen20', 2, openRound({ mid: 'teen20-3', betId: 502, roundNo: 3 }));
    await settle();
    expect(screen.getByText(/Round 1 ended:/).textContent).toBe('Round 1 ended: +1.96');
    expect(toastLog().map(({ text }) => text)).toContain('20-20 Teenpatti, round 1 ended: +1.96');
    const round = roundOf('teen20', 11);
    site.answers['/card/result/detail'] = { result: tableAnswer('teen20', round).topTenResult[0], round };
    await press('See the round');
    await screen.findByRole('button', { name: 'Verify in this browser' });
  });

  it('says nothing of a round whose end was on the screen', async () => {
    listed(row());
    await open();
    listed(row({ result: 'WIN', profitLoss: 196 }));
    await image('teen20', 2, roundOf('teen20', 11));
    await settle();
    await image('teen20', 3, openRound({ mid: 'teen20-2', betId: 501, roundNo: 2 }));
    await settle();
    expect(screen.queryByText(/Round 1 ended/)).toBeNull();
  });

  it('lists the own rounds of the table with what they brought', async () => {
    const [first] = tableAnswer('teen20', openRound()).topTenResult;
    site.answers['/card/mine/teen20'] = { rows: [{ ...first, bets: 2, stake: 400, net: -104 }], next: null };
    site.answers['/card/report/teen20'] = { rows: [], total: 0, page: 1, limit: 15 };
    await open();
    await press('Rounds of this table');
    fireEvent.click(await screen.findByRole('tab', { name: 'My rounds' }));
    await settle();
    expect(document.querySelector('dialog')?.textContent).toContain('\u22121.04');
    expect(button('Older').disabled).toBe(true);
  });
});

describe('chips', () => {
  it('[CAS-15] [BET-09] offers the stakes of the Casino buttons; one press is a bet, and all go in one', async () => {
    await open();
    const stakes = within(screen.getByRole('group', { name: 'Stake buttons' })).getAllByRole('button');
    expect(stakes.map((one) => one.textContent)).toEqual(['25', 'fifty', '1k']);
    expect(stakes[0]!.getAttribute('aria-pressed')).toBe('true');
    await press(/^Back Player A at 1\.98/);
    await press(/^Back Total B at/);
    fireEvent.click(stakes[1]!);
    await press(/^Back Player A at 1\.98/);
    expect(field(/^Back Player A at/).getAttribute('aria-label')).toMatch(/75 laid$/);
    expect(field(/^Back Player A at/).textContent).toContain('75');
    expect(bodies()).toEqual([]);
    await press('Place 2 bets, 100');
    await settle();
    expect(bodies()).toHaveLength(2);
    expect(bodies()[0]).toMatchObject({
      betId: 500,
      matchId: TABLE,
      runnerId: 1,
      bettingType: 'BACK',
      odd: 198,
      stake: 7500,
      window: 1,
    });
    expect(bodies()[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(bodies()[0]!.key).not.toBe(bodies()[1]!.key);
    expect(bodies()[0]).not.toHaveProperty('marketVersion');
    // They lie on their fields as placed, before any list says so.
    expect(field(/^Back Player A at/).getAttribute('aria-label')).toMatch(/you have 75 on it$/);
    expect(slip().getByText('2 bets placed')).toBeTruthy();
  });

  it('says side, odds, stake, liability and win of a bet that was placed', async () => {
    await open();
    await press(/^Back Player A at/);
    await press('Place bet, 25');
    await settle();
    const said = slip().getByText(/^Bet placed/).parentElement!.textContent;
    expect(said).toContain('back Player A at 1.98');
    expect(said).toContain('stake 25.00, liability 25.00, wins 24.50');
  });

  it('takes back a press, doubles, clears, and lays the bets of the round before again', async () => {
    await open();
    await press(/^Back Player A at/);
    await press(/^Back Total B at/);
    await press('Undo');
    expect(button('Place bet, 25')).toBeTruthy();
    await press('Double all chips');
    expect(button('Place bet, 50')).toBeTruthy();
    await press('Clear');
    expect(chipsOf(TABLE).laid).toEqual([]);
    await press('Undo');
    await press('Place bet, 50');
    await settle();
    expect(bodies()).toHaveLength(1);
    await image('teen20', 2, openRound({ mid: 'teen20-2', betId: 501, roundNo: 2 }));
    await press('Repeat');
    expect(chipsOf(TABLE).laid).toMatchObject([{ runnerId: 1, stakeMinor: 5000, price: 198 }]);
    expect(chipsOf(TABLE).marketId).toBe(501);
  });

  it('looks once more before placing where the player wants that', async () => {
    await open();
    setTablePrefs({ asks: true });
    await press(/^Back Player A at/);
    await press('Place bet, 25');
    await act(async () => void fireEvent.click(button('Confirm bet, 25'), { detail: 2 }));
    await settle();
    expect(bodies()).toEqual([]);
    await press('Back');
    await press('Place bet, 25');
    await press('Confirm bet, 25');
    await settle();
    expect(bodies()).toHaveLength(1);
  });

  it('places at the press where that was armed, which no other visit remembers', async () => {
    await open();
    fireEvent.click(screen.getByLabelText('A press places at once'));
    await press(/^Back Player A at/);
    await settle();
    expect(bodies()).toHaveLength(1);
    expect(JSON.parse(localStorage.getItem('fg.tables')!)).not.toHaveProperty('atOnce');
  });

  it('asks before prices that moved are taken', async () => {
    await open();
    await press(/^Back Player A at/);
    const moved = openRound({ window: 2 });
    moved.odds = moved.odds.map((one) => (one.runnerId === 1 ? { ...one, back: 150 } : one));
    await image('teen20', 2, moved);
    expect(slip().getByText(/1\.98 \u2192 1\.50/)).toBeTruthy();
    await press('Accept the new prices');
    await press('Place bet, 25');
    await settle();
    expect(bodies()).toMatchObject([{ odd: 150, window: 2 }]);
  });

  it('goes on in the next window at the same price without asking', async () => {
    await open();
    await press(/^Back Player A at/);
    await image('teen20', 2, openRound({ window: 2 }));
    await press('Place bet, 25');
    await settle();
    expect(bodies()).toMatchObject([{ odd: 198, window: 2 }]);
  });

  it('keeps a field within its limits, and a chip no field takes is off', async () => {
    const round = openRound();
    round.odds = round.odds.map((one) => ({ ...one, maxMinor: one.runnerId === 1 ? 10_000 : 6000 }));
    await open(round);
    expect(button('1k').disabled).toBe(true);
    expect(button('fifty').disabled).toBe(false);
    await press('fifty');
    await press(/^Back Total B at/);
    await press(/^Back Total B at/);
    expect(slip().getByText('The largest stake on Total B is 60.')).toBeTruthy();
    expect(chipsOf(TABLE).laid).toMatchObject([{ stakeMinor: 5000 }]);
    await press('Double all chips');
    expect(chipsOf(TABLE).laid).toMatchObject([{ stakeMinor: 6000 }]);
  });

  it('a chip of any other stake, within what the table takes', async () => {
    await open();
    const box = screen.getByLabelText('Stake');
    fireEvent.change(box, { target: { value: '2.50' } });
    await press(/^Back Player A at/);
    expect(button('Place bet, 2.50')).toBeTruthy();
    fireEvent.change(box, { target: { value: '0.5' } });
    expect(screen.getByText('The smallest stake here is 1.')).toBeTruthy();
  });

  it('takes the chips of a field off with Delete', async () => {
    await open();
    await press(/^Back Player A at/);
    await press(/^Back Total B at/);
    act(() => void fireEvent.keyDown(field(/^Back Player A at/), { key: 'Delete' }));
    expect(chipsOf(TABLE).laid).toMatchObject([{ runnerId: 8 }]);
  });

  it('a refused bet is back on its field with the reason, the others are placed', async () => {
    site.onBet = (body) =>
      body.runnerId === 1 ? json({ code: 'BALANCE_TOO_LOW', message: 'Not enough balance.' }, 409) : undefined;
    await open();
    await press(/^Back Player A at/);
    await press(/^Back Total B at/);
    await press('Place 2 bets, 50');
    await settle();
    expect(slip().getByText(/Not placed: Player A: Not enough balance\./)).toBeTruthy();
    expect(chipsOf(TABLE).laid).toMatchObject([{ runnerId: 1, stakeMinor: 2500 }]);
    expect(field(/^Back Total B at/).getAttribute('aria-label')).toMatch(/you have 25 on it$/);
  });

  it('a lost answer is asked for by its key, never sent again', async () => {
    site.onBet = () => Promise.reject(new TypeError('line lost'));
    await open();
    await press(/^Back Player A at/);
    site.answers['/bet/key/settle'] = taken({ stake: 2500, odd: 198, runnerId: 1, betId: 500 });
    await press('Place bet, 25');
    await settle();
    expect(bodies()).toHaveLength(1);
    expect(site.placed.at(-1)).toEqual({ key: bodies()[0]!.key });
    expect(chipsOf(TABLE)).toMatchObject({ laid: [], sent: [{ fate: 'placed' }] });
  });

  it('after a reload a bet on its way is asked for before anything else', async () => {
    await open();
    let answer: (response: Response) => void = () => undefined;
    site.onBet = () => new Promise<Response>((resolve) => (answer = resolve));
    await press(/^Back Player A at/);
    await press('Place bet, 25');
    const kept = sessionStorage.getItem('fg.player.chips')!;
    const [{ key }] = bodies() as [{ key: string }];
    expect(kept).toContain(key);
    answer(json(taken(bodies()[0]!)));
    await settle();

    sessionStorage.setItem('fg.player.chips', kept);
    site.placed = [];
    site.answers['/bet/key/settle'] = taken({ stake: 2500, odd: 198, runnerId: 1, betId: 500 });
    vi.resetModules();
    const again = await import('../src/features/casino/chips.ts');
    (await import('../src/features/casino/placing.ts')).resumeChips();
    await vi.waitFor(() => expect(again.chipsOf(TABLE).sent).toMatchObject([{ fate: 'placed' }]));
    expect(site.placed).toEqual([{ key }]);
  });

  it('chips that were not placed come back when betting closes, and can be laid again', async () => {
    await open();
    await press(/^Back Player A at/);
    await image('teen20', 2, openRound({ mid: 'teen20-2', betId: 501, roundNo: 2 }));
    expect(slip().getByText('Betting closed before your chips were placed. They are back.')).toBeTruthy();
    expect(chipsOf(TABLE).laid).toEqual([]);
    expect(bodies()).toEqual([]);
    await press('Repeat');
    expect(chipsOf(TABLE).laid).toMatchObject([{ runnerId: 1, stakeMinor: 2500 }]);
  });

  it('a bet that wants the password first goes on under its key once it is given', async () => {
    let asked = false;
    site.onBet = () => {
      if (asked) return undefined;
      asked = true;
      return json({ code: 'STEP_UP_REQUIRED', message: 'Your password, please.' }, 403);
    };
    site.answers['/auth/stepUp'] = {};
    await open();
    await press(/^Back Player A at/);
    await press('Place bet, 25');
    await settle();
    const box = await screen.findByLabelText('Password');
    fireEvent.change(box, { target: { value: 'secret' } });
    await press('Place the bets');
    await settle();
    expect(bodies()).toHaveLength(2);
    expect(bodies()[1]!.key).toBe(bodies()[0]!.key);
    expect(chipsOf(TABLE).sent).toMatchObject([{ fate: 'placed' }]);
  });
});

// Last of all: a clock that stood still leaves the drawing of later tests waiting.
describe('countdown', () => {
  it('speaks at ten and five seconds, not in between', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    site.answers['/match/card'] = tableAnswer('teen20', openRound({ endsAt: Date.now() + 15_000, lastsMs: 22_000 }));
    await show('/teen20', Table);
    const spoken: string[] = [];
    for (let second = 0; second < 14; second++) {
      await act(() => vi.advanceTimersByTimeAsync(1000));
      const text = document.querySelector('.sr [aria-live="polite"]')?.textContent ?? '';
      if (text !== (spoken.at(-1) ?? '')) spoken.push(text);
    }
    expect(spoken.filter((text) => /seconds left/.test(text))).toEqual([
      '10 seconds left to bet.',
      '5 seconds left to bet.',
    ]);
  });
});
