import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { allGames, chosen, grouped, readChoice } from '../src/features/casino/live/catalogue.ts';
import { FAMILIES, familyOf } from '../src/features/casino/live/families.ts';
import { rememberPlayed } from '../src/features/casino/recent.ts';
import { setBettingOff } from '../src/slip/standing.ts';
import { optionsOf } from '../src/ui/options.ts';
import {
  A,
  answers,
  B,
  calls,
  GAMES,
  game,
  listOf,
  ORIGIN,
  refused,
  region,
  show,
  signIn,
  stand,
} from './live-site.tsx';
import { settle } from './settle.ts';

stand();

const namesIn = (within_: HTMLElement) =>
  [...within_.querySelectorAll('.market__tileName')].map((one) => one.textContent);

describe('lobby of live games', () => {
  it('[LIV-01] groups by provider at first', async () => {
    await show('/live-casino');
    expect(namesIn(region(A))).toEqual(['Alder Roulette', 'Ways of Alder', 'Jacks']);
    expect(namesIn(region(B))).toEqual(['Skyward', 'Wheel Night', 'Beacon Mines']);
    expect(screen.queryByText(/not open yet/)).toBeNull();
  });

  it('[LIV-02] groups by category', async () => {
    const router = await show('/live-casino');
    fireEvent.click(within(screen.getByRole('group', { name: 'Group by' })).getByLabelText('Category'));
    await settle();
    expect(router.state.place.search).toBe('?group=category');
    expect(namesIn(region('Live'))).toEqual(['Alder Roulette']);
    expect(namesIn(region('Game Shows'))).toEqual(['Wheel Night']);
    expect(namesIn(region('Poker'))).toEqual(['Jacks']);
    expect(namesIn(region('Others'))).toEqual(['Skyward', 'Beacon Mines']);
  });

  it('[LIV-03] has an All grouping that shows every game', async () => {
    await show('/live-casino?group=all');
    expect(namesIn(region('All games')).sort()).toEqual(GAMES.map((one) => one.game_name).sort());
  });

  it('[LIV-06] only an active game is a link; another says why it is none', async () => {
    await show('/live-casino');
    const linked = [...document.querySelectorAll('a.market__tile')].map((link) => link.getAttribute('href'));
    expect(linked).toHaveLength(5);
    expect(linked).toContain('/live-casino/a%3Aroulette');
    const off = screen.getByText('Ways of Alder').closest('.game-tile__tile')!;
    expect(off.querySelector('a')).toBeNull();
    expect(off.textContent).toContain('In maintenance');
  });

  it('filters by provider, category, family and word, all in the address', async () => {
    const router = await show('/live-casino');
    fireEvent.click(within(screen.getByRole('group', { name: 'Provider' })).getByLabelText(B));
    await settle();
    expect(screen.queryByRole('region', { name: A })).toBeNull();
    fireEvent.click(within(screen.getByRole('group', { name: 'Category' })).getByLabelText('Others'));
    await settle();
    expect(namesIn(region(B))).toEqual(['Skyward', 'Beacon Mines']);
    fireEvent.click(screen.getByRole('tab', { name: /^Mines/ }));
    await settle();
    expect(namesIn(region(B))).toEqual(['Beacon Mines']);
    expect(Object.fromEntries(new URLSearchParams(router.state.place.search))).toEqual({
      provider: B,
      kind: 'Others',
      category: 'Mines',
    });
    fireEvent.change(screen.getByLabelText('Find a game'), { target: { value: 'skyward' } });
    expect(screen.getByText('No live game found')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('tab', { name: /^All/ })[0]!);
    await settle();
    expect(namesIn(region(B))).toEqual(['Skyward']);
  });

  it('[CAS-17] the banners lead to their games', async () => {
    await show('/live-casino?category=Aviator');
    const banners = within(screen.getByRole('navigation', { name: 'Highlights' })).getAllByRole('link');
    expect(banners.map((one) => one.getAttribute('href'))).toEqual([
      '/live-casino?category=Aviator',
      '/live-casino?category=Mines',
      '/live-casino?category=Fun%20Games',
      '/live-casino?category=Color%20Prediction',
    ]);
    expect(namesIn(region(B))).toEqual(['Skyward']);
    fireEvent.click(banners[1]!);
    await settle();
    expect(namesIn(region(B))).toEqual(['Beacon Mines']);
    for (const { category } of [{ category: 'Fun Games' }, { category: 'Color Prediction' }])
      expect(FAMILIES.some(({ label }) => label === category)).toBe(true);
  });

  it('keeps favourites beside those of the tables, and shows what was played last', async () => {
    rememberPlayed('a:roulette', 'live');
    rememberPlayed('b:skyward', 'live');
    await show('/live-casino');
    expect(namesIn(region('Last played'))).toEqual(['Skyward', 'Alder Roulette']);
    const star = () => within(region(B)).getByRole('button', { name: 'Skyward is a favourite' });
    fireEvent.click(star());
    await settle();
    expect(calls('/user/favourites').at(-1)!.body).toEqual({
      matchIds: [],
      tables: ['dt20', 'g:b:mines', 'g:b:skyward'],
    });
    expect(star().getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(screen.getAllByRole('tab', { name: /^Favourites/ })[0]!);
    await settle();
    expect(namesIn(region(B))).toEqual(['Skyward', 'Beacon Mines']);
    expect(screen.queryByRole('region', { name: 'Last played' })).toBeNull();
  });

  it("draws the family where the provider's picture does not come", async () => {
    await show('/live-casino');
    const art = () => screen.getByText('Beacon Mines').closest('.market__tile')!.querySelector('.game-art__art')!;
    expect(art().className).toContain('game-art__mines');
    expect(art().querySelector('img')!.getAttribute('src')).toBe(`${ORIGIN}/thumbs/mines.svg`);
    fireEvent.error(art().querySelector('img')!);
    expect(art().querySelector('img')).toBeNull();
    expect(art().querySelector('svg')).toBeTruthy();
  });

  it('[PRV-10] a provider that is down says so in its group; the other plays', async () => {
    answers['/mac88/casino/list'] = listOf(GAMES.filter((one) => one.provider_name === A));
    await show('/live-casino');
    expect(region(B).textContent).toContain('Beacon Live does not answer at the moment.');
    expect(namesIn(region(A))).toHaveLength(3);
  });

  it('says that the list did not load, and loads it again', async () => {
    answers['/mac88/casino/list'] = refused(500, 'INTERNAL', 'Something went wrong on our side.');
    await show('/live-casino');
    answers['/mac88/casino/list'] = listOf(GAMES);
    fireEvent.click(
      within(screen.getByText('The live games did not load.').closest('[role=alert]') as HTMLElement).getByRole(
        'button',
      ),
    );
    await settle();
    expect(namesIn(region(A))).toHaveLength(3);
  });

  it('says in words that it is a demo, or why nothing opens', async () => {
    signIn(true);
    await show('/live-casino');
    expect(screen.getByText(/play money/)).toBeTruthy();
    act(() => setBettingOff('You have closed your account to betting.'));
    expect(screen.getByText('Games do not open now.')).toBeTruthy();
    expect(screen.getByText(/You have closed your account to betting/)).toBeTruthy();
  });

  it('[LIV-08] makes label and value of a provider from its name', () => {
    expect(optionsOf([A, B])).toEqual([
      { value: A, label: A },
      { value: B, label: B },
    ]);
  });

  it('[LIV-05] tells families by name or words, and keeps the order of the five categories', () => {
    expect(familyOf(game(B, 'x1', 'Rocket Crash', 'Others')).id).toBe('crash');
    expect(familyOf(game(B, 'chicken-road', 'Road', 'Others')).id).toBe('chicken');
    expect(familyOf(game(B, 'q', 'Quiet', 'Others')).id).toBe('fun');
    expect(familyOf(game(B, 'q', 'Quiet', 'Others', { family: 'slots' })).id).toBe('slots');
    const choice = readChoice(new URLSearchParams('group=category&category=nonsense&kind=Everything'));
    expect(choice).toEqual({ group: 'category', provider: '', kind: '', category: '' });
    const all = allGames(listOf(GAMES));
    expect(grouped(chosen(all, choice, '', new Set()), choice, [A, B]).map(({ title }) => title)).toEqual([
      'Live',
      'Game Shows',
      'Virtual',
      'Poker',
      'Others',
    ]);
  });
});
