import { formatOdds, formatTime } from '../../src/platform/format.ts';
import { SPORTS } from '../../src/platform/sports.ts';
import { CountdownRing } from '../../src/ui/countdown-ring.tsx';
import { Logo } from '../../src/ui/logo.tsx';
import { PlayingCard } from '../../src/ui/playing-card.tsx';
import { OverRow, Scoreboard, ScoreRows, ScoreTeam, ScoreTop } from '../../src/ui/scoreboard.tsx';
import { SILK_PATTERNS, Silks } from '../../src/ui/silks.tsx';
import { Sparkline } from '../../src/ui/sparkline.tsx';
import { SportIcon } from '../../src/ui/sport-icon.tsx';
import { StepChart } from '../../src/ui/step-chart.tsx';
import type { Part } from '../parts.ts';
import { NOW_MS } from '../still.ts';

const points = [218, 220, 216, 214, 222, 230, 226].map((v, i) => ({ t: NOW_MS + (i - 7) * 600_000, v }));
const chart = { label: 'Price', formatValue: formatOdds, formatTime };

export const DRAWINGS: readonly Part[] = [
  {
    name: 'scoreboard',
    wide: true,
    states: {
      cricket: (say) => (
        <Scoreboard>
          <ScoreTop
            left={<ScoreTeam name={say('India')} score="241/4" small="38.2" active />}
            right={<ScoreTeam name={say('Australia')} score="288" small="50" end />}
            head="Target 289"
            sub="CRR 6.29"
          />
          <ScoreRows>
            <OverRow label="39" before={['1', '4']} balls={['0', '6', 'W', '1wd', '2', '']} sum="13" />
          </ScoreRows>
        </Scoreboard>
      ),
      football: (say) => (
        <Scoreboard turf="pitch">
          <ScoreTop
            left={<ScoreTeam name={say('Leeds')} score="2" />}
            right={<ScoreTeam name={say('Hull')} score="1" end />}
            head="63'"
            short
          />
        </Scoreboard>
      ),
    },
  },
  {
    name: 'chart',
    wide: true,
    also: ['phone'],
    states: {
      'one line': () => <StepChart {...chart} series={[{ name: 'India', points }]} until={NOW_MS} />,
      'two lines and bars': () => (
        <StepChart
          {...chart}
          bars={[0, 3, 9, 1, 4]}
          series={[
            { name: 'India', points },
            { name: 'Australia', points: points.map(({ t, v }) => ({ t, v: 400 - v })), dashed: true },
          ]}
        />
      ),
      empty: () => <StepChart {...chart} series={[]} height={60} />,
      trend: () => <Sparkline points={points.map(({ v }) => v)} />,
      'no trend': () => <Sparkline points={[]} />,
    },
  },
  {
    name: 'playing-card',
    states: {
      ...Object.fromEntries(['AS', '10H', 'QD', '2C', 'back'].map((card) => [card, () => <PlayingCard card={card} />])),
      'empty place': () => <PlayingCard card={null} />,
      'time left': () => <CountdownRing endsAtMs={NOW_MS + 18_000} totalMs={25_000} />,
      late: () => <CountdownRing endsAtMs={NOW_MS + 4_000} totalMs={25_000} />,
      closed: () => <CountdownRing endsAtMs={NOW_MS} totalMs={25_000} />,
    },
  },
  {
    name: 'silks',
    states: {
      ...Object.fromEntries(
        SILK_PATTERNS.map((pattern) => [
          pattern,
          () => <Silks body="#c62828" sleeves="#fdd835" cap="#1565c0" pattern={pattern} patternColour="#fdd835" />,
        ]),
      ),
      'non-runner': () => (
        <Silks body="#c62828" sleeves="#fdd835" cap="#1565c0" pattern="hoops" patternColour="#fdd835" grey />
      ),
    },
  },
  {
    name: 'mark',
    states: {
      small: () => <Logo size="sm" />,
      middle: () => <Logo />,
      large: () => <Logo size="lg" />,
      sports: () => (
        <span className="row g-4 gal__icons">
          {[...SPORTS.map(({ type }) => type), 'unknown'].map((sport) => (
            <SportIcon key={sport} sport={sport} size={22} />
          ))}
        </span>
      ),
    },
  },
];
