import { t } from '@lingui/core/macro';
import { Fragment, type ReactNode, type Ref, useRef } from 'react';
import { Link } from '../platform/routing.tsx';
import { LiveBadge, Tag } from './badge.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import { IconDeviceTv, IconScoreboard } from './icons.ts';
import { SportIcon } from './sport-icon.tsx';
import { useKeptHeights } from './use-kept-heights.ts';
import { Veil, type VeilKind } from './veil.tsx';
import controlsCss from './controls.module.css';
import columnsCss from './event-columns.module.css';
import eventHeadsCss from './event-heads.module.css';
import joinedCss from './event-joined.module.css';
import css from './event-list.module.css';
import marketCss from './market.module.css';
import panelCss from './panel.module.css';

/** The list of the landing screen and of game-list: groups per sport with rows. On a phone each row becomes a card. */
export function EventList({ label = t`Events`, children }: { label?: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  const kept = useKeptHeights(list);
  return (
    <section className={cx(panelCss.panel, css.events, kept && css.kept)} aria-label={label} ref={list}>
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
  heads,
  columns,
  children,
}: {
  sport: string;
  name: string;
  more?: { text: string; to: string } | undefined;
  /** Whether a draw can win: keeps or drops the X heading. */
  draw?: boolean;
  /** The rows name what is sold in each place themselves: no 1, X, 2 above them. */
  named?: boolean;
  /** By what the rows can be ordered. */
  heads?: ReactNode;
  /** Above the columns of the rows. */
  columns?: EventColumns<ReactNode> | undefined;
  children: ReactNode;
}) {
  return (
    <>
      <div className={cx(eventHeadsCss.head, columns && columnsCss.head)}>
        <span className={cx(eventHeadsCss.title, heads ? eventHeadsCss.wide : null)}>
          <SportIcon sport={sport} size={17} />
          <h2>{name}</h2>
          {more && <Link to={more.to}>{more.text}</Link>}
          {heads}
        </span>
        {columns && <Columns of={columns} />}
        <span className={eventHeadsCss.marks} />
        <span className={eventHeadsCss.odds} aria-hidden="true">
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
      <em className="c-back">{t({ message: 'Back', context: 'bet' })}</em>
      <b>{text}</b>
      <em className="c-lay">{t({ message: 'Lay', context: 'bet' })}</em>
    </span>
  );
}

/** What stands in columns of its own where the list is wide, and below the names elsewhere. */
export interface EventColumns<Of> {
  competition?: Of | undefined;
  matched?: Of | undefined;
  markets?: Of | undefined;
}

const hasFigures = (of: EventColumns<ReactNode> | undefined): boolean =>
  of?.matched !== undefined || of?.markets !== undefined;

function Columns({ of, said }: { of: EventColumns<ReactNode>; said?: true }) {
  const { competition, matched, markets } = of;
  return (
    <>
      {competition !== undefined && (
        <span className={cx(columnsCss.competition, 'clip')} aria-hidden={said}>
          {competition}
        </span>
      )}
      {hasFigures(of) && (
        <span className={columnsCss.figures} aria-hidden={said}>
          {matched !== undefined && <span className={columnsCss.matched}>{matched}</span>}
          {markets !== undefined && <span className={columnsCss.markets}>{markets}</span>}
        </span>
      )}
    </>
  );
}

export type EventTags = { tv?: boolean; scores?: boolean; bookmaker?: boolean; fancy?: boolean };

/** Who plays, and what stands below the names. */
interface Named {
  teams: readonly string[];
  /** The competition. */
  meta?: string | undefined;
  /** Figures in words, behind it. */
  figures?: string | undefined;
  score?: ReactNode;
}

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
  figures,
  score,
  columns,
  tags = {},
  to,
  veil,
  star,
  far = false,
  ref,
  children,
}: Named & {
  live?: boolean;
  /** The time ("09:30"), or for a live event what stands under In-play ("38.2 ov"). */
  when: ReactNode;
  /** The day under a time ("Tomorrow"). */
  sub?: ReactNode;
  /** Of these, what has a column where the list is wide: there the words below the names are for those who hear them. */
  columns?: EventColumns<string> | undefined;
  tags?: EventTags;
  to: string;
  veil?: VeilKind | null | undefined;
  /** The mark of a favourite. */
  star?: ReactNode;
  /** Far from the screen: not drawn once its height is known. */
  far?: boolean;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}) {
  return (
    <div
      className={cx(
        css.event,
        star ? css.eventStar : null,
        columns && columnsCss.ruled,
        !hasFigures(columns) && joinedCss.joined,
        !(score || meta || figures) && joinedCss.alone,
        far && css.far,
      )}
      ref={ref}
    >
      {star && <span className={css.starPlace}>{star}</span>}
      <span className={css.when}>
        {live ? <LiveBadge /> : when}
        <small>{live ? when : sub}</small>
      </span>
      <Names of={{ teams, meta, figures, score }} to={to} />
      {columns && <Columns of={columns} said />}
      <Tags of={tags} />
      <span className={cx(css.odds, veil && 'is-veiled')}>
        {children}
        {veil && <Veil kind={veil} />}
      </span>
    </div>
  );
}

function Names({ of: { teams, meta, figures, score }, to }: { of: Named; to: string }) {
  const title = teams.join(' v ');
  return (
    <Link className={css.open} to={to}>
      <span className={cx(css.title, 'clip')} title={title}>
        {teams.map((team, i) => (
          <Fragment key={team}>
            {i > 0 && <i> {t({ message: 'v', comment: 'between the names of two teams' })} </i>}
            {team}
          </Fragment>
        ))}
      </span>
      <span className={cx(css.meta, 'clip')}>
        {score && <b>{score}</b>}
        {meta && (
          <span className={columnsCss.saidCompetition}>
            {score && <i> · </i>}
            <span className={joinedCss.below}>{meta}</span>
          </span>
        )}
        {figures && <span className={cx(columnsCss.saidFigures, 'clip')}>{figures}</span>}
      </span>
    </Link>
  );
}

function Tags({ of: tags }: { of: EventTags }) {
  return (
    <span className={css.tags}>
      <Place on={tags.tv}>
        <span className={cx(controlsCss.tag, marketCss.tagIcon)} title={t`TV`}>
          <Icon of={IconDeviceTv} size={16} />
          <span className="sr">{t`TV`}</span>
        </span>
      </Place>
      <Place on={tags.scores}>
        <span className={cx(controlsCss.tag, marketCss.tagIcon)} title={t`Scores`}>
          <Icon of={IconScoreboard} size={16} />
          <span className="sr">{t`Scores`}</span>
        </span>
      </Place>
      <Place on={tags.bookmaker}>
        <Tag title={t`Bookmaker`}>{t`BM`}</Tag>
      </Place>
      <Place on={tags.fancy}>
        <Tag title={t`Fancy`}>{t`F`}</Tag>
      </Place>
    </span>
  );
}

function Place({ on, children }: { on: boolean | undefined; children: ReactNode }) {
  return on ? children : <span />;
}
