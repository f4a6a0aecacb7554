// @vitest-environment happy-dom
import { commitOf } from '@fairgame/casino';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AnySolo, fields, soloGame, stakeFrom } from '../../src/game.ts';
import { type Api, NoAnswer, Refused } from '../../src/page/api.ts';
import { App } from '../../src/page/app.tsx';
import { type SoloBoardProps, soloBoard, usePanel } from '../../src/page/board.ts';
import { BOARDS } from '../../src/page/boards.ts';
import { fakeApi, wishesOf } from '../../src/page/fake.ts';
import { dice } from '../../src/rules/dice.ts';
import type { PageError, RoundReply, RoundView, SessionView } from '../../src/wire.ts';

interface Wager {
  readonly stakeMinor: number;
}
interface View {
  readonly steps: number;
}

const limits = { minStakeMinor: 100, maxStakeMinor: 50_000 };
const rules: AnySolo = soloGame<Wager, View, { do: 'take' }, View>({
  kind: 'solo',
  code: 'trial',
  name: 'Trial',
  category: 'Others',
  family: 'fun',
  cycleMs: 5000,
  ...limits,
  rules: ['One rule.'],
  returns: () => [{ bet: 'The bet', ppm: 970_199, how: 'exact' }],
  wager: (input) => ({ stakeMinor: stakeFrom(fields(input, ['stakeMinor']).stakeMinor, limits) }),
  stakeOf: (wager) => wager.stakeMinor,
  open: () => ({ state: { steps: 0 }, over: true, paidMinor: 0 }),
  view: (state) => state,
  move: () => ({ do: 'take' }),
  play: (state) => ({ state, over: true, paidMinor: 0 }),
});

function TrialBoard({ round, stakeMinor, busy, onShown }: SoloBoardProps<Wager, View, { do: 'take' }>) {
  const open = round !== null && !round.over;
  usePanel<Wager, { do: 'take' }>({
    actions: open ? [{ label: 'Take', move: { do: 'take' } }] : [{ label: 'Play', wager: { stakeMinor } }],
    says: 'The coin fell.',
  });
  const fresh = round?.fresh === true;
  useEffect(() => {
    if (fresh) onShown();
  }, [fresh, onShown]);
  return <p>{`${round ? round.roundId : 'no round'}${busy ? ', busy' : ''}`}</p>;
}

const session: SessionView = {
  game: 'trial',
  brand: { name: 'Alder Games', look: 'a' },
  mode: 'real',
  currency: 'PTS',
  balanceMinor: 100_000,
  maxStakeMinor: 50_000,
  clientSeed: 'mine',
  next: { commit: 'c'.repeat(64), nonce: 0 },
  open: null,
  readyAt: 0,
  now: Date.now(),
  theme: 'light',
  parentOrigin: 'https://site.example',
};

function roundOf(more: Partial<RoundView> = {}): RoundView {
  return {
    roundId: 'r1',
    wager: {},
    view: { steps: 0 },
    over: true,
    stakeMinor: 1000,
    paidMinor: 0,
    moves: [],
    ...more,
  };
}

function replyOf(round: RoundView, more: Partial<RoundReply> = {}): RoundReply {
  const now = Date.now();
  return { round, balanceMinor: 99_000 + round.paidMinor, readyAt: 0, now, next: session.next, ...more };
}

const none = async (): Promise<never> => {
  throw new NoAnswer();
};

function apiOf(more: Partial<Api>): Api {
  return {
    session: async () => session,
    open: none,
    move: none,
    bet: none,
    cashout: none,
    history: async () => [],
    round: none,
    seed: none,
    live: () => () => undefined,
    ...more,
  };
}

async function start(more: Partial<Api>) {
  const boards = BOARDS as Record<string, (typeof BOARDS)[string]>;
  boards.trial = {
    rules: async () => rules,
    board: async () => ({ default: soloBoard<Wager, View, { do: 'take' }>(TrialBoard) }),
  };
  render(<App api={apiOf(more)} />);
  await waitFor(() => expect(main()).not.toBeNull());
}

