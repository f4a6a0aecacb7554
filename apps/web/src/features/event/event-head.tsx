import type { MatchDetails } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { FavouriteStar } from '../../betting/betting.ts';
import { formatDateTime, formatTime, formatTreeDate } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { sportName } from '../../platform/sports.ts';
import { LiveBadge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconDeviceTv, IconScoreboard } from '../../ui/icons.ts';
import { Crumbs } from '../../ui/panel.tsx';
import css from '../../ui/event.module.css';

export interface Switch {
  on: boolean;
  toggle: () => void;
}

interface Props {
  match: MatchDetails;
  phone: boolean;
  tabs: ReactNode;
  picture: Switch;
  card: Switch;
}

/** What the event is and where it stands. A phone asks for picture and scorecard here, and has the tabs elsewhere. */
export function EventHead({ match, phone, tabs, picture, card }: Props) {
  return (
    <>
      {!phone && (
        <Crumbs
          items={[
            { text: sportName(match.matchType), to: `/game-list/${match.matchType}` },
            { text: named(match.competitionName) },
            { text: formatTreeDate(match.startAt) },
          ]}
        />
      )}
      <div className={css.head}>
        <h1>{match.title}</h1>
        <FavouriteStar matchId={match.id} title={match.title} />
        {match.inPlay && <LiveBadge pill />}
        <span className={cx('t2', phone && css.when)}>
          {match.inPlay
            ? t`${{ place: match.venue ?? named(match.competitionName) }}, started ${{ time: formatTime(Date.parse(match.startAt)) }}`
            : formatDateTime(Date.parse(match.startAt))}
        </span>
        {!phone && <span className="grow" />}
        {phone && match.inPlay && (
          <span className={css.see}>
            {match.isTv && (
              <IconButton icon={IconDeviceTv} label={t`Picture`} aria-pressed={picture.on} onClick={picture.toggle} />
            )}
            {match.matchType === 'cricket' && (
              <IconButton icon={IconScoreboard} label={t`Scorecard`} aria-pressed={card.on} onClick={card.toggle} />
            )}
          </span>
        )}
        {!phone && tabs}
      </div>
    </>
  );
}
