// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AnyShared, fields, payOf, sharedGame, stakeFrom } from '../../src/game.ts';
import { type Api, httpApi, NoAnswer } from '../../src/page/api.ts';
import { App } from '../../src/page/app.tsx';
import { type SharedBoardProps, sharedBoard, usePanel } from '../../src/page/board.ts';
import { BOARDS } from '../../src/page/boards.ts';
import { GAMES } from '../../src/studio.ts';
import type { BetReply, LiveBet, LiveView, PageError, SessionView } from '../../src/wire.ts';

interface Wager {
  readonly stakeMinor: number;
}

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
/** Climbs by one hundredth a millisecond. */
const rules: AnyShared = sharedGame<Wager, null>({
  kind: 'shared',
  code: 'flight',
  name: 'Flight',
  category: 'Others',
  family: 'crash',
  cycleMs: 5000,
  ...limits,
  rules: [],
  returns: () => [],
  betMs: 5000,
  restMs: 3000,
  wager: (input) => ({ stakeMinor: stakeFrom(fields(input, ['stakeMinor']).stakeMinor, limits) }),
  stakeOf: (wager) => wager.stakeMinor,
  draw: () => null,
  runMs: () => 10_000,
  timesAt: (elapsedMs) => 100 + elapsedMs,
  settle: (wager, _result, times) => (times === null ? 0 : payOf(wager.stakeMinor, times)),
  view: () => null,
});

function FlightBoard({ live, stakeMinor }: SharedBoardProps<Wager, null>) {
  usePanel<Wager>({ actions: [{ label: 'Bet', wager: { stakeMinor } }], says: 'It stopped at 3.00×.' });
  return <p>{live.phase}</p>;
}

const session: SessionView = {
  game: 'flight',
  brand: { name: 'Beacon Live', look: 'b' },
  mode: 'real',
  currency: 'PTS',
  balanceMinor: 100_000,
  maxStakeMinor: 50_000,
  clientSeed: 'mine',
  next: { commit: 'c'.repeat(64), nonce: 4 },
  open: null,
  readyAt: 0,
  now: Date.now(),
  theme: 'dark',
  parentOrigin: 'https://site.example',
};

function liveOf(more: Partial<LiveView> = {}): LiveView {
  const now = Date.now();
  return {
    roundId: 'f1',
    phase: 'bets',
    now,
    phaseStartedAt: now,
    phaseEndsAt: now + 5000,
    commit: 'c'.repeat(64),
    nextCommit: 'd'.repeat(64),
    nonce: 4,
    clientSeed: 'public',
    view: null,
    last: [],
    bets: [],
    players: 1,
    ...more,
  };
}

const betOf = (more: Partial<LiveBet> = {}): LiveBet => ({
  betId: 'b1',
  wager: { stakeMinor: 1000 },
  stakeMinor: 1000,
  cashedTimes: null,
  paidMinor: null,
  ...more,
});

const none = async (): Promise<never> => {
  throw new NoAnswer();
};

async function start(more: Partial<Api> = {}) {
  (BOARDS as Record<string, unknown>).flight = {
    rules: async () => rules,
    board: async () => ({ default: sharedBoard<Wager, null>(FlightBoard) }),
  };
  let on: Parameters<Api['live']>[0] | null = null;
  const api: Api = {
    session: async () => session,
    open: none,
    move: none,
    bet: none,
    cashout: none,
    history: async () => [],
    round: none,
    seed: none,
    live: (hearing) => {
      on = hearing;
      return () => undefined;
    },
    ...more,
  };
  render(<App api={api} />);
  await waitFor(() => expect(on).not.toBeNull());
  const tell = (view: LiveView) => act(() => on!.view(view));
  return { tell, lost: () => act(() => on!.lost()), refuse: (error: PageError) => act(() => on!.refused(error)) };
}

const main = () => document.querySelector<HTMLButtonElement>('.acts__main')!;
const said = () => document.querySelector('[aria-live="polite"]')?.textContent?.trim();

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete (BOARDS as Record<string, unknown>).flight;
});

