import type { TableCode } from '@fairgame/casino';
import type { CardRound } from '@fairgame/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { chipsOf } from '../src/features/casino/chips.ts';
import { Screen as Lobby } from '../src/features/casino/lobby.tsx';
import { rememberPlayed } from '../src/features/casino/recent.ts';
import { Screen as SideBySide } from '../src/features/casino/side-by-side.tsx';
import { Screen as Table } from '../src/features/casino/table.tsx';
import { casinoSite, image, json, openRound, roundOf, show, site, tableAnswer, tile } from './casino-site.tsx';
import { line } from './fake-line.ts';
import { see } from './fake-sight.ts';
import { settle } from './settle.ts';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

casinoSite();
const IDS: Partial<Record<TableCode, { matchId: number; betId: number }>> = {
  teen20: { matchId: 77, betId: 500 },
  dt20: { matchId: 78, betId: 600 },
  lucky7: { matchId: 79, betId: 700 },
  baccarat: { matchId: 80, betId: 800 },
  aaa: { matchId: 81, betId: 900 },
};
const roundAt = (code: TableCode, change: Partial<CardRound> = {}) =>
  openRound({ mid: `${code}-1`, betId: IDS[code]!.betId, ...change }, code);
beforeEach(() => {
  for (const [code, { matchId }] of Object.entries(IDS))
    site.tables[code] = tableAnswer(code as TableCode, roundAt(code as TableCode), matchId);
});

const open = async (query: string) => {
  const router = await show(`/casino/tables${query}`, SideBySide);
  await settle();
  return router;
};
const region = (name: string) => screen.getByRole('region', { name });
const at = (name: string) => within(region(name));
const press = (name: string | RegExp, where = within(document.body)) =>
  act(async () => void fireEvent.click(where.getByRole('button', { name })));
const places = () => [...document.querySelectorAll('.side-by-side__table')];
const bodies = () => site.placed.filter((body) => 'odd' in body);
const told = (event: string) => line.emitted(event).map((value) => (value as { code: string }).code);

