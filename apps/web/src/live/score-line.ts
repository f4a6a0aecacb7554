import type { Score } from '@fairgame/contract';
import { t } from '@lingui/core/macro';

const overs = (balls: number): string => `${Math.floor(balls / 6)}.${balls % 6}`;

const leads = (name: string): string => t`${name} leads`;

/** A score in a row of a list: what stands under In-play, and the line beside the competition. */
export function scoreLine(score: Score): { when: string; text: string } {
  switch (score.sport) {
    case 'cricket': {
      const now = score.innings[score.battingIndex];
      if (!now) return { when: '', text: score.note };
      return {
        when: t`${{ overs: overs(now.balls) }} ov`,
        text: `${now.short} ${now.runs}/${now.wickets}${score.note ? `, ${lower(score.note.replace(now.team, '').trim())}` : ''}`,
      };
    }
    case 'football':
      return {
        when: score.phase === 'HT' ? t`Half time` : `${score.clock}'`,
        text: `${score.homeGoals}\u2013${score.awayGoals}`,
      };
    case 'tennis':
      return {
        when: t`Set ${{ number: score.sets.length }}`,
        text: score.sets.map(([a, b]) => `${a}\u2013${b}`).join(' '),
      };
    case 'horseRacing':
    case 'greyHound':
      return { when: score.finished ? t`Finished` : t`Off`, text: score.order[0] ? leads(score.order[0].name) : '' };
    case 'politics':
      return { when: '', text: score.line };
  }
}

/** Goes on in small letters after the comma, except where a team's name begins it. */
const lower = (text: string): string =>
  /^(Day|Stumps|Lunch|Tea|Rain|Innings|Match|Super)\b/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