const main = () => document.querySelector<HTMLButtonElement>('.acts__main')!;
const said = () => document.querySelector('[aria-live="polite"]')?.textContent?.trim();

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  delete (BOARDS as Record<string, unknown>).trial;
});

describe('a round of the kit', () => {
  it('sends a lost act again with its own key, plays once, and reads the balance anew', async () => {
    const keys: string[] = [];
    await start({
      // What the provider tells with the round after it started anew may be of before.
      session: async () => ({ ...session, balanceMinor: keys.length === 0 ? 100_000 : 123_456 }),
      open: async (key) => {
        keys.push(key);
        if (keys.length === 1) throw new NoAnswer();
        return replyOf(roundOf());
      },
    });
    fireEvent.click(main());
    fireEvent.click(main());
    expect(main().getAttribute('aria-disabled')).toBe('true');
    await waitFor(() => expect(main().textContent).toContain('asking again'));
    fireEvent.click(main());
    await screen.findByText('r1', {}, { timeout: 3000 });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await screen.findByText(/1,234\.56/)).toBeTruthy();
  });

  it('[PP-12] says in the button how long the next round waits', async () => {
    const open = vi.fn(async () => replyOf(roundOf(), { readyAt: Date.now() + 4200 }));
    await start({ open });
    fireEvent.click(main());
    await waitFor(() => expect(main().textContent).toMatch(/^Next round in [45] s$/));
    fireEvent.click(main());
    expect(open).toHaveBeenCalledTimes(1);
    expect(main().disabled).toBe(false);
  });

  it('[PP-12] waits as long as a refusal says', async () => {
    const error: PageError = { code: 'TOO_FAST', text: 'Too fast.', readyAt: Date.now() + 3000 };
    await start({
      open: async () => {
        throw new Refused(error);
      },
    });
    fireEvent.click(main());
    await waitFor(() => expect(main().textContent).toMatch(/^Next round in \d s$/));
  });

  it.each([
    [0, 'Nothing returned of 10.00.'],
    [400, 'Returned 4.00 of 10.00.'],
    [1000, 'Returned 10.00 of 10.00.'],
  ])('[PP-14] celebrates nothing that is not above the stake: %i', async (paidMinor, words) => {
    await start({ open: async () => replyOf(roundOf({ paidMinor })) });
    fireEvent.click(main());
    await waitFor(() => expect(said()).toBe(`The coin fell. ${words}`));
    expect(document.querySelector('.win__win')).toBeNull();
    expect(document.querySelector('[data-won]')).toBeNull();
  });

  it('[PP-14] shows what was paid above the stake', async () => {
    await start({ open: async () => replyOf(roundOf({ paidMinor: 1001 })) });
    fireEvent.click(main());
    await waitFor(() => expect(document.querySelector('.win__win')?.textContent).toContain('10.01'));
    expect(said()).toBe('The coin fell. Paid 10.01 on a stake of 10.00.');
  });

  it('[PP-13] takes a key held down for one press', async () => {
    await start({});
    const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true });
    const first = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    main().dispatchEvent(held);
    main().dispatchEvent(first);
    expect(held.defaultPrevented).toBe(true);
    expect(first.defaultPrevented).toBe(false);
  });

  it('goes on with the round that was open before a reload', async () => {
    const open = roundOf({ roundId: 'r7', over: false });
    const move = vi.fn(async () => replyOf(roundOf({ roundId: 'r7', paidMinor: 500 })));
    await start({ session: async () => ({ ...session, open }), move });
    expect(screen.getByText('r7')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Stake').disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Take' }));
    await waitFor(() => expect(move).toHaveBeenCalledWith(expect.any(String), 'r7', { do: 'take' }));
    await waitFor(() => expect(said()).toContain('Returned 5.00 of 10.00.'));
  });

  it('says why a stake above the balance cannot be played', async () => {
    await start({ session: async () => ({ ...session, balanceMinor: 400 }) });
    expect(main().textContent).toBe('Balance is below the stake');
    expect(main().getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the page and the site around it', () => {
  function inFrame() {
    const sent: unknown[] = [];
    const parent = { postMessage: (message: unknown) => sent.push(message) };
    vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
    const post = (data: unknown) =>
      act(() => {
        const about = { data, origin: session.parentOrigin, source: parent };
        window.dispatchEvent(Object.assign(new Event('message'), about));
      });
    return { sent, post };
  }

  it('names the game and its maker where nobody does: in the frame the site does, and the words are for readers', async () => {
    const names = () => document.querySelector('.top__name')!;
    await start({});
    expect(names().classList.contains('spoken')).toBe(false);
    cleanup();
    inFrame();
    await start({});
    expect(names().classList.contains('spoken')).toBe(true);
    expect(names().textContent).toContain(session.brand.name);
  });

  it('[PP-06] stops at a reality check until the site lets it go on', async () => {
    const { sent, post } = inFrame();
    const open = vi.fn(async () => replyOf(roundOf()));
    await start({ open });
    expect(sent).toContainEqual({ v: 1, type: 'ready', game: 'trial' });
    post({ v: 1, type: 'realityCheck' });
    expect(screen.getByRole('alert').textContent).toContain('reality check');
    expect(document.querySelector('.page__play')?.hasAttribute('inert')).toBe(true);
    fireEvent.click(main());
    expect(open).not.toHaveBeenCalled();
    post({ v: 1, type: 'resume' });
    expect(document.querySelector('.page__play')?.hasAttribute('inert')).toBe(false);
    fireEvent.click(main());
    await waitFor(() => expect(open).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(sent).toContainEqual({ v: 1, type: 'roundEnd', roundId: 'r1' }));
  });

  it('ends where the session was replaced, and a resume does not bring it back', async () => {
    const { sent, post } = inFrame();
    await start({
      open: async () => {
        throw new Refused({ code: 'SESSION_REPLACED', text: 'Replaced.' });
      },
    });
    fireEvent.click(main());
    await screen.findByText('Opened in another place');
    expect(sent).toContainEqual({ v: 1, type: 'error', code: 'SESSION_REPLACED' });
    post({ v: 1, type: 'resume' });
    expect(screen.getByText('Opened in another place')).toBeTruthy();
  });

  it('takes the look of the session and the theme of the site', async () => {
    const { post } = inFrame();
    await start({});
    expect(document.documentElement.dataset).toMatchObject({ look: 'a', theme: 'light' });
    post({ v: 1, type: 'theme', theme: 'dark' });
    expect(document.documentElement.dataset.theme).toBe('dark');
  });
});

describe('checking a round', () => {
  async function played(api: Api) {
    render(<App api={api} />);
    await waitFor(() => expect(main()).not.toBeNull());
    fireEvent.click(main());
    await waitFor(() => expect(said()).toMatch(/(returned|Paid|Returned)/i), { timeout: 5000 });
    fireEvent.click(screen.getByRole('button', { name: 'Last rounds' }));
    fireEvent.click(await screen.findByText('Stake', { selector: '.own-bets__rounds i' }));
    fireEvent.click(await screen.findByText('Check this round', {}, { timeout: 5000 }));
    return document.querySelector('.sheet__check')!;
  }
  const wishes = wishesOf(new URLSearchParams('lag=0&seed=check'));

  it('plays it again and compares the hash with the one that stood on the page', async () => {
    const check = await played(fakeApi(dice, wishes));
    expect(check.getAttribute('data-ok')).toBe('true');
    expect(check.textContent).toContain('stood on this page before the round');
  });

  it('finds a server seed that was changed after the bet, though its own hash is right', async () => {
    const api = fakeApi(dice, wishes);
    const check = await played({
      ...api,
      round: async (id) => {
        const serverSeed = '7a'.repeat(32);
        return { ...(await api.round(id)), serverSeed, commit: commitOf(serverSeed) };
      },
    });
    expect(check.getAttribute('data-ok')).toBe('false');
    expect(check.querySelector('li')?.getAttribute('data-ok')).toBe('false');
  });
});

describe('panels of the kit', () => {
  it('prints what every bet returns, cut to two decimals', async () => {
    await start({});
    fireEvent.click(screen.getByRole('button', { name: 'Rules and returns' }));
    expect((await screen.findByText('97.01 %', { exact: false })).textContent).toContain('exact');
  });
});
