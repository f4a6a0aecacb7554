import type { CricketScore, Score } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { figures, listed } from '../platform/format.ts';
import { language } from '../platform/language.ts';
import { named } from '../platform/named.ts';

const overs = (balls: number): string => `${Math.floor(balls / 6)}.${balls % 6}`;

const leads = (name: string): string => t`${name} leads`;

/** A score in a row of a list: what stands under In-play, and the line beside the competition. */
export function scoreLine(score: Score): { when: string; text: string } {
  switch (score.sport) {
    case 'cricket': {
      const now = score.innings[score.battingIndex];
      if (!now) return { when: '', text: named(score.note) };
      return {
        when: t`${{ overs: overs(now.balls) }} ov`,
        text: listed(`${now.short} ${now.runs}/${now.wickets}`, noteOf(score.note, now)),
      };
    }
    case 'football':
      return {
        when: score.phase === 'HT' ? t`Half time` : figures(`${score.clock}'`),
        text: figures(`${score.homeGoals}\u2013${score.awayGoals}`),
      };
    case 'tennis':
      return {
        when: t`Set ${{ number: score.sets.length }}`,
        text: figures(score.sets.map(([a, b]) => `${a}\u2013${b}`).join(' ')),
      };
    case 'horseRacing':
    case 'greyHound':
      return {
        when: score.finished ? t`Finished` : named('Off'),
        text: score.order[0] ? leads(score.order[0].name) : '',
      };
    case 'politics':
      return { when: '', text: named(score.line) };
  }
}

/** Behind the team's score: "need 74 off 70". Not every language goes on so: in another the team is named again, in short. */
const noteOf = (note: string, { team, short }: CricketScore['innings'][number]): string =>
  language() === 'en'
    ? note
        .replace(team, '')
        .trim()
        .replace(/^(Stumps|Rain|Match|Scores|Super)\b/, (word) => word.toLowerCase())
    : named(note.replace(team, short));
