import {
  CALLS,
  type CricketScore,
  type FootballScore,
  type RaceScore,
  type Score,
  type TennisScore,
} from '@fairgame/contract';
import { useCall } from '../../api/api.ts';
import { useScore } from '../../live/live.ts';
import { OverRow, Scoreboard, ScoreRows, ScoreTeam, ScoreTop } from '../../ui/scoreboard.tsx';

/** The score of a match in the turf panel; names only while none has come. */
export function EventScore({
  matchId,
  matchType,
  first,
  teams,
  strip = false,
}: {
  matchId: number;
  matchType: string;
  first: Score | null;
  teams: readonly [string, string];
  /** A phone's few lines: both teams, the chase and the last balls, without the card of batters and bowlers. */
  strip?: boolean;
}) {
  const score = useEventScore(matchId, matchType) ?? first;
  switch (score?.sport) {
    case 'cricket':
      return <Cricket score={score} teams={teams} strip={strip} />;
    case 'football':
      return <Football score={score} />;
    case 'tennis':
      return <Tennis score={score} />;
    case 'horseRacing':
    case 'greyHound':
      return <Race score={score} />;
    case 'politics':
      return null;
    default:
      return (
        <Scoreboard>
          <ScoreTop left={<ScoreTeam name={teams[0]} />} right={<ScoreTeam name={teams[1]} end />} head="Not started" />
        </Scoreboard>
      );
  }
}

/** As the socket tells it; before its first word as it is asked for. */
function useEventScore(matchId: number, matchType: string): Score | null {
  const live = useScore(matchId);
  const cricket = matchType === 'cricket';
  const input = { query: { eventId: String(matchId) } };
  const ofCricket = useCall(CALLS.catalog.cricketScore, input, { enabled: live === null && cricket });
  const ofOther = useCall(CALLS.catalog.sportScore, input, { enabled: live === null && !cricket });
  return live ?? (cricket ? ofCricket.data?.data : ofOther.data) ?? null;
}

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
  if (!now) return <OverRow label="Over 1" balls={['']} />;
  const going = now.balls.length < 6;
  const balls = going ? [...now.balls, ''] : now.balls;
  const earlier = before?.balls.slice(-Math.max(0, LAST_BALLS - balls.length)) ?? [];
  return <OverRow label={`Over ${now.over}`} before={earlier} balls={balls} />;
}

function Cricket({ score, teams, strip }: { score: CricketScore; teams: readonly [string, string]; strip: boolean }) {
  const of = (team: string) => {
    const all = score.innings.filter((one) => one.team === team);
    const last = all.at(-1);
    return {
      score: all.map(inningsText).join(' & '),
      two: all.length > 1,
      overs: last ? `${oversText(last.balls)} ov` : undefined,
    };
  };
  const batting = score.innings[score.battingIndex]?.team;
  const [left, right] = teams.map((team) => ({ team, ...of(team) }));
  const rates = [
    rate('CRR', score.currentRunRate),
    // A target that is not a matter of overs, as in a Test, has no rate.
    rate('RRR', score.requiredRunRate),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <Scoreboard label="Cricket score">
      <ScoreTop
        left={
          <ScoreTeam
            name={left!.team}
            score={left!.score || undefined}
            small={left!.overs}
            active={batting === left!.team}
            two={left!.two}
          />
        }
        right={
          <ScoreTeam
            name={right!.team}
            score={right!.score || undefined}
            small={right!.overs}
            active={batting === right!.team}
            two={right!.two}
            end
          />
        }
        head={score.line}
        sub={rates}
      />
      {strip && <LastBalls overs={score.overs} />}
      {!strip && score.batters.length + score.bowlers.length + score.overs.length > 0 && (
        <ScoreRows>
          <div>
            {score.batters.length > 0 && (
              <table>
                <Heads of={['Batter', 'R', 'B', '4s', '6s']} />
                <tbody>
                  {score.batters.map((one) => (
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
                    <td>Partnership</td>
                    <td>{score.partnership.runs}</td>
                    <td>{score.partnership.balls}</td>
                    <td />
                    <td />
                  </tr>
                </tbody>
              </table>
            )}
          </div>
          <div>
            {score.bowlers.length > 0 && (
              <table>
                <Heads of={['Bowler', 'O', 'R', 'W']} />
                <tbody>
                  {score.bowlers.map((one) => (
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
            )}
          </div>
          <div>
            {score.overs.map((over, at) => (
              <OverRow
                key={over.over}
                label={`Over ${over.over}`}
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

function Football({ score }: { score: FootballScore }) {
  const list = (side: 'home' | 'away') =>
    score.events
      .filter((event) => event.side === side && (event.kind === 'goal' || event.kind === 'red'))
      .map((event) => `${event.player} ${event.minute}'${event.kind === 'red' ? ' (red card)' : ''}`)
      .join(', ');
  return (
    <Scoreboard label="Football score" turf="pitch">
      <ScoreTop
        left={<ScoreTeam name={score.home} score={score.homeGoals} small={list('home')} />}
        right={<ScoreTeam name={score.away} score={score.awayGoals} small={list('away')} end />}
        head={
          score.phase === 'NS'
            ? 'Not started'
            : score.phase === 'HT'
              ? 'Half time'
              : score.phase === 'FT'
                ? 'Full time'
                : `${score.clock}'`
        }
        sub={{ '1H': 'First half', '2H': 'Second half' }[score.phase] ?? ''}
        short
      />
    </Scoreboard>
  );
}

function Tennis({ score }: { score: TennisScore }) {
  return (
    <Scoreboard label="Tennis score" turf="court">
      <table className="sb__tennis">
        <thead>
          <tr>
            <th scope="col">{score.line || `Best of ${score.bestOf}`}</th>
            {score.sets.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the number of the set is its identity
              <th key={at} scope="col">
                {at + 1}
              </th>
            ))}
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {score.players.map((player, who) => (
            <tr key={player}>
              <td>
                {player}
                {score.server === who && <span title="Serving"> •</span>}
              </td>
              {score.sets.map((set, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the number of the set is its identity
                <td key={at}>
                  <b>{set[who as 0 | 1]}</b>
                </td>
              ))}
              <td>{score.points[who as 0 | 1]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scoreboard>
  );
}

function Race({ score }: { score: RaceScore }) {
  if (score.order.length === 0) return null;
  return (
    <Scoreboard label="Race positions" turf="track">
      <ScoreTop
        left={<b>{score.finished ? 'Finished' : 'Running'}</b>}
        right={<span />}
        head={score.finished ? 'Result' : `${score.remaining} m to go`}
        sub={score.progress}
      />
      <ol className="sb__order">
        {score.order.slice(0, score.finished ? 4 : 8).map((one, at) => (
          <li key={one.runnerId}>
            <b>{at + 1}</b> {one.clothNumber}. {one.name}
          </li>
        ))}
      </ol>
    </Scoreboard>
  );
}
