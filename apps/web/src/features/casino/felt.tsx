import type { Game, TableInfo } from '@fairgame/casino';
import type { CardResult, CardRound } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { CountdownRing } from '../../ui/countdown-ring.tsx';
import { Icon, type IconShape } from '../../ui/icon.tsx';
import { IconCards, IconClock, IconFlagCheck, IconLock } from '../../ui/icons.ts';
import { announce } from '../../ui/live-region.tsx';
import { RoundMark } from './badges.tsx';
import { type BoardProps, DealContext, type DealView } from './board.ts';
import { Dealer } from './dealer.tsx';
import { useDealing } from './dealing.ts';
import type { DealFacts } from './facts.ts';
import type { Fields } from './fields.tsx';
import { playSound } from './sound.ts';
import { serverNow } from './table-socket.ts';
import { endingWords, resultWords } from './vocabulary.ts';
import './tokens.css';
import { cx } from '../../ui/cx.ts';
import casinoCss from '../../ui/casino.module.css';
import css from './felt.module.css';
import resultsCss from './results.module.css';
import tableBarCss from './table-bar.module.css';

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
/** Boards whose cards come in such number that the last one is no moment of its own. */
const PLAIN_LAST: readonly TableInfo['board'][] = ['race', 'overs', 'meter', 'andar-bahar', 'ball'];
/** Boards with a dealer's hand of cards at the top: his own hands are not drawn over it. */
const hasDealer = (game: Game) => game.seats.some(({ name }) => name === 'Dealer');

/** The table picture: rail, baize, dealer, what lies on it, the countdown, and the last ten results. */
export function Felt({
  info,
  game,
  facts,
  round,
  fields,
  topTen,
  tools,
  video,
  note = '',
  heard = 'all',
  onResult,
}: {
  info: TableInfo;
  game: Game;
  facts: DealFacts;
  round: CardRound;
  fields: Fields;
  topTen: readonly CardResult[];
  tools: ReactNode;
  /** The operator's picture, instead of the drawing. */
  video: ReactNode;
  /** Why the table is drawn where a picture was promised. */
  note?: string;
  /** Among other tables: everything under the table's name while it is in hand, else its results alone and no sound. */
  heard?: 'all' | 'named' | 'results';
  onResult: (result: CardResult) => void;
}) {
  useAnnouncements(
    round,
    facts.result ? resultWords(info, facts.result) : '',
    heard === 'all' ? '' : `${info.name}: `,
    heard !== 'results',
  );
  useSounds(round, heard !== 'results');
  const now = saysOf(info, round, facts) || note;
  const last = topTen[0];
  const says =
    now || (last ? t`Round ${{ number: last.roundNo }}: ${{ result: endingWords(last, info.endings) }}` : '');
  return (
    <section
      className={css.felt}
      aria-label={t`${{ table: info.name }}, round ${{ number: round.roundNo }}`}
      data-phase={round.phase}
      data-board={info.board}
      data-seats={info.seats.length}
      data-dealer={hasDealer(game) || undefined}
    >
      <div className={tableBarCss.bar}>{tools}</div>
      {video ? (
        <div className={css.view}>{video}</div>
      ) : (
        <Cloth info={info} game={game} facts={facts} round={round} fields={fields} />
      )}
      <Phase round={round} />
      <p className={cx(css.says, !now && 'is-past')} title={says}>
        {says}
      </p>
      <Strip info={info} results={topTen} onResult={onResult} />
    </section>
  );
}

/** What lies on the baize, and the dealer behind it. */
function Cloth({ info, game, facts, round, fields }: BoardProps) {
  const Board = BOARDS[info.board];
  const delayOf = useDealing(round.mid, round.cards.length);
  const view = useMemo(
    (): DealView => ({
      delayOf,
      best: facts.result && facts.result.best.length > 0 ? new Set(facts.result.best) : null,
      squeezed: facts.dealt && !PLAIN_LAST.includes(info.board) ? round.cards.length - 1 : -1,
    }),
    [delayOf, facts, info.board, round.cards.length],
  );
  return (
    <div className={css.rail}>
      <div className={css.cloth}>
        <Dealer cards={round.cards.length} />
        <div className={css.inside}>
          <Suspense fallback={null}>
            <DealContext value={view}>
              <Board info={info} game={game} facts={facts} round={round} fields={fields} />
            </DealContext>
          </Suspense>
        </div>
      </div>
    </div>
  );
}

