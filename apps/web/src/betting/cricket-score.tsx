import type { CricketScore } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { listed } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import { OverRow, Scoreboard, ScoreRows, ScoreTeam, ScoreTop } from '../ui/scoreboard.tsx';

const oversText = (balls: number): string =>
  balls % 6 === 0 ? String(balls / 6) : `${Math.floor(balls / 6)}.${balls % 6}`;

const rate = (name: string, perOver: string | number | null | undefined): string =>
  Number(perOver) > 0 ? `${name} ${perOver}` : '';

/** All out is said by the runs alone, as scorers write it. */
const inningsText = ({ runs, wickets, declared }: CricketScore['innings'][number]): string =>
  wickets === 10 ? String(runs) : `${runs}/${wickets}${declared ? 'd' : ''}`;

const LAST_BALLS = 9;

/** The last balls up to the next one, the end of an over marked. */
function LastBalls({ overs }: { overs: CricketScore['overs'] }) {
  const [now, before] = overs;
  // The line is there from the first ball on and before it: nothing below moves.
  if (!now) return <OverRow label={t`Over 1`} balls={['']} />;
  const going = now.balls.length < 6;
  const balls = going ? [...now.balls, ''] : now.balls;
  const earlier = before?.balls.slice(-Math.max(0, LAST_BALLS - balls.length)) ?? [];
  return <OverRow label={t`Over ${{ over: now.over }}`} before={earlier} balls={balls} />;
}

/** The match at a glance, and with it the card of batters, bowlers and overs, or (`strip`) its last balls alone. */
export function Cricket({
  score,
  teams,
  strip,
}: {
  score: CricketScore;
  teams: readonly [string, string];
  strip: boolean;
}) {
  const rates = listed(
    rate(t`CRR`, score.currentRunRate),
    // A target that is not a matter of overs, as in a Test, has no rate.
    rate(t`RRR`, score.requiredRunRate),
  );
  return (
    <Scoreboard label={t`Cricket score`}>
      <ScoreTop
        left={<Team score={score} name={teams[0]} />}
        right={<Team score={score} name={teams[1]} end />}
        head={named(score.line)}
        sub={rates}
      />
      {strip && <LastBalls overs={score.overs} />}
      {!strip && score.batters.length + score.bowlers.length + score.overs.length > 0 && (
        <ScoreRows>
          <div>{score.batters.length > 0 && <Batters score={score} />}</div>
          <div>{score.bowlers.length > 0 && <Bowlers of={score.bowlers} />}</div>
          <div>
            {score.overs.map((over, at) => (
              <OverRow
                key={over.over}
                label={t`Over ${{ over: over.over }}`}
                balls={at === 0 && over.balls.length < 6 ? [...over.balls, ''] : over.balls}
                sum={over.runs}
              />
            ))}
          </div>
        </ScoreRows>
      )}
    </Scoreboard>
  );
}

/** All innings of a team, and the overs of the last one. */
function Team({ score, name, end = false }: { score: CricketScore; name: string; end?: boolean }) {
  const all = score.innings.filter((one) => one.team === name);
  const last = all.at(-1);
  return (
    <ScoreTeam
      name={name}
      score={all.map(inningsText).join(' & ') || undefined}
      small={last && t`${{ overs: oversText(last.balls) }} ov`}
      active={score.innings[score.battingIndex]?.team === name}
      two={all.length > 1}
      end={end}
    />
  );
}

function Batters({ score: { batters, partnership } }: { score: CricketScore }) {
  return (
    <table>
      <Heads of={[t`Batter`, 'R', 'B', '4s', '6s']} />
      <tbody>
        {batters.map((one) => (
          <tr key={one.name}>
            <td>
              {one.name}
              {one.onStrike && ' *'}
            </td>
            <td>
              <b>{one.runs}</b>
            </td>
            <td>{one.balls}</td>
            <td>{one.fours}</td>
            <td>{one.sixes}</td>
          </tr>
        ))}
        <tr className="t3">
          <td>{t`Partnership`}</td>
          <td>{partnership.runs}</td>
          <td>{partnership.balls}</td>
          <td />
          <td />
        </tr>
      </tbody>
    </table>
  );
}

function Bowlers({ of }: { of: CricketScore['bowlers'] }) {
  return (
    <table>
      <Heads of={[t`Bowler`, 'O', 'R', 'W']} />
      <tbody>
        {of.map((one) => (
          <tr key={one.name}>
            <td>{one.name}</td>
            <td>{oversText(one.balls)}</td>
            <td>{one.runs}</td>
            <td>
              <b>{one.wickets}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Heads({ of }: { of: readonly string[] }) {
  return (
    <thead>
      <tr>
        {of.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
