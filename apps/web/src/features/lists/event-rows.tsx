import type { MatchItem } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { memo, type ReactNode, useDeferredValue, useEffect } from 'react';
import { FavouriteStar, isDraw, LivePrice, veilOf } from '../../betting/betting.ts';
import {
  scoreLine,
  seedMarkets,
  useBroken,
  useMarket,
  useScore,
  useStopped,
  useWatchInSight,
} from '../../live/live.ts';
import { formatDay, formatTime, formatWhole } from '../../platform/format.ts';
import { eventPath } from '../../platform/links.ts';
import { named } from '../../platform/named.ts';
import { sportName } from '../../platform/sports.ts';
import { cx } from '../../ui/cx.ts';
import { type EventColumns, EventGroup, EventList, EventRow, type EventTags } from '../../ui/event-list.tsx';
import { PHONE, useMedia } from '../../ui/media.ts';
import { PriceCell } from '../../ui/price-cell.tsx';
import { FACTS_AT_FIRST, type Fact } from './list-facts.ts';
import { matchedOf } from './list-filter.ts';
import eventListCss from '../../ui/event-list.module.css';
import marketTableCss from '../../ui/market-table.module.css';
import priceCss from '../../ui/price.module.css';

/** Rows with prices before the browser has said which are in sight: a screen of them. */
const AT_FIRST = { phone: 6, else: 24 };
/** Rows drawn before the others, which follow in a draw of their own: what nobody sees yet is laid out after what he does. */
const DRAWN_FIRST = { phone: 7, else: 24 };

/**
 * Events by sport with their first prices: live in every row that is in sight. Rows far from the screen have their names and
 * links, which find in page and Tab go through, and an empty place of the same size for the prices.
 */
export function EventRows({
  groups,
  label,
  facts = FACTS_AT_FIRST,
  heads,
  columns,
}: {
  groups: ReadonlyArray<{ sport: string; matches: readonly MatchItem[]; more?: number }>;
  label: string;
  /** What each row tells beside names and prices. */
  facts?: ReadonlySet<Fact>;
  /** By what the rows can be ordered. */
  heads?: ReactNode;
  /** Heads of columns, for facts that have one where there is room. */
  columns?: EventColumns<ReactNode> | undefined;
}) {
  const all = groups.flatMap((group) => group.matches);
  useEffect(() => seedMarkets(all.map((match) => match.head)), [all]);
  const width = useMedia(PHONE) ? 'phone' : 'else';
  const first = new Set(all.slice(0, AT_FIRST[width]));
  const drawn = new Set(all.slice(0, useDeferredValue(all.length, DRAWN_FIRST[width])));
  return (
    <EventList label={label}>
      {groups
        .filter((group) => group.matches.some((match) => drawn.has(match)))
        .map(({ sport, matches, more = 0 }) => (
          <EventGroup
            key={sport}
            sport={sport}
            name={sportName(sport)}
            draw={matches.some((match) => drawOf(match) !== undefined)}
            named={matches.every(namesItself)}
            heads={heads}
            columns={columns}
            more={more > 0 ? { text: t`${more} more`, to: `/game-list/${sport}` } : undefined}
          >
            {matches.map(
              (match) =>
                drawn.has(match) && (
                  <Row
                    key={match.id}
                    match={match}
                    facts={facts}
                    inColumns={columns !== undefined}
                    atFirst={first.has(match)}
                  />
                ),
            )}
          </EventGroup>
        ))}
    </EventList>
  );
}

const drawOf = (match: MatchItem) => match.head?.runners.find((runner) => isDraw(runner.name));

const teamsOf = (match: MatchItem): string[] => match.title.split(' v ');
/** What is sold is not who plays (an election): each place says whose price stands in it. */
const namesItself = (match: MatchItem): boolean =>
  match.head !== null && !match.head.runners.every(({ name }) => isDraw(name) || teamsOf(match).includes(name));

