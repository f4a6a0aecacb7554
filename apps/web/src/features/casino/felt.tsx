import type { Game, TableInfo } from '@fairgame/casino';
import type { CardResult, CardRound } from '@fairgame/contract';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { CountdownRing } from '../../ui/countdown-ring.tsx';
import { Icon, type IconShape } from '../../ui/icon.tsx';
import { IconCards, IconClock, IconFlagCheck, IconLock } from '../../ui/icons.ts';
import { announce } from '../../ui/live-region.tsx';
import { BadgeText, badgeClass, resultWords, toneOf } from './badges.tsx';
import type { BoardProps } from './board.ts';
import { useDealing } from './dealing.ts';
import type { DealFacts } from './facts.ts';
import { serverNow } from './table-socket.ts';

type Boards = Record<TableInfo['board'], ComponentType<BoardProps>>;
const load = (get: () => Promise<{ Board: ComponentType<BoardProps> }>) =>
  lazy(async () => ({ default: (await get()).Board }));
const cards32 = load(() => import('./boards/cards32.tsx'));

/** The boards with a look of their own; each is a file of its own and comes with the table that needs it. */
const BOARDS: Boards = {
  table: load(() => import('./boards/table.tsx')),
  'andar-bahar': load(() => import('./boards/andar-bahar.tsx')),
  lucky7: load(() => import('./boards/lucky7.tsx')),
  cards32,
  queen: cards32,
  race: load(() => import('./boards/race.tsx')),
  overs: load(() => import('./boards/overs.tsx')),
  match: load(() => import('./boards/match.tsx')),
  ball: load(() => import('./boards/ball.tsx')),
  pads: load(() => import('./boards/pads.tsx')),
  meter: load(() => import('./boards/meter.tsx')),
  poker: load(() => import('./boards/poker.tsx')),
  war: load(() => import('./boards/war.tsx')),
};

/** The table picture: rail, baize, what lies on it, the countdown, and the last ten results. */
export function Felt({
  info,
  game,
  category,
  facts,
  round,
  topTen,
  tools,
  video,
  note = '',
  onResult,
}: {
  info: TableInfo;
  game: Game;
  category: string;
  facts: DealFacts;
  round: CardRound;
  topTen: readonly CardResult[];
  tools: ReactNode;
  /** The operator's picture, instead of the drawing. */
  video: ReactNode;
  /** Why the table is drawn where a picture was promised. */
  note?: string;
  onResult: (result: CardResult) => void;
}) {
  const Board = BOARDS[info.board];
  const delayOf = useDealing(round.mid, round.cards.length);
  useAnnouncements(round, facts);
  return (
    <section className="ptable felt" aria-label={`${info.name}, round ${round.roundNo}`} data-phase={round.phase}>
      <Cloth />
      <div className="pt__bar">
        <b>{info.name}</b>
        <span className="num">Round {round.roundNo}</span>
        <span className="grow" />
        {tools}
      </div>
      {note !== '' && (
        <p className="felt__np" role="status">
          {note}
        </p>
      )}
      <div className="felt__in">
        {video ? (
          <div className="felt__v">
            {video}
            <div className="felt__vr">
              <Ring round={round} facts={facts} />
            </div>
          </div>
        ) : (
          <Suspense fallback={<div className="felt__wait" />}>
            <Board
              info={info}
              game={game}
              facts={facts}
              round={round}
              delayOf={delayOf}
              ring={<Ring round={round} facts={facts} />}
            />
          </Suspense>
        )}
      </div>
      <Strip code={info.code} category={category} results={topTen} onResult={onResult} />
    </section>
  );
}

/** The last ten results, newest first and ringed; each opens its round. */
function Strip({
  code,
  category,
  results,
  onResult,
}: {
  code: string;
  category: string;
  results: readonly CardResult[];
  onResult: (result: CardResult) => void;
}) {
  const sums = useMemo(() => countWins(code, category, results), [code, category, results]);
  return (
    <div className="pt__foot">
      <span className="fs-12 pt__l">Last 10</span>
      <div className="results">
        {results.slice(0, 10).map((result, at) => (
          <button
            key={result.mid}
            type="button"
            className={badgeClass(toneOf(code, category, result.badge), at === 0)}
            aria-label={resultWords(result)}
            title={resultWords(result)}
            onClick={() => onResult(result)}
          >
            <BadgeText badge={result.badge} />
          </button>
        ))}
        {results.length === 0 && <span className="fs-12 pt__l">No results yet</span>}
      </div>
      <span className="grow" />
      <span className="fs-12 num pt__l pt__sum">{sums}</span>
    </div>
  );
}

/** "A won 6, B won 4", where results have sides. */
function countWins(code: string, category: string, results: readonly CardResult[]): string {
  const counts = new Map<string, number>();
  for (const { badge } of results.slice(0, 10)) {
    const tone = toneOf(code, category, badge);
    if (tone === 'a' || tone === 'b') counts.set(badge, (counts.get(badge) ?? 0) + 1);
  }
  return [...counts]
    .sort(([x], [y]) => x.localeCompare(y))
    .map(([badge, n]) => `${badge} won ${n}`)
    .join(', ');
}

