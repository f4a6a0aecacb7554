import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SlipForm } from '../src/betting/slip-form.tsx';
import { Screen as Buttons } from '../src/features/buttons/buttons.tsx';
import { takeWallet } from '../src/live/wallet.ts';
import { bets, edit, keepChoice, select, setAsksFirst, setKeepsSeveral, slip } from '../src/slip/slip.ts';
import { settle } from './settle.ts';
import {
  bet,
  betPage,
  clear,
  live,
  market,
  PROFILE,
  refused,
  runner,
  type Sent,
  selection,
  serve,
  show,
  width,
} from './trading.tsx';

/** The bet slip while the market moves under it, and what it says of money. */
let sent: Sent[];
beforeEach(() => {
  width(1440);
  sent = serve();
  takeWallet({ currentBalance: 1_000_000, exposure: 0, version: 1 });
});
afterEach(clear);

const india = (back: Array<[number, number]>, lay: Array<[number, number]> = [[230, 100_000]]) =>
  market({ runners: [runner(1, 'India', { back, lay }), runner(2, 'Australia', { back: [[184, 100_000]] })] });

async function open(change: Parameters<typeof selection>[0] = {}, stakeText = '25', image = market()) {
  live(image);
  show(<SlipForm />);
  act(() => void select(selection(change), stakeText));
  await settle();
}
const slipText = () => document.querySelector('form')!.textContent;
const placing = () => screen.getByRole('button', { name: /^(Place|Confirm) / });

describe('the slip that asks before placing', () => {
  it('does not take the second press of a double click for its answer, nor places after Back', async () => {
    await open();
    fireEvent.click(placing(), { detail: 1 });
    await settle();
    expect(placing().textContent).toBe('Confirm back 25 at 2.18');
    fireEvent.click(placing(), { detail: 2 });
    await settle();
    expect(slip()!.phase).toBe('review');
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await settle();
    expect(placing().textContent).toBe('Place back 25 at 2.18');
    expect(sent.filter(({ path }) => path === '/placeBet')).toEqual([]);
  });
});

describe('a price that moves under the slip', () => {
  it('is said with what the bet will do now, and taken by one press', async () => {
    await open({ price: 220 }, '25', india([[220, 100_000]]));
    expect(slipText()).toContain('1,000 on offer at 2.20');
    live(india([[218, 50_000]]));
    await settle();
    expect(slipText()).toContain('Now 2.18. At 2.20 your bet waits.');
    fireEvent.click(screen.getByRole('button', { name: 'Take 2.18' }));
    await settle();
    expect(slip()!.price).toBe(218);
    expect(slipText()).not.toContain('your bet waits');
    expect(placing().textContent).toBe('Place back 25 at 2.18');
  });

  it('is said for a lay that rose, and when there is no price at all', async () => {
    await open({ side: 'LAY', price: 220 }, '25', india([[218, 100_000]], [[220, 100_000]]));
    live(india([[218, 100_000]], [[226, 100_000]]));
    await settle();
    expect(slipText()).toContain('Now 2.26. At 2.20 your bet waits.');
    live(india([[218, 100_000]], []));
    await settle();
    expect(slipText()).toContain('Nothing on offer now. At 2.20 your bet waits.');
    expect(screen.queryByRole('button', { name: /^Take/ })).toBeNull();
  });

  it('takes the question back with it: a price taken anew is asked about anew', async () => {
    await open({ price: 220 }, '25', india([[220, 100_000]]));
    fireEvent.click(placing());
    expect(placing().textContent).toBe('Confirm back 25 at 2.20');
    live(india([[218, 100_000]]));
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Take 2.18' }));
    expect(placing().textContent).toBe('Place back 25 at 2.18');
    expect(sent.filter(({ path }) => path === '/placeBet')).toEqual([]);
  });

  it('says a better price, and how much of the stake is on offer', async () => {
    await open({ price: 220 }, '25', india([[224, 100_000]]));
    expect(slipText()).toContain('Now 2.24: you get the better price.');
    live(india([[220, 1000]]));
    await settle();
    expect(slipText()).toContain('10 on offer at 2.20, the rest waits.');
    act(() => edit({ fillOrKill: true }));
    await settle();
    expect(slipText()).toContain('10 on offer at 2.20: not enough for fill or kill.');
  });

  it('moves no button: the line is there from the start', async () => {
    await open({ price: 220 }, '25', india([[220, 100_000]]));
    const before = [...document.querySelectorAll('.slip__body > *')].map((part) => part.className);
    live(india([[218, 100_000]]));
    await settle();
    expect(
      [...document.querySelectorAll('.slip__body > *')].map((part) => part.className.replace(' is-moved', '')),
    ).toEqual(before);
  });

  it('of a house quote is accepted with its new profit in view', async () => {
    const quoted = (price: number) =>
      market({ kind: 'bookmaker', runners: [runner(1, 'India', { back: [[price, 100_000]] })] });
    await open({ kind: 'bookmaker', box: 0, price: 80 }, '10', quoted(80));
    live(quoted(33));
    await settle();
    expect(slipText()).toContain('Price moved from 80 to 33. Profit is now +3.30.');
    fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
    await settle();
    expect(slip()!.price).toBe(33);
  });
});

