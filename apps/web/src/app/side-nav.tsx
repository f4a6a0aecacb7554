import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { eventCall, readCall, useCall } from '../api/api.ts';
import { say } from '../platform/language.ts';
import type { Params } from '../platform/router.ts';
import { NavLink, useMatch } from '../platform/routing.tsx';
import { SPORTS } from '../platform/sports.ts';
import { signOut } from '../sign-in/sign-in.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconLogout } from '../ui/icons.ts';
import { ACCOUNT_NAV, OTHERS, RACING_SPORTS } from './nav-data.ts';
import { SportTree, type TreeLoaders, type TreePlace } from './sport-tree.tsx';
import css from '../ui/side-nav.module.css';

const { catalog } = CALLS;

const LOADERS: TreeLoaders = {
  competitions: (type) => readCall(catalog.competitions, { params: { id: type } }),
  dates: (id) => readCall(catalog.dates, { params: { id } }),
  matches: (id, date) => readCall(catalog.matchesOn, { params: { id, date } }),
};

/** The groups of the sidebar: racing, others, all sports. The same in the column and in the drawer. */
export function SportsNav() {
  const tabs = useCall(catalog.tabs, {}).data;
  const counts = useMemo(
    () => Object.fromEntries((tabs ?? []).flatMap((tab) => (tab.matchType ? [[tab.matchType, tab.count]] : []))),
    [tabs],
  );
  return (
    <>
      <h2 className={css.head}>{t`Racing Sports`}</h2>
      <ul>
        {RACING_SPORTS.map((entry) => (
          <li key={entry.label.id}>
            <NavLink className={css.entry} to={entry.to}>
              <Icon of={entry.icon} size={18} />
              <span className="clip">{say(entry.label)}</span>
            </NavLink>
          </li>
        ))}
      </ul>
      <h2 className={css.head}>{t`Others`}</h2>
      <ul>
        {OTHERS.map((entry) => (
          <li key={entry.label.id}>
            <NavLink className={cx(css.entry, entry.blink && css.blink)} to={entry.to}>
              <Icon of={entry.icon} size={18} />
              <span className="clip">{say(entry.label)}</span>
              {entry.blink && (
                <>
                  <span className={css.dot} />
                  <em>{t`New`}</em>
                </>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
      <h2 className={css.head}>
        {t`All Sports`} <span className="num t3">{SPORTS.length}</span>
      </h2>
      <SportTree loaders={LOADERS} counts={counts} at={useTreePlace()} />
    </>
  );
}

const NOWHERE: Params = {};

/** The reading of the event's page, asked here and there once. */
function useTreePlace(): TreePlace | undefined {
  const { type = '', id = '' } = useMatch('/game-detail/:type/:id') ?? NOWHERE;
  const { data } = useCall(eventCall(type), { params: { id } }, { enabled: Number(id) > 0 });
  return data && { matchType: data.matchType, competitionId: data.competitionId, date: data.startAt.slice(0, 10) };
}

/** The sidebar of the account screens. */
export function AccountNav({ demo, openBets = 0 }: { demo: boolean; openBets?: number }) {
  return (
    <>
      {ACCOUNT_NAV.map(({ group, entries }) => {
        const allowed = entries.filter((entry) => entry.demo || !demo);
        if (allowed.length === 0) return null;
        return (
          <div key={group.id}>
            <h2 className={css.head}>{say(group)}</h2>
            <ul>
              {allowed.map((entry) => (
                <li key={entry.to}>
                  <NavLink className={css.entry} to={entry.to}>
                    <Icon of={entry.icon} size={18} />
                    <span className="clip">{say(entry.label)}</span>
                    {entry.to === '/unsettled-bet' && openBets > 0 && <span className={css.count}>{openBets}</span>}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <hr className={css.line} />
      <button type="button" className={css.entry} onClick={() => void signOut()}>
        <Icon of={IconLogout} size={18} />
        {t`SignOut`}
      </button>
    </>
  );
}