describe('tables side by side', () => {
  it('stand as regions of their names, each with its own felt, clock, fields and slip, over one line', async () => {
    await open('?with=teen20,dt20,nosuch,dt20');
    expect(places().map((place) => place.querySelector('h2')!.textContent)).toEqual([
      '20-20 Teenpatti',
      '20-20 Dragon Tiger',
    ]);
    for (const name of ['20-20 Teenpatti', '20-20 Dragon Tiger']) {
      expect(at(name).getByRole('region', { name: `${name}, round 1` })).toBeTruthy();
      expect(at(name).getByText('Betting open')).toBeTruthy();
      expect(at(name).getByRole('region', { name: `Bet slip of ${name}` })).toBeTruthy();
    }
    expect(told('joinTable')).toEqual(['teen20', 'dt20']);
    expect(line.handshakes.filter(({ path }) => path === '/card')).toHaveLength(1);
    expect(line.connections.size).toBe(1);

    await press(/^Back Dragon at/, at('20-20 Dragon Tiger'));
    expect(chipsOf(78).laid).toHaveLength(1);
    expect(chipsOf(77).laid).toEqual([]);
    await press(/^Place bet/, at('20-20 Dragon Tiger'));
    await settle();
    expect(bodies()).toMatchObject([{ matchId: 78, betId: 600 }]);
    expect(at('20-20 Teenpatti').getByRole('button', { name: 'Press a field to lay a chip' })).toBeTruthy();
  });

  it('each goes its own way: one closes its bets, one is not to be had, the third plays on', async () => {
    site.tables.lucky7 = undefined as never;
    await open('?with=teen20,dt20,lucky7');
    await image('dt20', 2, roundAt('dt20', { phase: 'LOCKED', endsAt: Date.now() + 3000 }));
    expect(at('20-20 Dragon Tiger').getAllByText('Bets are closed').length).toBeGreaterThan(0);
    expect(at('20-20 Teenpatti').getByText('Betting open')).toBeTruthy();
    await press(/^Back Player A at/, at('20-20 Teenpatti'));
    expect(chipsOf(77).laid).toHaveLength(1);
    expect(at('Lucky 7 A').getByText('The table did not load.')).toBeTruthy();
    await press('Take Lucky 7 A away');
    expect(screen.queryByRole('region', { name: 'Lucky 7 A' })).toBeNull();
    // What was laid at another table stays there.
    expect(chipsOf(77).laid).toHaveLength(1);
  });

  it('the address holds the choice: tables are added to it, four at most, and taken away; the last has its own page', async () => {
    const router = await open('?with=teen20,dt20,lucky7');
    site.answers['/card/tiles'] = [tile('baccarat'), tile('teen20'), tile('aaa', { open: false })];
    await press('Add a table');
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a table' }));
    await settle();
    // Those that are here already are not offered; one that is not open says so.
    expect(dialog.queryByRole('button', { name: /20-20 Teenpatti/ })).toBeNull();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: /Amar Akbar Anthony.*Not open/ }).disabled).toBe(true);
    await press(/^Baccarat/, dialog);
    await settle();
    expect(router.state.place.search).toBe('?with=teen20,dt20,lucky7,baccarat');
    expect(region('Baccarat')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add a table' }).disabled).toBe(true);
    for (const name of ['20-20 Teenpatti', 'Lucky 7 A', 'Baccarat']) await press(`Take ${name} away`);
    expect(router.state.place.pathname).toBe('/dt20');
  });

  it('a fifth table of an address is left out, and one without tables asks for them', async () => {
    await open('?with=teen20,dt20,lucky7,baccarat,aaa');
    expect(places()).toHaveLength(4);
    expect(screen.queryByRole('region', { name: 'Amar Akbar Anthony' })).toBeNull();
    cleanup();
    await open('');
    expect(screen.getByText('No tables chosen')).toBeTruthy();
    await press('Choose a table');
    expect(await screen.findByRole('dialog', { name: 'Add a table' })).toBeTruthy();
  });

  it('a table on its own page and the lobby lead there', async () => {
    site.answers['/card/tiles'] = [tile('dt20')];
    const router = await show('/teen20', Table);
    await settle();
    await press('Add a table');
    await press(/^20-20 Dragon Tiger/, within(await screen.findByRole('dialog', { name: 'Add a table' })));
    expect(router.state.place).toMatchObject({ pathname: '/casino/tables', search: '?with=teen20,dt20' });
  });

  it('the lobby opens the two tables that were played last', async () => {
    rememberPlayed('dt20');
    rememberPlayed('aaa');
    await show('/casino', Lobby);
    expect(screen.getByRole('link', { name: 'Side by side' }).getAttribute('href')).toBe(
      '/casino/tables?with=aaa,dt20',
    );
  });

  it('the names lead from table to table, and the last press says which is in hand', async () => {
    await open('?with=teen20,dt20');
    const names = within(screen.getByRole('navigation', { name: 'Tables on this page' }));
    const current = () => names.getAllByRole('button').map((one) => one.getAttribute('aria-current'));
    expect(current()).toEqual(['true', null]);
    await press('20-20 Dragon Tiger', names);
    expect(document.activeElement).toBe(region('20-20 Dragon Tiger'));
    expect(current()).toEqual([null, 'true']);
    act(() => at('20-20 Teenpatti').getByRole('button', { name: 'Rules' }).focus());
    expect(current()).toEqual(['true', null]);
  });

  it('F6 goes from table to table and back, from elsewhere to the one in hand, and is the browser’s beyond the last', async () => {
    await open('?with=teen20,dt20');
    expect(screen.getByTitle(/^F6 goes to the next table/).textContent).toMatch(/^F6 goes to the next table/);
    const pressF6 = (init: KeyboardEventInit = {}) => {
      let taken = false;
      act(() => {
        taken = !fireEvent.keyDown(document.activeElement ?? document.body, { key: 'F6', ...init });
      });
      return [taken, document.activeElement?.closest('.side-by-side__table')?.querySelector('h2')?.textContent];
    };
    expect(pressF6()).toEqual([true, '20-20 Teenpatti']);
    act(() => at('20-20 Teenpatti').getByRole('button', { name: 'Rules' }).focus());
    expect(pressF6()).toEqual([true, '20-20 Dragon Tiger']);
    expect(region('20-20 Dragon Tiger').hasAttribute('data-hand')).toBe(true);
    expect(pressF6()).toEqual([false, '20-20 Dragon Tiger']);
    expect(pressF6({ shiftKey: true })).toEqual([true, '20-20 Teenpatti']);
    expect(pressF6({ shiftKey: true })).toEqual([false, '20-20 Teenpatti']);
    expect(pressF6({ ctrlKey: true })).toEqual([false, '20-20 Teenpatti']);
    // Not under a dialog.
    await press('Add a table');
    await screen.findByRole('dialog', { name: 'Add a table' });
    expect(pressF6()[0]).toBe(false);
  });

  it('says the results of all by their names, and the closing of the one in hand alone', async () => {
    await open('?with=teen20,dt20');
    const said = () => document.querySelector('[aria-live="polite"]')!.textContent;
    const before = said();
    await image('dt20', 2, roundAt('dt20', { phase: 'LOCKED', endsAt: Date.now() + 3000 }));
    expect(said()).toBe(before);
    await image('teen20', 2, roundAt('teen20', { phase: 'LOCKED', endsAt: Date.now() + 3000 }));
    expect(said()).toBe('20-20 Teenpatti: Bets are closed.');
    await image('dt20', 3, roundOf('dt20', 11, { mid: 'dt20-1', betId: 600 }));
    expect(said()).toMatch(/^20-20 Dragon Tiger: \w+ wins/);
  });
});

