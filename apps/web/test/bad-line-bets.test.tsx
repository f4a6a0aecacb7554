import type { MarketImage } from '@fairgame/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CashOutAction } from '../src/betting/cash-out.tsx';
import { MyBets } from '../src/betting/my-bets.tsx';
import { openMainSocket } from '../src/live/main-socket.ts';
import { watchMatches } from '../src/live/match-socket.ts';
import { toast } from '../src/platform/toasts.ts';
import { leg, lost, offering, position, quote, taken, wallet, worse } from './cashing.ts';
import { line } from './fake-line.ts';
import { imagesOf } from './live-images.ts';
import { settle } from './settle.ts';
import { bet, betPage, clear, MATCH_ID, type Sent, serve, show, width } from './trading.tsx';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

/** Cash out and the change of a waiting bet over a line that goes, loses, doubles and comes late. */
let leave: Array<() => void>;
let image: MarketImage;
let told: string[];

beforeEach(() => {
  // Time goes on with the turns of the loop: a busy machine ends no question early.
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  width(1440);
  line.reset();
  told = [];
  vi.spyOn(toast, 'success').mockImplementation((words) => void told.push(words));
  line.onEmit = (_path, event) => {
    if (event === 'watch') line.send('/match', `liveData${MATCH_ID}`, imagesOf([image], 10));
  };
});
afterEach(() => {
  for (const one of leave) one();
  clear();
});

const go = async () => {
  line.reachable = false;
  act(() => line.drop());
  await settle();
};
/** Until everything is read that was to be read so far. */
const quiet = async () => {
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await settle();
};
/** Private events by their running number: about bets, and one that is not. */
const tell = (n: number, bets: object[]) => act(() => line.send('/', 'userMatchBetPlaced', { n, own: true, bets }));
const tellOther = (n: number) => act(() => line.send('/', 'updateUserBalance', { n }));

describe('cash out over a bad line', () => {
  const button = () => screen.getByRole<HTMLButtonElement>('button');
  const press = async () => {
    fireEvent.click(button());
    await settle();
  };
  let sent: Sent[];
  let quoted: ReturnType<typeof quote>;
  let open: ReturnType<typeof bet>[];
  const acts = () => sent.filter(({ method, path }) => method === 'POST' && path === '/bet/cashOut');

  async function opened(answer: unknown, more: Partial<MarketImage> = {}) {
    [image, quoted, open] = [offering([[200, 100_000]], more), quote(), []];
    sent = serve({
      '/bet': () => betPage(open),
      '/bet/cashOut': ({ method }: Sent) => (method === 'GET' ? quoted : answer),
    });
    leave = [openMainSocket(), watchMatches([MATCH_ID], 'full')];
    show(<CashOutAction market={image} position={position} />);
    await vi.waitFor(() => expect(button().textContent).toBe('Cash out+5.00'), 10_000);
    await press();
    expect(button().textContent).toBe('Take+5.00?');
  }

  it('takes nothing while the line is away, and after its return no other figure than the one that was seen', async () => {
    await opened(taken);
    await go();
    expect([button().textContent, button().disabled]).toEqual(['Waiting for fresh prices', true]);
    await press();
    expect(acts()).toEqual([]);
    [image, quoted] = [offering([[202, 100_000]]), worse];
    line.reachable = true;
    await vi.waitFor(() => expect(button().textContent).toBe('Price moved. Take+4.80'), 10_000);
    await press();
    expect([button().textContent, acts()]).toEqual(['Take+4.80?', []]);
    await press();
    expect(acts().map(({ body }) => body.legs)).toEqual([quoted.legs]);
    expect(told).toEqual(['Cashed out +4.80']);
  });

  it('learns the end of its delay though the event that tells it is lost, and says it once when it comes after all, twice', async () => {
    const due = new Date(Date.now() + 60_000).toISOString();
    const delayed = { ...leg, matched: 0, remaining: 1500, status: 'PENDING' as const, dueAt: due };
    await opened({ bets: [delayed], cancelled: [], wallet }, { inPlay: true, betDelayMs: 5000 });
    await press();
    expect(button().textContent).toMatch(/^Cashing out/);
    tell(1, [delayed]);
    await quiet();
    open = [{ ...leg, version: 2 }];
    line.fate = () => 'lose';
    tell(2, open);
    await settle();
    expect(told).toEqual([]);
    line.fate = () => 'deliver';
    // The number says that one is missing: the open bets are read again.
    tellOther(3);
    await quiet();
    expect(told).toEqual(['Cashed out +5.00']);
    line.fate = () => 'twice';
    tell(2, open);
    await settle();
    expect(told).toEqual(['Cashed out +5.00']);
    expect(acts()).toHaveLength(1);
  });
});

describe('the change of a waiting bet over a bad line', () => {
  const waiting = bet({ amount: 100_000, remaining: 100_000, version: 3 });
  const partly = bet({ amount: 100_000, matched: 40_000, remaining: 60_000, version: 4 });
  const setOdds = (text: string) => fireEvent.change(screen.getByLabelText('Odds'), { target: { value: text } });
  const change = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Change bet' }));
    await settle();
  };
  let sent: Sent[];
  let now: ReturnType<typeof bet>;
  const bodies = (path: string) => sent.filter((one) => one.path === path).map(({ body }) => body);

  async function opened(answers: Record<string, unknown>) {
    now = waiting;
    sent = serve({ '/bet': () => betPage([now]), ...answers });
    leave = [openMainSocket()];
    show(<MyBets matchId={MATCH_ID} />);
    await settle();
    fireEvent.click(screen.getByRole('button', { name: /^Edit/ }));
    await screen.findByLabelText('Odds');
    setOdds('2.30');
  }

  it('is decided again when part of it was matched, though the event that tells it comes behind a newer one, and twice', async () => {
    await opened({ '/bet/replace': { bet: partly, wallet } });
    tell(1, [waiting]);
    await quiet();
    line.fate = () => 'late';
    tell(2, [partly]);
    now = partly;
    line.fate = () => 'twice';
    tellOther(3);
    tell(2, [waiting]);
    await quiet();
    expect(screen.getByText('400 of 1,000 matched')).toBeTruthy();
    await change();
    expect(bodies('/bet/replace')).toEqual([]);
    expect(screen.getByText('400.00 of it was matched or ended meanwhile: 600.00 is left.')).toBeTruthy();
    await change();
    expect(bodies('/bet/replace')).toMatchObject([{ odd: 230, stake: 60_000, remaining: 60_000 }]);
    expect(told).toEqual(['Bet changed']);
  });

  it('goes while the line is away, is sent once though its answers are lost, and is told once', async () => {
    let asked = 0;
    await opened({
      '/bet/replace': lost,
      '/bet/key/settle': () => (++asked === 1 ? lost() : { bet: { ...waiting, odds: 230, version: 4 }, wallet }),
    });
    await go();
    await change();
    await quiet();
    expect(told).toEqual(['Bet changed']);
    expect(bodies('/bet/replace')).toHaveLength(1);
    const { key } = bodies('/bet/replace')[0]!;
    expect(bodies('/bet/key/settle')).toEqual([{ key }, { key }]);
    expect(screen.queryByLabelText('Odds')).toBeNull();
    line.reachable = true;
    now = { ...waiting, odds: 230, version: 4 };
    await quiet();
    expect(screen.getByText('2.30')).toBeTruthy();
  });
});
