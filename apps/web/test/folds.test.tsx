import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventScore } from '../src/betting/event-score.tsx';
import { RunnerMarket } from '../src/betting/runner-market.tsx';
import { settle } from './settle.ts';
import { clear, live, MARKET_ID, market, runner, serve, show, width } from './trading.tsx';

/** Rows that cannot be bet on any more do not bury those that can. */
beforeEach(() => width(1440));
afterEach(clear);

const SCORES = ['0 - 0', '0 - 1', '1 - 0', '1 - 1', '2 - 0', '2 - 1', '2 - 2', '3 - 1'];
const offered = { back: [[300, 5000]] as Array<[number, number]>, lay: [[310, 5000]] as Array<[number, number]> };
/** A correct score market in which only these scores are offered. */
const scores = (open: readonly string[], more = {}) =>
  market({
    name: 'Correct Score',
    inPlay: true,
    runners: SCORES.map((name, at) => runner(at + 1, name, open.includes(name) ? offered : {})),
    ...more,
  });
async function open(image = scores(['2 - 1', '3 - 1']), position = undefined as never) {
  serve();
  live(image);
  show(<RunnerMarket marketId={MARKET_ID} eventName="A v B" position={position} marks={new Set<string>()} />);
  await settle();
}
const shown = () => SCORES.filter((score) => screen.queryByText(score) !== null);

describe('a long market in play', () => {
  it('folds what nobody offers, and shows it by one press', async () => {
    await open();
    expect(shown()).toEqual(['2 - 1', '3 - 1']);
    fireEvent.click(screen.getByRole('button', { name: 'Show 6 that nobody offers' }));
    expect(shown()).toEqual(SCORES);
  });

  it('brings a row back as soon as somebody offers it, and keeps one that loses its offers in its place', async () => {
    await open();
    await act(async () => live(scores(['1 - 1', '3 - 1'])));
    await settle();
    expect(shown()).toEqual(['1 - 1', '2 - 1', '3 - 1']);
  });

  it.each([
    ['before the start', scores(['2 - 1'], { inPlay: false })],
    ['without any offer at all', scores([])],
  ])('%s folds nothing', async (_, image) => {
    await open(image);
    expect(shown()).toEqual(SCORES);
  });

  it('in which the player has bets folds nothing: each row has a result of his', async () => {
    const nets = SCORES.map((_, at) => ({ runnerId: at + 1, net: -100, win: -100, lose: -100 }));
    await open(undefined, { betId: MARKET_ID, matchId: 2, runners: nets, exposure: 100, betCount: 1 } as never);
    expect(shown()).toEqual(SCORES);
  });
});

describe('the score on a phone', () => {
  const team = (name: string, short: string, balls: number) => ({
    team: name,
    short,
    runs: 120,
    wickets: 3,
    balls,
    declared: false,
  });
  const cricket = {
    sport: 'cricket' as const,
    format: 'ODI',
    maxOvers: 50,
    innings: [team('India', 'IND', 230)],
    battingIndex: 0,
    target: null,
    line: '',
    note: '',
    currentRunRate: '3.13',
    requiredRunRate: '',
    batters: [{ name: 'R. Kale', runs: 40, balls: 60, fours: 4, sixes: 0, onStrike: true }],
    bowlers: [],
    partnership: { runs: 20, balls: 30 },
    overs: [
      { over: 39, balls: ['1', '4'], runs: 5 },
      { over: 38, balls: ['0', '1', 'W', '2', '1', '1'], runs: 5 },
    ],
    ballRunning: false,
  };
  const balls = () => [...document.querySelectorAll('.balls__ball')].map((ball) => ball.textContent);

  it('is a strip: the last nine balls with the next one, no card of batters', () => {
    show(
      <EventScore matchId={5} matchType="cricket" first={cricket} stopAt={null} teams={['India', 'Australia']} strip />,
    );
    expect(balls()).toEqual(['0', '1', 'W', '2', '1', '1', '1', '4', '']);
    expect(screen.queryByText('R. Kale *')).toBeNull();
  });

  it('is the whole card when it is asked for', () => {
    show(<EventScore matchId={5} matchType="cricket" first={cricket} stopAt={null} teams={['India', 'Australia']} />);
    expect(screen.getByText('R. Kale *')).toBeTruthy();
  });

  it('of a match that was settled before its start says that it is over, and not that it is to come', () => {
    serve({});
    const of = (stopAt: string | null) =>
      show(<EventScore matchId={5} matchType="tennis" first={null} stopAt={stopAt} teams={['Ann', 'Bea']} />);
    of(null);
    expect(screen.getByText('Not started')).toBeTruthy();
    cleanup();
    of('2026-07-01T10:00:00.000Z');
    expect(screen.getByText('Finished')).toBeTruthy();
    expect(screen.queryByText('Not started')).toBeNull();
  });
});
