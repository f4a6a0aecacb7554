import { Fragment, type ReactNode, type Ref } from 'react';
import { Link } from 'react-router';
import { LiveBadge, Tag } from './badge.tsx';
import { Icon } from './icon.tsx';
import { IconDeviceTv, IconScoreboard } from './icons.ts';
import { SportIcon } from './sport-icon.tsx';
import { Veil, type VeilKind } from './veil.tsx';

/** The list of the landing screen and of game-list: groups per sport with rows. On a phone each row becomes a card. */
export function EventList({ label = 'Events', children }: { label?: string; children: ReactNode }) {
  return (
    <section className="panel evs" aria-label={label}>
      {children}
    </section>
  );
}

/** The head of a sport: icon, name, a link to the rest, and the columns Back 1 Lay, Back X Lay, Back 2 Lay. */
export function EventGroup({
  sport,
  name,
  more,
  draw = true,
  named = false,
  children,
}: {
  sport: string;
  name: string;
  more?: { text: string; to: string } | undefined;
  /** Whether a draw can win: keeps or drops the X heading. */
  draw?: boolean;
  /** The rows name what is sold in each place themselves: no 1, X, 2 above them. */
  named?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <div className="evh">
        <span className="evh__t">
          <SportIcon sport={sport} size={17} />
          <h2>{name}</h2>
          {more && <Link to={more.to}>{more.text}</Link>}
        </span>
        <span />
        <span className="oddh" aria-hidden="true">
          <OddHead text={named ? '' : '1'} />
          {named ? <OddHead text="" /> : draw ? <OddHead text="X" /> : <span />}
          <OddHead text={named ? '' : '2'} />
        </span>
      </div>
      {children}
    </>
  );
}

function OddHead({ text }: { text: string }) {
  return (
    <span>
      <em className="c-back">Back</em>
      <b>{text}</b>
      <em className="c-lay">Lay</em>
    </span>
  );
}

export type EventTags = { tv?: boolean; scores?: boolean; bookmaker?: boolean; fancy?: boolean };

/**
 * One event: state or time, the teams, competition and score, four fixed places for icons, three pairs of cells.
 * Children: three `Cells` with a back and a lay `PriceCell small` each (`state="na"` where there is no such outcome).
 */
export function EventRow({
  live = false,
  when,
  sub,
  teams,
  meta,
  score,
  tags = {},
  to,
  veil,
  star,
  ref,
  children,
}: {
  live?: boolean;
  /** The time ("09:30"), or for a live event what stands under In-play ("38.2 ov"). */
  when: ReactNode;
  /** The day under a time ("Tomorrow"). */
  sub?: ReactNode;
  teams: readonly string[];
  meta?: ReactNode;
  score?: ReactNode;
  tags?: EventTags;
  to: string;
  veil?: VeilKind | null | undefined;
  /** The mark of a favourite. */
  star?: ReactNode;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}) {
  const title = teams.join(' v ');
  return (
    <div className={star ? 'ev ev--star' : 'ev'} ref={ref}>
      {star && <span className="ev__star">{star}</span>}
      <span className="ev__when">
        {live ? <LiveBadge /> : when}
        <small>{live ? when : sub}</small>
      </span>
      <Link className="ev__link" to={to}>
        <span className="ev__t clip" title={title}>
          {teams.map((team, i) => (
            <Fragment key={team}>
              {i > 0 && <i> v </i>}
              {team}
            </Fragment>
          ))}
        </span>
        <span className="ev__m clip">
          {score && <b>{score}</b>}
          {meta && score && ' · '}
          {meta}
        </span>
      </Link>
      <span className="ev__tags">
        <Place on={tags.tv}>
          <span className="tag tag--ic" title="TV">
            <Icon of={IconDeviceTv} size={16} />
            <span className="sr">TV</span>
          </span>
        </Place>
        <Place on={tags.scores}>
          <span className="tag tag--ic" title="Scores">
            <Icon of={IconScoreboard} size={16} />
            <span className="sr">Scores</span>
          </span>
        </Place>
        <Place on={tags.bookmaker}>
          <Tag title="Bookmaker">BM</Tag>
        </Place>
        <Place on={tags.fancy}>
          <Tag title="Fancy">F</Tag>
        </Place>
      </span>
      <span className={veil ? 'ev__odds is-veiled' : 'ev__odds'}>
        {children}
        {veil && <Veil kind={veil} />}
      </span>
    </div>
  );
}

function Place({ on, children }: { on: boolean | undefined; children: ReactNode }) {
  return on ? children : <span />;
}
