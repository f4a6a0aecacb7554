import { CALLS, eq, isNull, type RaceDetails } from '@fairgame/contract';
import { selectOrdinal, t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../api/api.ts';
import { DelayNote, FavouriteStar, raceStage } from '../../betting/betting.ts';
import { useMarket, useScore } from '../../live/live.ts';
import { serverNow } from '../../platform/clock.ts';
import { formatDay, formatOff, formatTime } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { Link } from '../../platform/routing.tsx';
import { useServerNow } from '../../platform/use-server-now.ts';
import { LiveBadge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconDroplet, IconMedal, IconRuler2, IconTrophy, IconUsers } from '../../ui/icons.ts';
import { TurfLines } from '../../ui/scoreboard.tsx';
import panelCss from '../../ui/panel.module.css';
import racePartsCss from '../../ui/race-parts.module.css';
import turfCss from '../../ui/turf.module.css';
import css from './race-page.module.css';

/** How much of the race before stays in sight, in pixels. */
const CHIP_BEFORE = 48;

/** The races that follow, as a strip. */
export function NextRaces({ race }: { race: RaceDetails }) {
  const { data } = useCall(
    CALLS.racing.list,
    { query: { 'racingMatch.stopAt': isNull, matchType: eq(race.matchType) } },
    { keep: true, refetchMs: 30_000 },
  );
  const races = (data ?? [])
    .flatMap((meeting) => meeting.races)
    .sort((a, b) => Date.parse(a.startAt) - Date.parse(b.startAt))
    .slice(0, 14);
  // The race on the screen stands in sight in its strip.
  const strip = useRef<HTMLElement>(null);
  const found = races.some((one) => one.id === race.id);
  useEffect(() => {
    const chip = found ? strip.current?.querySelector<HTMLElement>('[aria-current]') : null;
    if (chip && strip.current) strip.current.scrollLeft = chip.offsetLeft - strip.current.offsetLeft - CHIP_BEFORE;
  }, [found]);
  return (
    <nav className={racePartsCss.races} aria-label={t`Next races`} ref={strip}>
      {races.map((one) => (
        <Link
          key={one.id}
          className={racePartsCss.race}
          to={`/race/${one.id}`}
          aria-current={one.id === race.id ? 'page' : undefined}
        >
          <b>{formatTime(Date.parse(one.startAt))}</b>
          <span>{one.venue}</span>
          <span className="num fs-11">{raceStage(one) ?? <Until at={Date.parse(one.startAt)} />}</span>
        </Link>
      ))}
    </nav>
  );
}

const shortClock = (left: number): string => `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;

/** Seconds until the off, as large as they are read across a room. */
function untilOff(left: number): string {
  if (left < 3600) return shortClock(left);
  if (left < 86_400) return t`${{ time: shortClock(Math.floor(left / 60)) }} h`;
  return t`${{ days: Math.floor(left / 86_400) }} d ${{ hours: Math.floor((left % 86_400) / 3600) }} h`;
}

function Until({ at }: { at: number }) {
  const now = useServerNow();
  const left = Math.max(0, Math.round((at - now) / 1000));
  if (left === 0) return t`due off`;
  return left < 600 ? t`in ${{ time: shortClock(left) }}` : formatOff(at, now);
}

/** What is run where and over which distance, and the time to the off. */
export function RaceHead({ race }: { race: RaceDetails }) {
  const start = Date.parse(race.startAt);
  const left = Math.max(0, Math.round((start - useServerNow()) / 1000));
  const out = race.runners.filter((runner) => runner.status === 'REMOVED').length;
  const running = race.runners.length - out;
  const places = race.markets.find((market) => market.winners > 1)?.winners;
  const win = useMarket(race.matchOdd?.id ?? 0);
  return (
    <section className={turfCss.turf} aria-label={t`Race`}>
      <TurfLines of="track" />
      <div className={racePartsCss.place}>
        <div className="grow">
          <div className={cx('row g-4 fs-12', css.onTurf)}>
            {race.countryCode} <span>{race.venue}</span> <span>{formatDay(start)}</span>
          </div>
          <h1 className={css.title}>
            {formatTime(start)} {race.title.replace(/^\d{1,2}:\d{2}\s*/, '')}
          </h1>
          <div className={cx('row g-5 fs-12 num', css.onTurf, 'wrap')}>
            {race.distance && (
              <span className="row g-2">
                <Icon of={IconRuler2} size={15} /> {race.distance}
              </span>
            )}
            {race.going && (
              <span className="row g-2">
                <Icon of={IconDroplet} size={15} /> {named(race.going)}
              </span>
            )}
            <span className="row g-2">
              <Icon of={IconUsers} size={15} /> {out > 0 ? t`${running} run, ${out} out` : t`${running} run`}
            </span>
            {race.raceClass && (
              <span className="row g-2">
                <Icon of={IconTrophy} size={15} /> {named(race.raceClass)}
              </span>
            )}
            {places && (
              <span className="row g-2">
                <Icon of={IconMedal} size={15} /> {t`${places} places paid`}
              </span>
            )}
          </div>
        </div>
        <FavouriteStar matchId={race.id} title={`${formatTime(start)} ${race.venue}`} />
        <div className={css.right}>
          {win?.status === 'CLOSED' || race.stopAt ? (
            <b className={css.clock}>{t`Result`}</b>
          ) : win?.inPlay || left === 0 ? (
            <LiveBadge pill>{win?.inPlay ? t`In-play` : t`Due off`}</LiveBadge>
          ) : (
            <>
              <div className={cx('fs-12', css.onTurf)}>{t`Off in`}</div>
              <div className={cx(css.clock, 'num')} role="timer">
                {untilOff(left)}
              </div>
            </>
          )}
          <div className={cx('fs-12', css.onTurf)}>
            {race.matchType === 'horseRacing' ? t`In-play betting: yes` : t`In-play betting: no`}
          </div>
        </div>
      </div>
    </section>
  );
}

const ordinal = (place: number): string =>
  selectOrdinal({ place }, { one: '#st', two: '#nd', few: '#rd', other: '#th' });

const SHOWN = 6;
const SOON_MS = 3_600_000;

/**
 * Positions while the race is run and at the finish. Its place is kept from before the off, so that nothing jumps when they
 * run; a place of the list keeps its line and changes its words.
 */
export function Running({ race }: { race: RaceDetails }) {
  const live = useScore(race.id);
  const [soon] = useState(() => !race.stopAt && Date.parse(race.startAt) - serverNow() < SOON_MS);
  const score = live ?? race.scoreBoard;
  const known = score && (score.sport === 'horseRacing' || score.sport === 'greyHound') ? score : null;
  const order = known?.order ?? [];
  if (order.length === 0 && !soon) return null;
  const waits = order.length === 0;
  const places = Math.min(SHOWN, order.length || race.runners.length);
  return (
    <>
      <section className={cx(panelCss.panel, css.running)} aria-label={t`Running order`}>
        <b>
          {waits ? t`Before the off` : known?.finished ? t`Finished` : t`${{ metres: known?.remaining ?? 0 }} m to go`}
        </b>
        <div className={css.order}>
          {waits && <p className="t3">{t`The running order shows here from the off.`}</p>}
          <ol className={waits ? 'is-kept' : undefined} aria-hidden={waits || undefined}>
            {Array.from({ length: places }, (_, at) => {
              const one = order[at];
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a place is what stays, runners pass through it
                <li key={at}>
                  <b>{ordinal(at + 1)}</b>{' '}
                  {one ? (
                    <>
                      {one.name} <span className="t3">({one.clothNumber})</span>
                    </>
                  ) : (
                    '\u2013'
                  )}
                </li>
              );
            })}
          </ol>
        </div>
      </section>
      <DelayNote />
    </>
  );
}