describe('a table that nobody looks at', () => {
  it('out of sight is left, and joined again when it is seen; its prices are held back until then', async () => {
    await open('?with=teen20,dt20');
    await act(async () => see(region('20-20 Dragon Tiger'), false));
    expect(told('leaveTable')).toEqual(['dt20']);
    // What was still on its way changes nothing.
    await image('dt20', 2, roundAt('dt20', { roundNo: 9 }));
    expect(at('20-20 Dragon Tiger').queryByText('Round 9')).toBeNull();
    expect(at('20-20 Dragon Tiger').getByRole('button', { name: 'Waiting for the table' })).toBeTruthy();
    site.tables.dt20 = tableAnswer('dt20', roundAt('dt20', { mid: 'dt20-2', betId: 601, roundNo: 2 }), 78);
    await act(async () => see(region('20-20 Dragon Tiger'), true));
    expect(told('joinTable')).toEqual(['teen20', 'dt20', 'dt20']);
    expect(at('20-20 Dragon Tiger').getByText('Round 2')).toBeTruthy();
  });

  it('in a hidden tab is left, its own page too, and joined again in the tab that is back', async () => {
    const visible = vi.spyOn(document, 'visibilityState', 'get');
    const turn = (state: DocumentVisibilityState) =>
      act(async () => {
        visible.mockReturnValue(state);
        document.dispatchEvent(new Event('visibilitychange'));
      });
    await show('/teen20', Table);
    await settle();
    await turn('hidden');
    expect(told('leaveTable')).toEqual(['teen20']);
    await turn('visible');
    expect(told('joinTable')).toEqual(['teen20', 'teen20']);
    visible.mockRestore();
  });

  it('where there is room for one, the others are a press away and not followed; chips stay where they were laid', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => ({ matches: true, media: query, addEventListener() {}, removeEventListener() {} }) as never,
    );
    await open('?with=teen20,dt20');
    expect(told('joinTable')).toEqual(['teen20']);
    await press(/^Back Player A at/);
    await press('20-20 Dragon Tiger');
    await settle();
    expect(screen.queryByRole('region', { name: '20-20 Teenpatti' })).toBeNull();
    expect(told('leaveTable')).toEqual(['teen20']);
    expect(told('joinTable')).toEqual(['teen20', 'dt20']);
    act(() => void fireEvent.keyDown(document.body, { key: 'F6' }));
    expect(document.activeElement).toBe(region('20-20 Dragon Tiger'));
    act(() => void fireEvent.keyDown(document.body, { key: 'F6', shiftKey: true }));
    expect(document.activeElement).toBe(region('20-20 Teenpatti'));
    await press('20-20 Teenpatti');
    await settle();
    expect(chipsOf(77).laid).toMatchObject([{ name: 'Player A' }]);
    vi.restoreAllMocks();
  });
});

describe('bets at several tables', () => {
  it('a round begun at one table holds back a new round at the other, and never itself', async () => {
    await open('?with=teen20,dt20');
    const bet = async (name: string, field: RegExp) => {
      await press(field, at(name));
      await press(/^(Place|Confirm) bet/, at(name));
      await settle();
    };
    await bet('20-20 Teenpatti', /^Back Player A at/);
    await press(/^Back Dragon at/, at('20-20 Dragon Tiger'));
    expect(at('20-20 Dragon Tiger').getByRole('button', { name: /^Next bet in \d s$/ })).toBeTruthy();
    await bet('20-20 Teenpatti', /^Back Player B at/);
    expect(bodies()).toHaveLength(2);
  });

  it('bets of two tables that want the password ask for it once', async () => {
    let given = false;
    site.onBet = () => (given ? undefined : json({ code: 'STEP_UP_REQUIRED', message: 'Your password, please.' }, 403));
    site.answers['/auth/stepUp'] = {};
    await open('?with=teen20,dt20');
    await press(/^Back Player A at/, at('20-20 Teenpatti'));
    await press(/^Back Dragon at/, at('20-20 Dragon Tiger'));
    await press(/^Place bet/, at('20-20 Teenpatti'));
    await press(/^Place bet/, at('20-20 Dragon Tiger'));
    await settle();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    given = true;
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } });
    await press('Place the bets');
    await settle();
    const keys = bodies().map(({ key }) => key);
    expect(keys).toHaveLength(4);
    expect(new Set(keys)).toEqual(new Set(keys.slice(0, 2)));
    expect([77, 78].map((id) => chipsOf(id).sent[0]?.fate)).toEqual(['placed', 'placed']);
  });
});