/** Figures in words, below the names. */
function figuresOf(match: MatchItem, facts: ReadonlySet<Fact>): string {
  const matched = matchedOf(match);
  return [
    facts.has('matched') && matched > 0 && t`Matched ${{ amount: formatWhole(matched) }}`,
    facts.has('markets') && plural({ count: match.marketCount }, { one: '# market', other: '# markets' }),
  ]
    .filter(Boolean)
    .join(' \u00b7 ');
}

const columnsOf = (match: MatchItem, facts: ReadonlySet<Fact>): EventColumns<string> => ({
  competition: facts.has('competition') ? named(match.competitionName) : undefined,
  matched: facts.has('matched') ? formatWhole(matchedOf(match)) : undefined,
  markets: facts.has('markets') ? String(match.marketCount) : undefined,
});

const tagsOf = (match: MatchItem, inPlay: boolean, facts: ReadonlySet<Fact>): EventTags =>
  facts.has('tags') ? { tv: match.isTv, scores: inPlay, bookmaker: match.isBookmaker, fancy: match.isFancy } : {};

interface RowProps {
  match: MatchItem;
  facts: ReadonlySet<Fact>;
  inColumns: boolean;
  atFirst: boolean;
}

const Row = memo(function Row({ match, facts, inColumns, atFirst }: RowProps) {
  const market = useMarket(match.head?.id ?? 0) ?? match.head;
  const broken = useBroken(match.head?.id ?? 0);
  const score = useScore(match.id);
  const stopped = useStopped(match.id);
  const inPlay = market?.inPlay ?? match.inPlay;
  const start = Date.parse(match.startAt);
  const line = score ? scoreLine(score) : { when: '', text: named(match.scoreText.replace(/, .*/, '')) };
  const veil = stopped ? 'closed' : market ? veilOf(market) : null;
  const draw = drawOf(match);
  const [row, drawn] = useWatchInSight(match.id, atFirst);
  const sides = (market?.runners ?? []).filter((runner) => runner.id !== draw?.id);
  const isNamed = namesItself(match);
  // Fields of many runners show those in front; the rest is on the event's page. Two stand where those of all rows stand.
  const places = isNamed && sides.length > 2 ? sides.slice(0, 3) : [sides[0], draw, sides[1]];
  return (
    <EventRow
      ref={row}
      live={inPlay}
      when={inPlay ? line.when : formatTime(start)}
      sub={inPlay ? undefined : formatDay(start)}
      teams={teamsOf(match)}
      meta={facts.has('competition') ? named(match.competitionName) : undefined}
      figures={figuresOf(match, facts)}
      columns={inColumns ? columnsOf(match, facts) : undefined}
      score={inPlay && facts.has('score') ? line.text : undefined}
      tags={tagsOf(match, inPlay, facts)}
      to={eventPath(match)}
      veil={veil}
      far={!drawn}
      star={<FavouriteStar matchId={match.id} title={match.title} />}
    >
      {places.map((runner, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place of the row is what stays
        <span className={cx(priceCss.cells, isNamed && marketTableCss.named, !runner && eventListCss.none)} key={at}>
          {isNamed && runner && (
            <small className={cx(eventListCss.selections, 'clip')} title={named(runner.name)}>
              {named(runner.name)}
            </small>
          )}
          {!drawn ? (
            <span className={marketTableCss.far} />
          ) : market && runner ? (
            (['BACK', 'LAY'] as const).map((side) => (
              <LivePrice
                key={side}
                small
                matchId={match.id}
                eventName={match.title}
                marketId={market.id}
                runnerId={runner.id}
                kind={market.kind}
                name={named(runner.name)}
                side={side}
                off={veil !== null || broken}
              />
            ))
          ) : (
            <>
              <PriceCell small side="back" price={null} state="na" label={t`No draw`} />
              <PriceCell small side="lay" price={null} state="na" label={t`No draw`} />
            </>
          )}
        </span>
      ))}
    </EventRow>
  );
});
