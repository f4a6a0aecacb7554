import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Screen as LiveCasinoBets } from '../src/features/account/live-casino-bets.tsx';
import { Picture } from '../src/features/event/picture.tsx';
import { RailOutlet, RailProvider } from '../src/ui/rail.tsx';
import { settle } from './settle.ts';
import { clear, serve, show, width } from './trading.tsx';

/** What the client itself asks for, as the specification writes it. */
beforeEach(() => width(1440));
afterEach(clear);

describe('live casino bets', () => {
  it('[REP-11] are asked for by page, fifteen rows each, by word and by the state of the round', async () => {
    const sent = serve({ '/mac88/bets/101': { rows: [], total: 0, page: 1, limit: 15 } });
    show(<LiveCasinoBets />);
    await settle();
    const asked = () => sent.findLast(({ path }) => path === '/mac88/bets/101')!.query;
    expect(asked()).toMatchObject({ page: '1', limit: '15', sort: 'virtualCasinoBetPlaced.createdAt:ASC' });
    expect(asked()).not.toHaveProperty('filter');
    fireEvent.change(screen.getByLabelText('Rounds'), { target: { value: 'VOID' } });
    fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'roulette' } });
    fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
    await settle();
    expect(asked()).toMatchObject({ filter: 'eqVOID', searchBy: 'gameName', keyword: 'roulette', page: '1' });
  });
});

describe('frames of a match', () => {
  const match = { id: 2, matchType: 'cricket', title: 'India v Australia', isTv: true, inPlay: true, beventId: '1.5' };
  const frames = async (tv: string | null, score: string | null) => {
    width(1440);
    serve({ '/getIframeUrl/2': { tvData: { iframeUrl: tv }, scoreData: { iframeUrl: score } } });
    const { unmount } = show(
      <RailProvider>
        <RailOutlet />
        <Picture match={match as never} />
      </RailProvider>,
    );
    await settle();
    const found = [...document.querySelectorAll('iframe')].map((one) => [one.title, one.getAttribute('src')]);
    unmount();
    clear();
    return found;
  };

  it('[MAT-13] [MAT-11] picture and score come from the addresses the server names; the site’s own score stands on the page once', async () => {
    expect(await frames('/frame/tv/2', '/frame/score/2')).toEqual([['Picture of India v Australia', '/frame/tv/2']]);
    expect(await frames('https://tv.test/1.5', 'https://score.test/1.5')).toEqual([
      ['Picture of India v Australia', 'https://tv.test/1.5'],
      ['Score of India v Australia', 'https://score.test/1.5'],
    ]);
    expect(await frames(null, 'https://score.test/1.5')).toEqual([
      ['Score of India v Australia', 'https://score.test/1.5'],
    ]);
    expect(await frames(null, null)).toEqual([]);
  });
});

describe('what comes from others', () => {
  it('[CAR-45] is written as text: no part of the client writes markup', () => {
    const folder = join(import.meta.dirname, '../src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    expect(files.length).toBeGreaterThan(100);
    const writes = /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|DOMParser|srcDoc/;
    expect(files.filter((name) => writes.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  });
});
