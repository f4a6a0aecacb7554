/**
 * The rules texts players read, by sport and category, in our own words with the figures of the specification (section 9).
 * The operator may replace the texts of a sport. Some lines tell what the operator may do; the program never takes a penalty
 * or a fee from a player by itself (CAR-48).
 */
export interface RulesOfSport {
  sportName: string;
  rules: Array<{ category: string; description: Array<{ text: string; color: 'red' | 'black' | 'none' }> }>;
}

type Line = string | readonly ['red' | 'black', string];

const category = (name: string, lines: readonly Line[]): RulesOfSport['rules'][number] => ({
  category: name,
  description: lines.map((line) =>
    typeof line === 'string' ? { text: line, color: 'none' } : { text: line[1], color: line[0] },
  ),
});
const red = (text: string) => ['red', text] as const;
const black = (text: string) => ['black', text] as const;

export const RULES_TEXTS: readonly RulesOfSport[] = [
  {
    sportName: 'General',
    rules: [
      category('General', [
        black(
          'These rules hold for every market. Where a rule of a sport says otherwise, the rule of the sport counts.',
        ),
        'You must be 18 or over, or the legal age where you live if that is higher.',
        'A bet stands from the moment the site accepts it. A bet that waits for its delay is not accepted yet.',
        'In-play bets wait for the delay that the market shows. If the market is suspended during that time, the bet lapses.',
        red(
          'Live television runs with a delay of 5 seconds or more. What you see may already have happened, and prices may already know it.',
        ),
        'Exchange bets are matched at the price you asked for or a better one, first by price and then by time.',
        'The unmatched part of a bet lapses when the market closes, and when it turns in-play unless you chose to keep it.',
        'Bookmaker and session bets are taken whole at the shown rate, or refused.',
        'The minimum and the maximum stake stand beside each market.',
        'Your exposure is the most your open bets can cost you. A bet that your available balance does not cover is refused.',
        'Results are taken from the official body of the sport. If a result was declared by mistake, it is taken back exactly and declared anew.',
        'A void bet is as if it had never been placed: the stake comes back, and neither side wins or loses.',
        'A bet is only ever removed by the operator, with a reason that you can read in your bets.',
        'Claims about a transaction must reach us within 6 months.',
      ]),
      category('Commission', [
        'On exchange markets a commission is taken from your net win in the market, at the rate the market shows. A market you lose costs no commission.',
        'Bookmaker, session and other house-quoted markets carry no commission.',
      ]),
    ],
  },
  {
    sportName: 'Cricket',
    rules: [
      category('General', [
        red('Queries about a result or a rate are taken within 7 days of the match. Later ones are not looked at.'),
        red(
          'Winning bets are voided, with a penalty of 2X, where they are ground bets: placed from the ground ahead of the picture.',
        ),
        red(
          'Winning bets are voided, with a penalty of 2X, where they are group bets: placed by several accounts acting as one.',
        ),
        red(
          'Winning bets are voided, with a penalty of 2X, where they are punching bets: placed on a result already known.',
        ),
        'Every such decision names the rule, the time and who took it, and treats both sides of a bet alike.',
        'If a match is moved to another ground or another day of the same tour, bets stand.',
      ]),
      category('Match', [
        'Match odds are settled by the official result, including a result by a reserve day or by a revised target.',
        'In a tie, bets on match odds are void where a tie was not offered, unless a super over decides the match.',
        'If a limited-overs match has no result, all bets on match odds are void.',
        'In a Test match the draw is a result of its own and can be bet on.',
        'An ODI that is cut short is decided, for markets that compare the teams, by the score after 25 overs.',
        'A T20 that is cut short is decided, for markets that compare the teams, by the score after 10 overs.',
      ]),
      category('Bookmaker', [
        'Bookmaker rates are quoted per 100: at a rate of 80, a back bet of 100 wins 80, and a lay bet of 100 risks 80 to win 100.',
        'Bookmaker bets are settled by the result of the match. If the match is abandoned or tied without a super over, they are void.',
        'While a ball is running, or the row says suspended, no bet is taken.',
      ]),
      category('Fancy', [
        'A session bet is on the runs scored up to the end of the named over. Yes wins when the runs reach the line, no wins when they stay below it.',
        'The rate beside the line says what 100 wins or risks.',
        'If the named over is not completed because of rain or any other reason, the bet is void, unless the innings ended before it.',
        'A session that ends with an all-out or a declaration counts with the runs scored.',
        black('Test sessions need a minimum of 25 overs bowled in the session; otherwise the session is void.'),
        black('The 1st day total of a Test needs 80 overs bowled on the day; otherwise it is void.'),
        black('The lambi (total) of a Test innings needs 70 overs, or the end of the innings; otherwise it is void.'),
        black('Other fancies of a Test need 300 overs in the match, or its end; otherwise they are void.'),
        'Runs in a super over do not count for any session of the match.',
      ]),
      category('fancy1', [
        'A fancy of this kind asks whether something happens. Yes and no are quoted at decimal odds and taken whole.',
        'If the match is abandoned before the question is decided, bets are void; what was decided before stands.',
      ]),
      category('khado', [
        'A khado bet covers the shown number of runs from its line upwards: it wins when the score falls within them.',
        'If the named over is not completed, the bet is void, unless the innings ended before it.',
      ]),
      category('meter', [
        'A meter bet wins or loses the stake once for every run between the line and the score, up to the shown cap.',
        'Your exposure is reckoned to the cap from the start.',
      ]),
      category('oddEven', [
        'The bet is on whether the runs of the over, session or innings are odd or even. No runs at all count as even.',
        'If the over is not completed, the bet is void.',
      ]),
      category('World cup special', [
        'Where a match of the tournament is abandoned, averages are taken for it: 45 fours, 11 sixes and 15 wickets, and so on by the table of the event.',
        'A match counts as abandoned when no result is declared by the organiser.',
        'Tournament specials are settled after the last match, by the figures of the organiser and the averages for abandoned matches.',
      ]),
      category('Tied and completed match', [
        'The tied match market asks whether both teams end level after their overs, before any super over.',
        'The completed match market asks whether the match has a result on the pitch; a revised target counts, a washed-out match does not.',
      ]),
    ],
  },
  {
    sportName: 'Football',
    rules: [
      category('General', [
        'Markets are settled by the score after 90 minutes with the added time of the referee. Extra time and penalty shoot-outs do not count unless the market says so.',
        red('If a match is not played within 48 hours of its start time, all bets on it are void.'),
        'If a match is stopped and not finished within 48 hours, bets are void, except on markets that were decided before.',
      ]),
      category('Match', [
        'Match odds have three results: home, draw and away.',
        'The market is suspended at a goal, a penalty or a red card. Unmatched bets of markets that say so lapse then.',
        'Bets matched after an event that the picture had not shown yet may be voided, for both sides alike.',
      ]),
      category('Bookmaker', [
        'Bookmaker rates are quoted per 100 and settled by the result after 90 minutes with added time.',
      ]),
    ],
  },
  {
    sportName: 'Tennis',
    rules: [
      category('Match', [
        'Match odds are settled by who goes on to the next round or wins the tournament.',
        'If a player retires or is disqualified after the first set is complete, the other player is the winner for match odds. Before that, bets are void.',
        'If a match is moved or delayed, bets stand as long as it is played within the tournament.',
      ]),
      category('General', [
        'Markets on a set are settled when the set is complete; otherwise they are void.',
        'A change of surface or from outdoor to indoor does not change a bet.',
      ]),
    ],
  },
  {
    sportName: 'Horse Racing',
    rules: [
      category('Match', [
        'Markets are settled by the result at the weigh-in. Later changes do not count.',
        'If a horse is withdrawn, bets on it are void, and the prices of bets matched before on the others are reduced by its reduction factor.',
        'In place markets the reduction applies to the winnings, in win markets to the price.',
        'In a dead heat the stake is divided by the number of runners that share the place.',
        'If a race is abandoned, or run on another day, bets are void.',
      ]),
      category('General', [
        'In-play betting is open only where the race says so. Pictures of races run with a delay of 5 seconds or more.',
      ]),
    ],
  },
  {
    sportName: 'GreyHound Racing',
    rules: [
      category('Match', [
        'Markets are settled by the official result. If a race is declared void or not run, bets are void.',
        'If a greyhound is withdrawn and no reserve runs in its trap, bets on it are void. No reduction factor applies.',
        'A bet on a trap stands for the reserve that runs in it only where the market says trap.',
        'In a dead heat the stake is divided by the number of runners that share the place.',
      ]),
    ],
  },
  {
    sportName: 'Politics',
    rules: [
      category('Match', [
        'Markets are settled by the result that the responsible authority announces first. Later recounts and courts do not change it.',
        'If a candidate withdraws, bets on the candidate lose unless the market says otherwise.',
        'If the vote is not held within the stated year, bets are void.',
      ]),
    ],
  },
  {
    sportName: 'Basketball',
    rules: [
      category('Match', [
        'Overtime counts unless the market says otherwise.',
        red(
          'For bets to stand, 5 minutes or less must be left in the match when it is stopped. Otherwise they are void.',
        ),
      ]),
    ],
  },
  {
    sportName: 'Motor Sports',
    rules: [
      category('Match', [
        red('Bets stand if the race concludes within 72 hours of its start time. Otherwise they are void.'),
        'Markets are settled by the order on the podium. Later penalties and disqualifications do not count.',
        'A driver who starts the warm-up lap has taken part. Bets on a driver who has not are void.',
      ]),
    ],
  },
  {
    sportName: 'Other sports',
    rules: [
      category('General', [
        'A match that is not played on its day, or within the time the organiser announces that day, leaves bets void.',
        'What was decided before a match was stopped stands.',
      ]),
    ],
  },
  {
    sportName: 'Casino',
    rules: [
      category('General', [
        'A bet on a round stands when it is accepted before the cards are dealt. The rules of a table stand beside it.',
        'If a round cannot be finished, its bets are void and the stakes come back.',
        'The result of a round is the one the table shows; the seed is published afterwards, so that you can check it yourself.',
      ]),
    ],
  },
];
