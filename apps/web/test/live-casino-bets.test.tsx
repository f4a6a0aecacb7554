import { CALLS } from '@fairgame/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { refresh } from '../src/api/refresh.ts';
import { A, answers, B, calls, refused, show, stand } from './live-site.tsx';
import { settle } from './settle.ts';

stand();

describe('Live Casino Bets', () => {
  const row = (id: number, more: object = {}) => ({
    id,
    providerName: A,
    gameName: 'Alder Roulette',
    gameCode: 'roulette',
    status: 'CLOSED',
    round: `A.${id}`,
    stake: 500,
    result: -500,
    createdAt: '2026-11-20T10:00:00.000Z',
    ...more,
  });

  it('[OPN-13] [REP-11] [REP-12] [REP-13] has its columns, fifteen a page, oldest first, by provider and days', async () => {
    answers['/mac88/bets/101'] = { rows: [row(1), row(2, { result: 1250 })], total: 40, page: 1, limit: 15 };
    await show('/live-casino-bets');
    expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
      'Provider',
      'Game',
      'Round',
      'Stake',
      'Result',
      'Date',
    ]);
    const first = calls('/mac88/bets/101')[0]!.query;
    expect(first).toMatchObject({ page: '1', limit: '15', sort: 'virtualCasinoBetPlaced.createdAt:ASC' });
    expect(first.createdAt).toMatch(/^between\d{4}-.+\|\d{4}-/);
    fireEvent.change(screen.getByLabelText('Provider'), { target: { value: B } });
    await settle();
    expect(calls('/mac88/bets/101').at(-1)!.query.providerName).toBe(`eq${B}`);
    fireEvent.click(screen.getByRole('button', { name: 'Date' }));
    await settle();
    expect(calls('/mac88/bets/101').at(-1)!.query.sort).toBe('virtualCasinoBetPlaced.createdAt:DESC');
  });

  it('opens a round with its movements, and with its seeds only where they are what they should be', async () => {
    const bet = row(2, { result: 1250 });
    const at = '2026-11-20T10:00:05.000Z';
    const proof = { commit: 'c0ffee', serverSeed: 'f00d', clientSeed: 'alice', nonce: 4, wager: {}, moves: [] };
    const round = {
      bet,
      endedAt: at,
      movements: [
        { kind: 'debit', stakeMinor: 500, paidMinor: 0, createdAt: bet.createdAt },
        { kind: 'credit', stakeMinor: 0, paidMinor: 1750, createdAt: at },
      ],
      reachable: true,
      proof,
    };
    answers['/mac88/bets/101'] = { rows: [bet], total: 1, page: 1, limit: 15 };
    answers['/mac88/round/2'] = round;
    await show('/live-casino-bets');
    fireEvent.click(screen.getByRole('button', { name: 'Round A.2' }));
    await settle();
    const text = () => document.querySelector('dialog')!.textContent!;
    expect(text()).toContain('Alder Roulette, Alder Games');
    expect(text()).toContain('17.50');
    expect(text()).toContain('Pay-out');
    expect(text()).toContain('f00d');
    answers['/mac88/round/2'] = { ...round, proof: { ...proof, serverSeed: { html: '<b>' } } };
    refresh(CALLS.provider.round);
    await settle();
    expect(text()).not.toContain('f00d');
    answers['/mac88/round/2'] = { ...round, reachable: false, proof: null };
    refresh(CALLS.provider.round);
    await settle();
    expect(text()).toContain('Alder Games does not answer at the moment');
  });

  it('a round that is open or void has a word in place of a result', async () => {
    answers['/mac88/bets/101'] = {
      rows: [row(1, { status: 'OPEN', result: 0 }), row(2, { status: 'VOID', result: 0 })],
      total: 2,
      page: 1,
      limit: 15,
    };
    await show('/live-casino-bets');
    expect(screen.getByText('Open', { selector: '.controls__chip' })).toBeTruthy();
    expect(screen.getByText('Void', { selector: '.controls__chip' })).toBeTruthy();
  });

  it('says that there are none, and that they did not load', async () => {
    answers['/mac88/bets/101'] = { rows: [], total: 0, page: 1, limit: 15 };
    await show('/live-casino-bets');
    expect(screen.getByText('No live casino bets in this time')).toBeTruthy();
    answers['/mac88/bets/101'] = refused(500, 'INTERNAL', 'Something went wrong on our side.');
    refresh(CALLS.provider.bets);
    await settle();
    expect(screen.getByText('Your bets did not load.')).toBeTruthy();
  });

  it('stands in the statement as stake and what was paid back, not as a loss and a win', async () => {
    const entry = (uniqueId: number, amount: number) => ({
      id: uniqueId,
      uniqueId,
      createdAt: '2026-11-20T10:00:00.000Z',
      transType: amount < 0 ? 'loss' : 'win',
      type: 3,
      amount,
      closingBalance: 100_000 + amount,
      description: `Alder Games / Alder Roulette / round ${uniqueId}`,
      matchId: null,
      betId: [],
      runnerId: null,
    });
    const totals = { credit: 300, debit: -500, opening: 0, closing: 0 };
    answers['/transaction/get/101'] = { rows: [entry(2, 300), entry(1, -500)], total: 2, page: 1, limit: 15, totals };
    await show('/account-statement');
    const table = screen.getByRole('table', { name: 'Account Statement' });
    expect([...table.querySelectorAll('.controls__chip')].map((chip) => chip.textContent)).toEqual([
      'Paid back',
      'Stake',
    ]);
    expect(within(table).getByText('Alder Games / Alder Roulette / round 1')).toBeTruthy();
    // Who never asked for a withdrawal reads nothing of them.
    expect(screen.queryByRole('region', { name: 'Withdrawals' })).toBeNull();
  });

  it('[ACC-06] [ACC-07] [ACC-08] tells above the statement where each withdrawal of the player is', async () => {
    const totals = { credit: 0, debit: 0, opening: 0, closing: 0 };
    answers['/transaction/get/101'] = { rows: [], total: 0, page: 1, limit: 15, totals };
    const at = '2026-11-20T10:00:00.000Z';
    const withdrawal = {
      amountMinor: 250_000,
      askedAt: at,
      decideBy: '2026-11-25T12:00:00.000Z',
      changedAt: at,
      parts: null,
    };
    const part = { at: '2027-08-20T10:00:00.000Z', amountMinor: 25_000 };
    answers['/account/withdrawals'] = [
      { ...withdrawal, id: 4, state: 'requested' },
      { ...withdrawal, id: 3, state: 'approved', parts: [part, part] },
      { ...withdrawal, id: 2, state: 'denied' },
      { ...withdrawal, id: 1, state: 'cancelled' },
    ];
    await show('/account-statement');
    const list = screen.getByRole('region', { name: 'Withdrawals' });
    expect([...list.querySelectorAll('.controls__chip')].map((chip) => chip.textContent)).toEqual([
      'Requested',
      'Approved',
      'Denied',
      'Cancelled',
    ]);
    within(list).getByText(/^Withdrawal 4, asked for on .*20.* Is decided by .*25.* The money has left your balance/);
    within(list).getByText(/Paid in 2 monthly parts of 250.00, the last on .*20/);
    expect(within(list).getAllByText(/Back in your balance/)).toHaveLength(2);
  });
});
