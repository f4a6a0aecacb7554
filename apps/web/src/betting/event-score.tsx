import { CALLS, type FootballScore, type RaceScore, type Score, type TennisScore } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCall } from '../api/api.ts';
import { useScore, useStopped } from '../live/live.ts';
import { listed } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import { Scoreboard, ScoreTeam, ScoreTop } from '../ui/scoreboard.tsx';
import { Cricket } from './cricket-score.tsx';
import css from '../ui/scoreboard.module.css';

/** The score of a match in the turf panel; names only while none has come. */
export function EventScore({
  matchId,
  matchType,
  first,
  stopAt,
  teams,
  strip = false,
}: {
  matchId: number;
  matchType: string;
  first: Score | null;
  /** When it ended, as it was read; null while it goes on. */
  stopAt: string | null;
  teams: readonly [string, string];
  /** A phone's few lines: both teams, the chase and the last balls, without the card of batters and bowlers. */
  strip?: boolean;
}) {
  const score = useEventScore(matchId, matchType) ?? first;
  // What was settled or called off before its start never starts.
  const unplayed = (useStopped(matchId) ?? stopAt) === null ? t`Not started` : t`Finished`;
  switch (score?.sport) {
    case 'cricket':
      return <Cricket score={score} teams={teams} strip={strip} />;
    case 'football':
      return <Football score={score} unplayed={unplayed} />;
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
          <ScoreTop left={<ScoreTeam name={teams[0]} />} right={<ScoreTeam name={teams[1]} end />} head={unplayed} />
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

function Football({ score, unplayed }: { score: FootballScore; unplayed: string }) {
  const list = (side: 'home' | 'away') =>
    listed(
      ...score.events
        .filter((event) => event.side === side && (event.kind === 'goal' || event.kind === 'red'))
        .map((event) => `${named(event.player)} ${event.minute}'${event.kind === 'red' ? ` (${t`red card`})` : ''}`),
    );
  return (
    <Scoreboard label={t`Football score`} turf="pitch">
      <ScoreTop
        left={<ScoreTeam name={score.home} score={score.homeGoals} small={list('home')} />}
        right={<ScoreTeam name={score.away} score={score.awayGoals} small={list('away')} end />}
        head={
          score.phase === 'NS'
            ? unplayed
            : score.phase === 'HT'
              ? t`Half time`
              : score.phase === 'FT'
                ? t`Full time`
                : `${score.clock}'`
        }
        sub={{ '1H': t`First half`, '2H': t`Second half` }[score.phase] ?? ''}
        short
      />
    </Scoreboard>
  );
}

function Tennis({ score }: { score: TennisScore }) {
  return (
    <Scoreboard label={t`Tennis score`} turf="court">
      <table className={css.tennis}>
        <thead>
          <tr>
            <th scope="col">{named(score.line) || t`Best of ${{ count: score.bestOf }}`}</th>
            {score.sets.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the number of the set is its identity
              <th key={at} scope="col">
                {at + 1}
              </th>
            ))}
            <th scope="col">{t`Points`}</th>
          </tr>
        </thead>
        <tbody>
          {score.players.map((player, who) => (
            <tr key={player}>
              <td>
                {player}
                {score.server === who && <span title={t`Serving`}> •</span>}
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
  const { order, finished, remaining } = score;
  return (
    <Scoreboard label={t`Race positions`} turf="track">
      {order.length === 0 ? (
        <ScoreTop left={<span />} right={<span />} head={t`Not started`} />
      ) : (
        <ScoreTop
          left={<b>{finished ? t`Finished` : t`Running`}</b>}
          right={<span />}
          head={finished ? t`Result` : t`${{ metres: remaining }} m to go`}
        />
      )}
      <ol className={css.order}>
        {order.slice(0, finished ? 4 : 8).map((one, at) => (
          <li key={one.runnerId}>
            <b>{at + 1}</b> {one.clothNumber}. {one.name}
          </li>
        ))}
      </ol>
    </Scoreboard>
  );
}
