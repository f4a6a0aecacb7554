import type { PlacedBet } from '@fairgame/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { MyBets } from '../src/betting/my-bets.tsx';
import { openMainSocket } from '../src/live/main-socket.ts';
import { line } from './fake-line.ts';
import { settle } from './settle.ts';
import { bet, betPage, clear, MATCH_ID, refused, serve, show, held as stop, width } from './trading.tsx';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

/** The list of own bets says what the server holds, whatever the line does with the events about it. */
let held: readonly PlacedBet[] = [];
let close = (): void => undefined;
const matched = (version: number, minor: number) => bet({ version, matched: minor, remaining: 2500 - minor });
const tell = (n: number, event: string, message: object = {}) => act(() => line.send('/', event, { n, ...message }));

beforeEach(() => {
  width(1440);
  line.reset();
  held = [matched(1, 0)];
});
afterEach(() => {
  close();
  queryClient.clear();
  clear();
});

async function open() {
  const sent = serve({ '/bet': () => betPage(held) });
  close = openMainSocket();
  show(<MyBets matchId={MATCH_ID} />);
  // Read once by the list and once for the line that came up: from here on only news brings another reading.
  await vi.waitFor(() => expect(sent.filter(({ path }) => path === '/bet').length).toBeGreaterThanOrEqual(2), 10_000);
  await settle();
  tell(1, 'updateUserBalance');
}
const says = (text: string) => vi.waitFor(() => expect(document.body.textContent).toContain(text), { timeout: 10_000 });

it.each(['deliver', 'lose', 'twice', 'late'] as const)(
  'an event that the line would %s: the bet is shown once, as it is',
  async (fate) => {
    await open();
    await says('Match Odds');
    held = [matched(2, 1000)];
    line.fate = (_, event) => (event === 'userMatchBetPlaced' ? fate : 'deliver');
    tell(2, 'userMatchBetPlaced', { bets: held, own: false });
    // It asks for no bets by itself: only the gap before it does.
    tell(3, 'updateUserBalance');
    await says('10 of 25 matched');
    expect(document.body.textContent!.match(/of 25 matched/g)).toHaveLength(1);
  },
);

it('what happened while the line was gone is there when it is back', async () => {
  await open();
  await says('Match Odds');
  act(() => line.drop());
  held = [matched(2, 1500)];
  await says('15 of 25 matched');
});

it('a list that did not load says so and is asked for again', async () => {
  serve({ '/bet': refused(400, 'VALIDATION', 'No.') });
  show(<MyBets matchId={MATCH_ID} />);
  await settle();
  expect(screen.getByRole('alert').textContent).toContain('Your bets did not load.');
  serve({ '/bet': betPage([]) });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await says('No open bets.');
});

it('shows them from a gateway of the version before, which sorts by no state', async () => {
  serve({
    '/bet': ({ query }: { query: Record<string, string> }) =>
      query.sort?.includes('status') ? refused(400, 'BAD_FILTER', 'This filter is not allowed here.') : betPage(held),
  });
  show(<MyBets matchId={MATCH_ID} />);
  await says('Match Odds');
});

it('says what the server holds in the match, follows news of it, and takes it back', async () => {
  let orders = [stop(), stop({ id: 8, matchId: 99, teamName: 'Elsewhere' })];
  const sent = serve({
    '/bet': betPage([]),
    '/bet/conditional': () => orders,
    '/bet/conditional/cancel': { cancelled: 1 },
  });
  close = openMainSocket();
  show(<MyBets matchId={MATCH_ID} />);
  await says('Stop at 2.24. Lays 48 at 2.30 or better');
  expect(document.body.textContent).not.toContain('Elsewhere');
  await settle();
  fireEvent.click(screen.getByRole('button', { name: /^Cancel.*India/ }));
  await settle();
  expect(sent.filter(({ path }) => path === '/bet/conditional/cancel').map(({ body }) => body.id)).toEqual([7]);
  orders = [stop({ trigger: 250 })];
  tell(1, 'userConditional', { order: stop() });
  await says('Stop at 2.50');
});