describe('money in the slip', () => {
  it('says what is there when it is not enough, keeps Place off, and sets the stake to what there is', async () => {
    takeWallet({ currentBalance: 50_000, exposure: -18_000, version: 2 });
    await open({}, '500');
    expect(slipText()).toContain('Not enough balance. This bet needs 500.00; you have 320.00.');
    expect(screen.getByRole('button', { name: /^Place/ })).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('button', { name: 'Set stake to 320' }));
    await settle();
    expect(slip()!.stakeText).toBe('320');
    expect(placing()).toHaveProperty('disabled', false);
  });

  it('a lay needs its liability, of which the stake is worked back', async () => {
    takeWallet({ currentBalance: 10_000, exposure: 0, version: 2 });
    await open({ side: 'LAY', price: 220 }, '100');
    expect(slipText()).toContain('This bet needs 120.00; you have 100.00.');
    fireEvent.click(screen.getByRole('button', { name: 'Set stake to 83.33' }));
    expect(slip()!.stakeText).toBe('83.33');
  });

  it('a bet that lowers what is at risk is never held up by the balance', async () => {
    serve({
      '/bet/positions': [
        {
          betId: 11,
          exposure: 10_000,
          betCount: 1,
          runners: [
            { runnerId: 1, win: 12_000, lose: -10_000, net: 12_000 },
            { runnerId: 2, win: -10_000, lose: 12_000, net: -10_000 },
          ],
          runs: [],
        },
      ],
    });
    takeWallet({ currentBalance: 10_000, exposure: -10_000, version: 2 });
    await open({ side: 'LAY', price: 220 }, '50');
    expect(slipText()).not.toContain('Not enough balance');
    expect(placing()).toHaveProperty('disabled', false);
  });

  it('with other bets waiting there the server decides: the sum is said, Place stays on', async () => {
    serve({ '/bet': betPage([bet()]) });
    takeWallet({ currentBalance: 50_000, exposure: -40_000, version: 2 });
    await open({}, '500');
    expect(slipText()).toContain('This bet needs 500.00; you have 100.00.');
    expect(placing()).toHaveProperty('disabled', false);
  });

  it('a refusal for want of money says what there is', async () => {
    serve({ '/placeBet': refused(409, 'INSUFFICIENT_FUNDS', 'There is not enough money for this bet.') });
    await open({}, '25');
    fireEvent.click(placing());
    await act(async () => fireEvent.click(placing()));
    await settle();
    expect(slipText()).toContain('There is not enough money for this bet. You have 10,000.00.');
  });

  it('stake buttons outside the limits of the market are off and say why', async () => {
    await open({ maxStakeMinor: 25_000 }, '25');
    const stakes = within(screen.getByRole('group', { name: 'Stake buttons' }));
    expect(stakes.getByRole('button', { name: '100' })).toHaveProperty('disabled', false);
    const off = stakes.getByRole('button', { name: '500' });
    expect(off).toHaveProperty('disabled', true);
    expect(off.title).toBe('The largest stake here is 250.00');
  });
});