describe('a round of all players', () => {
  it('takes bets while they are taken, and says when they are closed', async () => {
    const bet = vi.fn(async (): Promise<BetReply> => ({ bet: betOf(), balanceMinor: 99_000 }));
    const { tell } = await start({ bet });
    tell(liveOf());
    await waitFor(() => expect(main().textContent).toMatch(/^Bet/));
    fireEvent.click(main());
    await waitFor(() => expect(said()).toBe('Bet of 10.00 is placed.'));
    expect(bet).toHaveBeenCalledWith(expect.any(String), 'f1', { stakeMinor: 500 });
    expect(screen.getByText('1 bet')).toBeTruthy();
    tell(liveOf({ phase: 'runs', phaseEndsAt: null, bets: [betOf({ paidMinor: 0 })] }));
    expect(main().textContent).toBe('Bets are closed');
    fireEvent.click(main());
    expect(bet).toHaveBeenCalledTimes(1);
  });

  it('cashes out once with one key, however often it is pressed and lost', async () => {
    const keys: string[] = [];
    const { tell } = await start({
      cashout: async (key) => {
        keys.push(key);
        if (keys.length === 1) throw new NoAnswer();
        return { bet: betOf({ cashedTimes: 210, paidMinor: 2100 }), balanceMinor: 101_100 };
      },
    });
    tell(liveOf({ phase: 'runs', phaseEndsAt: null, bets: [betOf()] }));
    await waitFor(() => expect(main().textContent).toMatch(/^Cash out1\d\.\d\d$/));
    fireEvent.click(main());
    fireEvent.click(main());
    await waitFor(() => expect(said()).toBe('Cashed out at 2.10×: 21.00.'), { timeout: 3000 });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it.each([
    [900, 'Returned 9.00 of 10.00.', false],
    [3000, 'Paid 30.00 on a stake of 10.00.', true],
  ])(
    '[PP-14] tells once what it paid, %i, and celebrates only what is above the stake',
    async (paidMinor, words, badge) => {
      const { tell } = await start();
      tell(liveOf({ bets: [betOf()] }));
      tell(liveOf({ phase: 'runs', phaseEndsAt: null, bets: [betOf({ paidMinor })] }));
      expect(document.querySelector('.win__win')).toBeNull();
      tell(liveOf({ phase: 'rests', bets: [betOf({ paidMinor })] }));
      await waitFor(() => expect(said()).toBe(`It stopped at 3.00×. ${words}`));
      expect(document.querySelector('.win__win') !== null).toBe(badge);
      const before = document.querySelector('[aria-live="polite"]')?.textContent;
      tell(liveOf({ phase: 'rests', bets: [betOf({ paidMinor })], players: 2 }));
      expect(document.querySelector('[aria-live="polite"]')?.textContent).toBe(before);
    },
  );

  it('says that the connection is lost, and goes on with the balance of now when it is back', async () => {
    let balanceMinor = session.balanceMinor;
    const read = vi.fn(async () => ({ ...session, balanceMinor }));
    const { tell, lost } = await start({ session: read });
    tell(liveOf());
    tell(liveOf());
    expect(read).toHaveBeenCalledTimes(1);
    lost();
    balanceMinor += 4321;
    expect(main().textContent).toBe('Connecting again');
    expect(screen.getByRole('alert').textContent).toContain('stay placed');
    tell(liveOf());
    expect(main().textContent).toMatch(/^Bet/);
    expect(await screen.findByText(/1,043\.21/)).toBeTruthy();
    tell(liveOf());
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('ends where the session has ended', async () => {
    const { tell, refuse } = await start();
    tell(liveOf());
    refuse({ code: 'SESSION_OVER', text: 'Over.' });
    expect(screen.getByText('This session is over')).toBeTruthy();
  });
});

describe('the line to the live rounds', () => {
  class FakeSource extends EventTarget {
    static readonly CLOSED = 2;
    static all: FakeSource[] = [];
    readyState = 1;
    onmessage: ((event: { data: string }) => void) | null = null;
    onerror: (() => void) | null = null;
    readonly url: string;
    constructor(url: string) {
      super();
      this.url = url;
      FakeSource.all.push(this);
    }
    close() {
      this.readyState = 2;
    }
  }

  beforeEach(() => {
    FakeSource.all = [];
    vi.stubGlobal('EventSource', FakeSource);
    vi.useFakeTimers();
  });
  afterEach(() => void vi.useRealTimers());

  function follow(answer: () => Response) {
    const heard: string[] = [];
    const api = httpApi('s 1', (async () => answer()) as unknown as typeof fetch);
    const stop = api.live({
      view: (view) => heard.push(view.phase),
      lost: () => heard.push('lost'),
      refused: (error) => heard.push(error.code),
    });
    return { heard, stop };
  }

  it('takes whole messages only', () => {
    const { heard } = follow(() => new Response('{}'));
    const [source] = FakeSource.all;
    expect(source?.url).toBe('/page/live?s=s%201');
    source?.onmessage?.({ data: JSON.stringify(liveOf()) });
    source?.onmessage?.({ data: 'no json' });
    source?.onmessage?.({ data: '{"roundId":"f1"}' });
    expect(heard).toEqual(['bets']);
  });

  it('connects again after a line that was closed for good', async () => {
    const { heard, stop } = follow(() => new Response('{}'));
    const [source] = FakeSource.all;
    source!.readyState = 2;
    source!.onerror?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(FakeSource.all).toHaveLength(2);
    FakeSource.all[1]?.onmessage?.({ data: JSON.stringify(liveOf({ phase: 'runs' })) });
    expect(heard).toEqual(['lost', 'runs']);
    stop();
    expect(FakeSource.all[1]?.readyState).toBe(2);
  });

  it('says why where the provider ends it', async () => {
    const { heard } = follow(
      () => new Response(JSON.stringify({ error: { code: 'SESSION_REPLACED', text: 'x' } }), { status: 401 }),
    );
    const [source] = FakeSource.all;
    source!.readyState = 2;
    source!.onerror?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard).toEqual(['lost', 'SESSION_REPLACED']);
    source!.dispatchEvent(Object.assign(new Event('gone'), { data: '{"code":"SESSION_OVER","text":"Over."}' }));
    expect(heard.at(-1)).toBe('SESSION_OVER');
  });
});

describe('games of the page', () => {
  it('are those of the registry, each with rules and a board', async () => {
    expect(Object.keys(BOARDS).sort()).toEqual([...GAMES.keys()].sort());
    for (const [code, entry] of Object.entries(BOARDS)) {
      expect((await entry.rules()).code).toBe(code);
      expect(typeof (await entry.board()).default).toBe('function');
    }
  });
});