/** The countdown while bets are open; else what the table does, as a sign and a word. */
function Ring({ round, facts }: { round: CardRound; facts: DealFacts }) {
  const { phase, endsAt, lastsMs } = round;
  const counts = phase === 'OPEN' && endsAt > 0;
  return (
    <div className="phase">
      {counts ? (
        <div className="felt__ring">
          <CountdownRing endsAtMs={endsAt} totalMs={Math.max(1000, lastsMs)} now={serverNow} />
        </div>
      ) : (
        <div className="ring ring--sign" aria-hidden="true">
          {phase === 'RESULT' && round.result && round.result.badge !== 'R' ? (
            <b className="ring__big">
              <BadgeText badge={round.result.badge} />
            </b>
          ) : (
            <Icon of={SIGNS[phase] ?? IconLock} size={30} className="ring__i" />
          )}
        </div>
      )}
      <p className="phase__w">
        <b>{phaseWord(round)}</b>
        <span>{phaseNote(round, facts)}</span>
      </p>
    </div>
  );
}

/** What stands in the ring while it does not count. */
const SIGNS: Readonly<Record<string, IconShape>> = { DEALING: IconCards, IDLE: IconClock, RESULT: IconFlagCheck };

function phaseWord({ phase, window, cards }: CardRound): string {
  switch (phase) {
    case 'OPEN':
      return window > 0 && cards.length > 0 ? 'Betting open again' : 'Betting open';
    case 'LOCKED':
      return 'Bets are closed';
    case 'DEALING':
      return 'Dealing';
    case 'RESULT':
      return 'Result';
    case 'VOID':
      return 'No result';
    default:
      return 'Waiting';
  }
}

function phaseNote({ phase, result, cards }: CardRound, facts: DealFacts): string {
  switch (phase) {
    case 'OPEN':
      return cards.length > 0 ? `Before card ${cards.length + 1}` : '';
    case 'LOCKED':
      return 'The deal begins';
    case 'DEALING':
      return 'Bets are closed';
    case 'RESULT':
      return facts.result?.words ?? result?.text ?? '';
    case 'VOID':
      return facts.result?.void ? facts.result.words : 'Stakes are returned';
    default:
      return 'The next round starts in a moment';
  }
}

/** Words for those who do not see the table: opening, ten and five seconds left, the cards' result. Nothing in between. */
function useAnnouncements(round: CardRound, facts: DealFacts): void {
  const { phase, endsAt, lastsMs, mid, window } = round;
  const words = facts.result?.words ?? '';
  const before = useRef('');
  useEffect(() => {
    const state = `${mid}.${window}.${phase}`;
    if (before.current === state) return;
    const first = before.current === '';
    before.current = state;
    if (first) return;
    if (phase === 'RESULT' && words) announce(words);
    else if (phase === 'VOID') announce('No result. Stakes are returned.');
    else if (phase === 'LOCKED') announce('Bets are closed.');
  }, [mid, window, phase, words]);
  useEffect(() => {
    if (phase !== 'OPEN' || endsAt <= 0) return;
    const timers = [10, 5].flatMap((seconds) => {
      const inMs = endsAt - serverNow() - seconds * 1000;
      return inMs > 0 && lastsMs > seconds * 1000
        ? [setTimeout(() => announce(`${seconds} seconds left to bet.`), inMs)]
        : [];
    });
    return () => timers.forEach(clearTimeout);
  }, [phase, endsAt, lastsMs]);
}

/** Wood, baize and print. The same in both themes: the table is a thing. */
function Cloth() {
  return (
    <svg className="bgd" viewBox="0 0 848 386" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <radialGradient id="felt-b" cx=".5" cy=".42" r=".72">
          <stop stopColor="#1f5b40" />
          <stop offset=".62" stopColor="#13402d" />
          <stop offset="1" stopColor="#0c2a1e" />
        </radialGradient>
        <linearGradient id="felt-w" x2="0" y2="1">
          <stop stopColor="#5d3f2a" />
          <stop offset="1" stopColor="#2c1c12" />
        </linearGradient>
        <radialGradient id="felt-r" cx=".5" cy=".1" r="1">
          <stop stopColor="#1c1611" />
          <stop offset="1" stopColor="#0c0907" />
        </radialGradient>
      </defs>
      <rect width="848" height="386" fill="url(#felt-r)" />
      <rect x="22" y="-140" width="804" height="512" rx="256" opacity=".45" />
      <rect x="22" y="-150" width="804" height="512" rx="256" fill="url(#felt-w)" />
      <rect x="22" y="-150" width="804" height="512" rx="256" fill="none" stroke="#8a6446" strokeOpacity=".55" />
      <rect x="42" y="-130" width="764" height="472" rx="236" fill="#07140e" opacity=".55" />
      <rect x="46" y="-126" width="756" height="464" rx="232" fill="url(#felt-b)" />
      <rect
        x="62"
        y="-110"
        width="724"
        height="432"
        rx="216"
        fill="none"
        stroke="rgba(230,246,236,.2)"
        strokeWidth="1.4"
      />
    </svg>
  );
}
