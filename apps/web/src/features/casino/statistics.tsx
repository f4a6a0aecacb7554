import type { Game, TableInfo } from '@fairgame/casino';
import { CALLS, type CardResult } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { useCall } from '../../api/api.ts';
import { cx } from '../../ui/cx.ts';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { Badge, RoundMark } from './badges.tsx';
import { type Count, countEndings, countWins, roadSides, sidesOf } from './counts.ts';
import { RoadMaps } from './roads-panel.tsx';
import controlsCss from '../../ui/controls.module.css';
import css from './statistics.module.css';

/** So many rounds are looked at, and so many marks drawn. */
const ROUNDS = 100;
const MARKS = 60;

/** What happened in the last hundred rounds: marks in their order, how often each side won, and every bet. */
export function Statistics({
  info,
  game,
  topTen,
  onRound,
}: {
  info: TableInfo;
  game: Game;
  topTen: readonly CardResult[];
  onRound: (mid: string) => void;
}) {
  const { data } = useCall(
    CALLS.casino.report,
    { params: { type: info.code }, query: { page: '1', limit: String(ROUNDS) } },
    { keep: true },
  );
  // The long list is read once a round; what the table showed since comes first.
  const results = useMemo(() => {
    const known = data?.rows ?? [];
    const ids = new Set(known.map((one) => one.mid));
    return [...topTen.filter((one) => !ids.has(one.mid)), ...known].slice(0, ROUNDS);
  }, [data, topTen]);
  const [view, setView] = useState<'sides' | 'bets'>('sides');
  const counts = useMemo(() => countEndings(info.endings, results), [info.endings, results]);
  const two = roadSides(info.endings);
  const rounds = results.length;
  return (
    <Panel
      title={two ? t`Roads` : t`Statistics`}
      end={
        <Segmented
          label={t`What is counted`}
          value={view}
          onChange={setView}
          items={{ sides: t`Results`, bets: t`By bet` }}
        />
      }
    >
      <div className={css.statistics}>
        {rounds === 0 ? (
          <p className="t2">{t`No rounds yet.`}</p>
        ) : view === 'bets' ? (
          <ByBet info={info} game={game} results={results} />
        ) : (
          <>
            {counts.length > 0 && <Bars counts={counts} rounds={rounds} />}
            {two ? (
              <RoadMaps sides={sidesOf(info.endings, results)} names={two} />
            ) : (
              <Marks info={info} results={results.slice(0, MARKS)} onRound={onRound} />
            )}
          </>
        )}
        <p className="fs-12 t3">
          {rounds > 0
            ? t`${plural(rounds, { one: 'The last # round.', other: 'The last # rounds.' })} Each is dealt afresh: what happened does not change what comes.`
            : t`Each is dealt afresh: what happened does not change what comes.`}
        </p>
      </div>
    </Panel>
  );
}

/** How often each ending came, as bars from a shared zero. */
function Bars({ counts, rounds }: { counts: readonly Count[]; rounds: number }) {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <dl className={css.card}>
      {counts.map(({ badge, name, tone, count }) => (
        <div key={name} className={cx(css.line, `is-${tone}`)}>
          <dt>
            <Badge endings={[{ badge, tone }]} badge={badge} small />
            <span className="clip" title={name}>
              {name}
            </span>
          </dt>
          <dd className="num">
            <span className={css.bar} style={{ '--part': `${(count / most) * 100}%` } as object} />
            <b>{count}</b>
            <span className="t3">{Math.round((count / Math.max(1, rounds)) * 100)} %</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Round by round, newest first; each a way to its round. */
function Marks({
  info,
  results,
  onRound,
}: {
  info: TableInfo;
  results: readonly CardResult[];
  onRound: (mid: string) => void;
}) {
  return (
    <div>
      <div className={controlsCss.label}>{t`Newest first`}</div>
      <div className={css.more}>
        {results.map((result, at) => (
          <RoundMark key={result.mid} info={info} result={result} isNew={at === 0} onOpen={({ mid }) => onRound(mid)} />
        ))}
      </div>
    </div>
  );
}

/** Every bet of the table: in how many of the rounds it won, by the rules and the cards. */
function ByBet({ info, game, results }: { info: TableInfo; game: Game; results: readonly CardResult[] }) {
  const { rounds, wins } = useMemo(() => countWins(game, info.selections, results), [game, info, results]);
  const groups = info.groups.map((group) => ({
    group,
    bets: info.selections.filter((one) => one.group === group && one.pick === null && !one.sides.includes('YES')),
  }));
  return (
    <>
      <p className="t2 fs-12">{t`Rounds of ${rounds} in which the bet won.`}</p>
      {groups.map(
        ({ group, bets }) =>
          bets.length > 0 && (
            <section key={group} aria-label={group}>
              <div className={controlsCss.label}>{group}</div>
              <dl className={css.box}>
                {bets.map(({ id, name }) => (
                  <div key={id}>
                    <dt className="clip" title={name}>
                      {name}
                    </dt>
                    <dd className="num">{wins.get(id) ?? 0}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ),
      )}
    </>
  );
}