/** The last ten results, newest first and ringed; each opens its round. */
function Strip({
  info,
  results,
  onResult,
}: {
  info: TableInfo;
  results: readonly CardResult[];
  onResult: (result: CardResult) => void;
}) {
  return (
    <div className={css.foot}>
      <span className={css.left}>{t`Last 10`}</span>
      <div className={resultsCss.results}>
        {results.slice(0, 10).map((result, at) => (
          <RoundMark
            key={result.mid}
            className={css.resultBox}
            info={info}
            result={result}
            isNew={at === 0}
            onOpen={onResult}
          />
        ))}
        {results.length === 0 && <span className={css.left}>{t`No results yet`}</span>}
      </div>
    </div>
  );
}

/** The countdown while bets are open; else what the table does, as a sign and a word. */
export function Phase({ round }: { round: CardRound }) {
  const { phase, endsAt, lastsMs } = round;
  const counts = phase === 'OPEN' && endsAt > 0;
  return (
    <div className={css.phase}>
      {counts ? (
        <CountdownRing endsAtMs={endsAt} totalMs={Math.max(1000, lastsMs)} now={serverNow} />
      ) : (
        <div className={cx(casinoCss.ring, css.sign)} aria-hidden="true">
          <Icon of={SIGNS[phase] ?? IconLock} size={26} className={casinoCss.ringIcon} />
        </div>
      )}
      <b className={css.phaseWord}>{phaseWord(round)}</b>
    </div>
  );
}

/** What stands in the ring while it does not count. */
const SIGNS: Readonly<Record<string, IconShape>> = { DEALING: IconCards, IDLE: IconClock, RESULT: IconFlagCheck };

function phaseWord({ phase, window, cards }: CardRound): string {
  switch (phase) {
    case 'OPEN':
      return window > 0 && cards.length > 0 ? t`Open, card ${{ number: cards.length + 1 }} next` : t`Betting open`;
    case 'LOCKED':
      return t`Bets are closed`;
    case 'DEALING':
      return t`Dealing`;
    case 'RESULT':
      return t({ message: 'Result', context: 'round' });
    case 'VOID':
      return t`No result`;
    default:
      return t`Waiting`;
  }
}

/** The sentence at the edge of the baize: who won and why. */
function saysOf(info: TableInfo, { phase, result }: CardRound, { result: ended }: DealFacts): string {
  if (phase === 'RESULT') return ended ? resultWords(info, ended) : result ? endingWords(result, info.endings) : '';
  if (phase === 'VOID') return ended?.void ? resultWords(info, ended) : t`Stakes are returned.`;
  return phase === 'IDLE' ? t`The next round starts in a moment.` : '';
}

/** Words for those who do not see the table: opening, ten and five seconds left, the cards' result. Nothing in between. */
function useAnnouncements(round: CardRound, words: string, name: string, whole: boolean): void {
  const { phase, endsAt, lastsMs, mid, window } = round;
  const before = useRef('');
  useEffect(() => {
    const state = `${mid}.${window}.${phase}`;
    if (before.current === state) return;
    const first = before.current === '';
    before.current = state;
    if (first) return;
    if (phase === 'RESULT' && words) announce(`${name}${words}`);
    else if (phase === 'VOID') announce(`${name}${t`No result. Stakes are returned.`}`);
    else if (phase === 'LOCKED' && whole) announce(`${name}${t`Bets are closed.`}`);
  }, [mid, window, phase, words, name, whole]);
  useEffect(() => {
    if (phase !== 'OPEN' || endsAt <= 0 || !whole) return;
    const timers = [10, 5].flatMap((seconds) => {
      const inMs = endsAt - serverNow() - seconds * 1000;
      return inMs > 0 && lastsMs > seconds * 1000
        ? [setTimeout(() => announce(`${name}${secondsLeft(seconds)}`), inMs)]
        : [];
    });
    return () => timers.forEach(clearTimeout);
  }, [phase, endsAt, lastsMs, name, whole]);
}

const secondsLeft = (seconds: number): string =>
  plural(seconds, { one: '# second left to bet.', other: '# seconds left to bet.' });

/** Cards, the last three seconds, the close, the result; silent unless the player switched sound on. */
function useSounds({ phase, endsAt, cards }: CardRound, on: boolean): void {
  const seen = useRef({ cards: cards.length, phase });
  useEffect(() => {
    const before = seen.current;
    seen.current = { cards: cards.length, phase };
    if (!on) return;
    if (cards.length > before.cards) playSound('card');
    if (phase === before.phase) return;
    if (phase === 'LOCKED') playSound('closed');
    if (phase === 'RESULT') playSound('result');
  }, [phase, cards.length, on]);
  useEffect(() => {
    if (phase !== 'OPEN' || endsAt <= 0 || !on) return;
    const timers = [3, 2, 1].flatMap((seconds) => {
      const inMs = endsAt - serverNow() - seconds * 1000;
      return inMs > 0 ? [setTimeout(() => playSound('tick'), inMs)] : [];
    });
    return () => timers.forEach(clearTimeout);
  }, [phase, endsAt, on]);
}