describe('stake templates', () => {
  const TEMPLATES = [
    { label: 'Tenth', kind: 'percent', value: 10 },
    { label: 'Risk 60', kind: 'liability', value: 60 },
    { label: 'Win 100', kind: 'profit', value: 100 },
    { label: 'Win all', kind: 'profit', value: 90_000 },
  ];
  const press = async (name: string) => {
    const group = await screen.findByRole('group', { name: 'Stake templates' });
    fireEvent.click(within(group).getByRole('button', { name }));
    return slip()!.stakeText;
  };

  it('set the stake of this price: a part of what is available, what it may cost, what it shall win', async () => {
    serve({ '/user/profile': { ...PROFILE, stakeTemplates: TEMPLATES } });
    takeWallet({ currentBalance: 123_456, exposure: -3_456, version: 2 });
    await open({ price: 220 });
    expect([await press('Tenth'), await press('Risk 60'), await press('Win 100')]).toEqual(['120', '60', '83.34']);
    const all = screen.getByRole('button', { name: 'Win all' });
    expect(all).toHaveProperty('disabled', true);
    expect(all.title).toBe('Target profit 90,000: The largest stake here is 5,000.00');
    act(() => void select(selection({ side: 'LAY', price: 220 }), '1'));
    await settle();
    expect([await press('Risk 60'), await press('Win 100')]).toEqual(['50', '100']);
    act(() => void select(selection({ kind: 'bookmaker', box: 0, price: 33, side: 'BACK' }), '1'));
    await settle();
    expect([await press('Risk 60'), await press('Win 100')]).toEqual(['60', '303.04']);
  });

  it('are made, edited and taken away beside the stake buttons, and what is wrong is said at its row', async () => {
    const calls = serve({
      '/user/profile': { ...PROFILE, stakeTemplates: TEMPLATES.slice(0, 2) },
      '/button': [{ id: 1, type: 'Match', value: '{"10":10}' }],
    });
    show(<Buttons />);
    await settle();
    const type = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
    const update = async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Update' }));
      await settle();
    };
    const kept = () => calls.filter(({ path }) => path === '/button/templates').map(({ body }) => body.templates);
    await update();
    expect(kept()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Add a template' }));
    type('Label of template 3', 'Fifth');
    type('Value of template 3', '2x0');
    type('Value of template 1', '101');
    await update();
    expect(screen.getByLabelText('Value of template 1').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Enter a whole number from 1 to 100.')).toBeTruthy();
    expect(kept()).toEqual([]);
    type('Value of template 1', '12');
    type('Kind of template 1', 'profit');
    fireEvent.click(screen.getByRole('button', { name: 'Take template 2 away' }));
    await update();
    expect(kept()).toEqual([
      [
        { label: 'Tenth', kind: 'profit', value: 12 },
        { label: 'Fifth', kind: 'percent', value: 20 },
      ],
    ]);
  });
});

describe('what the bet is on', () => {
  const session = (side: 'BACK' | 'LAY', line: number, more: object = {}) => ({
    kind: 'session',
    side,
    price: 100,
    line,
    runnerName: '6 over runs',
    marketName: '6 over runs',
    ...more,
  });

  it.each([
    ['session', 'BACK', 48, 'Wins at 48 runs or more'],
    ['session', 'LAY', 48, 'Wins at 47 runs or fewer'],
    ['overByover', 'LAY', 1, 'Wins at no runs'],
    ['meter', 'BACK', 300, 'Wins its stake for every run above 300, loses it for every run below'],
  ] as const)('a %s bet on the side %s of %i: %s', async (kind, side, line, words) => {
    await open(session(side, line, { kind }), '10', market({ kind, runners: [runner(1, 'Runs')] }));
    expect(slipText()).toContain(words);
  });

  it.each([
    ['oddEven', 'Odd', 'Wins when the runs are odd'],
    ['cricketCasino', '7', 'Wins when the last digit of the score is 7'],
    ['fancy1', 'India to hit a six', 'Wins when it happens'],
  ])('a bet of %s on %s: %s', async (kind, runnerName, words) => {
    await open({ kind, price: 150, runnerName }, '10', market({ kind, runners: [runner(1, runnerName)] }));
    expect(slipText()).toContain(kind === 'fancy1' ? words : `Match Odds: w${words.slice(1)}`);
  });

  it('khado names its runs', async () => {
    const image = market({ kind: 'khado', runners: [runner(1, '150-5', { yesLine: 150, width: 5 })] });
    await open({ kind: 'khado', price: 300, line: 150, runnerName: '150-5' }, '10', image);
    expect(slipText()).toContain('Match Odds: wins from 150 to 154 runs');
  });

  it('long names are whole', async () => {
    await open({ runnerName: 'A runner of a very long name indeed, of whom nothing may be cut' });
    expect(document.querySelector('.slip__selection .clip')).toBeNull();
  });
});

describe('several bets in the slip', () => {
  const australia = { runnerId: 2, runnerName: 'Australia', price: 184 };
  const toss = { matchId: 3, marketId: 12, runnerId: 7, runnerName: 'Heads', marketName: 'Toss', price: 190 };
  const images = () => [
    market(),
    market({ id: 12, matchId: 3, name: 'Toss', runners: [runner(7, 'Heads', { back: [[190, 100_000]] })] }),
  ];
  const row = (name: string) =>
    within(screen.getAllByRole('listitem').find((li) => li.querySelector('h3')?.textContent?.includes(name))!);
  const texts = () => bets().map(({ runnerName, stakeText, phase }) => `${runnerName} ${stakeText} ${phase}`);
  const press = async (...changes: Array<Parameters<typeof selection>[0]>) => {
    for (const change of changes) act(() => void select(selection(change)));
    await settle();
  };
  const stake = (name: string, value: string) =>
    fireEvent.change(row(name).getByLabelText('Stake'), { target: { value } });
  const submit = async (name: RegExp) => {
    fireEvent.click(screen.getByRole('button', { name }));
    await settle();
  };
  const answerOf = ({ body }: Sent) => ({
    bet: bet({
      id: Number(body.runnerId),
      runnerId: Number(body.runnerId),
      matched: 2500,
      remaining: 0,
      status: 'COMPLETE',
    }),
    wallet: { currentBalance: 1, exposure: 0, held: 0, available: 1, version: 3 },
  });

  async function gathered(answer: unknown = answerOf) {
    sent = serve({ '/placeBet': answer });
    setKeepsSeveral(true);
    live(...images());
    show(<SlipForm />);
    await press({}, australia, toss);
  }
  afterEach(() => {
    setKeepsSeveral(false);
    keepChoice({ persistence: 'LAPSE', fillOrKill: false, offset: 0 }, 0);
  });
  const placed = () => sent.filter(({ path }) => path === '/placeBet').map(({ body }) => body);

  it('is a choice of the player: a press adds to them, one of the same runner and side changes its price', async () => {
    await open({}, '25', images()[0]!);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Several bets' }));
    live(...images());
    await press(australia, toss, { price: 224 }, { side: 'LAY', price: 220 });
    expect(bets().map(({ runnerName, side, price }) => `${side} ${runnerName} ${price}`)).toEqual([
      'BACK India 224',
      'BACK Australia 184',
      'BACK Heads 190',
      'LAY India 220',
    ]);
    expect(new Set(bets().map(({ key }) => key)).size).toBe(4);
    expect(bets().map(({ stakeText }) => stakeText)).toEqual(['25', '25', '25', '25']);
    fireEvent.click(row('Australia').getByRole('button', { name: 'Remove' }));
    await settle();
    expect(bets()).toHaveLength(3);
    // What is gathered cannot become one bet.
    expect(screen.getByRole('checkbox', { name: 'Several bets' })).toHaveProperty('disabled', true);
    for (let runnerId = 20; runnerId < 29; runnerId++) act(() => void select(selection({ runnerId })));
    expect(bets()).toHaveLength(10);
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await settle();
    expect(bets()).toEqual([]);
  });

  it('asks once for all, places each under its own key, and each says its own answer: none is lost with a refused one', async () => {
    await gathered((one: Sent) =>
      one.body.runnerId === 2 ? refused(409, 'MARKET_SUSPENDED', 'The market is suspended.') : answerOf(one),
    );
    for (const name of ['India', 'Australia', 'Heads']) stake(name, '25');
    expect(document.querySelector('form')!.textContent).toContain('Liability together\u221275.00');
    await submit(/^Place 3 bets$/);
    expect(placed()).toEqual([]);
    stake('Heads', '30');
    await submit(/^Place 3 bets$/);
    await submit(/^Confirm 3 bets$/);
    expect(placed().map(({ betId, runnerId, stake }) => [betId, runnerId, stake])).toEqual([
      [11, 1, 2500],
      [11, 2, 2500],
      [12, 7, 3000],
    ]);
    expect(new Set(placed().map(({ key }) => key)).size).toBe(3);
    expect(texts()).toEqual(['India 25 done', 'Australia 25 refused', 'Heads 30 done']);
    expect(row('Australia').getByText('The market is suspended.')).toBeTruthy();
    // The next try sends what was refused, alone and as another bet.
    await submit(/^Place 1 bet$/);
    await submit(/^Confirm 1 bet$/);
    expect(placed().map(({ runnerId }) => runnerId)).toEqual([1, 2, 7, 2]);
    expect(placed()[3]!.key).not.toBe(placed()[1]!.key);
  });

  it('a bet whose market is shut or whose stake is none stays, and says so; a price that moved is said and taken in its row', async () => {
    await gathered();
    stake('India', '25');
    stake('Heads', '25');
    stake('Australia', '');
    live(market({ id: 12, matchId: 3, name: 'Toss', status: 'SUSPENDED', runners: [runner(7, 'Heads')] }));
    live(india([[210, 100_000]]));
    await settle();
    expect(row('Heads').getByText('Market suspended')).toBeTruthy();
    expect(row('India').getByText('Now 2.10. At 2.18 your bet waits.')).toBeTruthy();
    fireEvent.click(row('India').getByRole('button', { name: 'Take 2.10' }));
    await settle();
    await submit(/^Place 2 bets$/);
    await submit(/^Confirm 2 bets$/);
    expect(placed().map(({ runnerId, odd }) => [runnerId, odd])).toEqual([[1, 210]]);
    expect(texts()).toEqual(['India 25 done', 'Australia  editing', 'Heads 25 editing']);
  });

  it('a lost answer is asked for by its own key, after a reload too', async () => {
    sessionStorage.clear();
    await gathered((one: Sent) => (one.body.runnerId === 2 ? new Promise(() => undefined) : answerOf(one)));
    for (const name of ['India', 'Australia']) stake(name, '25');
    setAsksFirst(false);
    await submit(/^Place 2 bets$/);
    setAsksFirst(true);
    expect(texts()).toEqual(['India 25 done', 'Australia 25 placing', 'Heads  editing']);
    const stored = JSON.parse(sessionStorage.getItem('fg.player.slip')!) as { others: Array<{ key: string }> };
    expect(stored.others).toHaveLength(2);
    const asked: string[] = [];
    serve({
      '/bet/key/settle': ({ body }: Sent) => {
        asked.push(String(body.key));
        return answerOf(sent.at(-1)!);
      },
    });
    vi.resetModules();
    const again = await import('../src/slip/slip.ts');
    expect(again.bets().map(({ runnerName }) => runnerName)).toEqual(['India', 'Australia', 'Heads']);
    again.resume();
    await vi.waitFor(() => expect(asked).toEqual([placed().find(({ runnerId }) => runnerId === 2)!.key]));
  });

  it('what is chosen for the rest of a bet is kept for the next', async () => {
    await open({}, '25');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Keep in-play' }));
    act(() => void select(selection(australia)));
    expect(slip()).toMatchObject({ persistence: 'PERSIST', fillOrKill: false });
    act(() => void select(selection({ kind: 'bookmaker', box: 0 })));
    expect(slip()).toMatchObject({ persistence: 'LAPSE' });
  });

  it('an offset goes in the call that places the bet, and is kept for the next one in a book', async () => {
    await open({}, '25');
    sent = serve({
      '/placeBet': refused(400, 'PRICE_INVALID', 'This is not a valid price.', { field: 'offset.ticks' }),
    });
    const offset = () => screen.getByLabelText<HTMLInputElement>('Offset, ticks');
    fireEvent.change(offset(), { target: { value: '90x' } });
    await submit(/^Place back 25/);
    await submit(/^Confirm back 25/);
    await vi.waitFor(() => screen.getByText('The offset goes beyond the last price there is.'));
    expect(offset().getAttribute('aria-invalid')).toBe('true');
    sent = serve({ '/placeBet': answerOf });
    fireEvent.change(offset(), { target: { value: '3' } });
    expect(offset().getAttribute('aria-invalid')).toBeNull();
    await submit(/^Place back 25/);
    await submit(/^Confirm back 25/);
    await vi.waitFor(() => expect(slip()?.phase).toBe('done'));
    expect(sent.map(({ path, body }) => [path, body.offset])).toContainEqual(['/placeBet', { ticks: 3, level: true }]);
    // No second call, which would not be sent where the tab dies between the two.
    expect(sent.some(({ path, method }) => path === '/bet/conditional' && method === 'POST')).toBe(false);
    act(() => void select(selection({ kind: 'bookmaker', box: 0 })));
    expect(slip()).toMatchObject({ offset: 0 });
    act(() => void select(selection(australia)));
    expect(slip()).toMatchObject({ offset: 3 });
  });

  it('keys go from bet to bet, choose a stake, take one out and place; none of them while something is typed', async () => {
    await gathered();
    const key = (sign: string, more: object = {}) =>
      act(() => void fireEvent.keyDown(document.activeElement ?? document.body, { key: sign, ...more }));
    const at = () => document.activeElement?.closest('li')?.querySelector('h3')?.textContent;
    key('.');
    expect(at()).toContain('Heads');
    key(',');
    expect(at()).toContain('Australia');
    key('3');
    expect(texts()).toEqual(['India  editing', 'Australia 100 editing', 'Heads  editing']);
    key('e');
    expect(document.activeElement).toBe(row('Australia').getByLabelText('Stake'));
    for (const sign of ['x', 'v', '1', ',']) key(sign);
    expect(texts()).toEqual(['India  editing', 'Australia 100 editing', 'Heads  editing']);
    act(() => (document.activeElement as HTMLElement).blur());
    key('x');
    expect(texts()).toEqual(['India  editing', 'Heads  editing']);
    key('2');
    key('v');
    await settle();
    screen.getByRole('button', { name: 'Confirm 1 bet' });
    key('v', { repeat: true });
    expect(placed()).toEqual([]);
    key('v');
    await settle();
    expect(placed().map(({ runnerId, stake }) => [runnerId, stake])).toEqual([[7, 2500]]);
  });

  it('keys act in the sheet of a phone that the slip stands in', async () => {
    live(images()[0]!);
    show(
      <dialog open>
        <SlipForm />
      </dialog>,
    );
    await press({});
    act(() => void fireEvent.keyDown(document.body, { key: '3' }));
    expect(texts()).toEqual(['India 100 editing']);
  });

  it('keys do the same for the one bet of a slip, and end it with its answer', async () => {
    await open({}, '');
    sent = serve({ '/placeBet': answerOf });
    setAsksFirst(false);
    const key = (sign: string) => act(() => void fireEvent.keyDown(document.body, { key: sign }));
    for (const sign of ['2', 'v']) key(sign);
    await settle();
    setAsksFirst(true);
    expect(placed()).toMatchObject([{ runnerId: 1, stake: 2500 }]);
    expect(slip()?.phase).toBe('done');
    key('x');
    expect(slip()).toBeNull();
  });
});
