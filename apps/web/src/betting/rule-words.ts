import type { MarketImage } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { listed } from '../platform/format.ts';
import { say, type Words } from '../platform/language.ts';
import { isDraw, limitsText } from './market-words.ts';

export interface MarketRule {
  head: string;
  text: string;
}

/** How a market of each kind is decided, and when it is not. `house` ones are quoted by the site and taken whole. */
const DECIDED: Readonly<Record<string, ReadonlyArray<Record<keyof MarketRule, Words>>>> = {
  bookmaker: [
    { head: msg`Price`, text: msg`A rate is what 100 wins: at 80, a back of 100 wins 80, and a lay of 100 risks 80.` },
    { head: msg`Void`, text: msg`If the match has no result, bets are void.` },
  ],
  session: [
    { head: msg`Result`, text: msg`Yes wins when the runs reach the line, No when they stay below it.` },
    { head: msg`Price`, text: msg`The rate under the line is what 100 wins on Yes, and what No risks to win 100.` },
    {
      head: msg`Void`,
      text: msg`If the over or stand it names is not completed and the innings did not end before it, bets are void.`,
    },
  ],
  fancy1: [
    { head: msg`Result`, text: msg`Yes wins when it happens, No when it does not.` },
    { head: msg`Void`, text: msg`If the match stops before the question is decided, bets are void.` },
  ],
  oddEven: [
    { head: msg`Result`, text: msg`The runs decide: odd or even. No runs at all count as even.` },
    { head: msg`Void`, text: msg`If the over is not completed and the innings did not end before it, bets are void.` },
  ],
  khado: [
    { head: msg`Result`, text: msg`A row wins when the score falls within the runs it shows.` },
    {
      head: msg`Void`,
      text: msg`If the named over is not completed and the innings did not end before it, bets are void.`,
    },
  ],
  meter: [
    { head: msg`Result`, text: msg`A bet wins or loses its stake once for every run between the line and the score.` },
    { head: msg`Exposure`, text: msg`It is reckoned to the highest score the market counts, from the start.` },
  ],
  cricketCasino: [
    { head: msg`Result`, text: msg`The last digit of the score decides.` },
    { head: msg`Void`, text: msg`If the innings is not played, bets are void.` },
  ],
  tied: [
    { head: msg`Result`, text: msg`Yes wins when both teams end level after their overs, before any super over.` },
  ],
  completed: [
    { head: msg`Result`, text: msg`Yes wins when the match has a result on the pitch. A washed-out match is No.` },
  ],
};
/** What a kind of fancy is called where several stand together. */
const KIND_NAMES: Readonly<Record<string, Words>> = {
  session: msg`Runs at a mark`,
  fancy1: msg`Yes or no`,
  oddEven: msg`Odd or even`,
  khado: msg`Khado`,
  meter: msg`Meter`,
  cricketCasino: msg`Last digit`,
};
const SAME_AS: Readonly<Record<string, string>> = { overByover: 'session', ballByBall: 'session' };

const decided = (kind: string): MarketRule[] =>
  (DECIDED[kind] ?? []).map(({ head, text }) => ({ head: say(head), text: say(text) }));

/** The rules of markets that stand under one head, each kind once; then what they have in common. */
export function groupRules(markets: readonly MarketImage[]): Array<{ title: string; rules: readonly MarketRule[] }> {
  const kinds = [...new Set(markets.map(({ kind }) => SAME_AS[kind] ?? kind))];
  const first = markets[0];
  if (!first) return [];
  return [
    ...kinds.map((kind) => ({ title: say(KIND_NAMES[kind] ?? kind), rules: decided(kind) })),
    { title: t`All of them`, rules: commonRules(first).filter(({ head }) => head !== t`Stake`) },
  ];
}

/** The rules of this market in plain words, from its own figures. */
export function marketRules(market: MarketImage): MarketRule[] {
  const book = market.kind === 'book';
  return [
    ...(book ? bookRules(market) : decided(SAME_AS[market.kind] ?? market.kind)),
    ...tieRule(market),
    ...reductions(market),
    ...commonRules(market),
  ];
}

function commonRules(market: MarketImage): MarketRule[] {
  return [
    { head: t`Commission`, text: commission(market.commissionBps) },
    { head: t`Bet delay`, text: delay(market) },
    { head: t`In-play`, text: inPlay(market) },
    ...(market.kind === 'book'
      ? [
          {
            head: t`Unmatched bets`,
            text: market.lapseOnSuspend
              ? t`They lapse each time the market is suspended, and when it closes.`
              : t`They lapse when the market closes, and when it turns in-play unless you chose to keep them.`,
          },
        ]
      : [
          {
            head: t`Taking a bet`,
            text: t`The site quotes this market. A bet is taken whole at the rate shown, or not.`,
          },
        ]),
    { head: t`Stake`, text: t`${{ limits: limitsText(market) }} for one bet.` },
  ];
}

function bookRules({ winners }: MarketImage): MarketRule[] {
  return [
    winners === 1
      ? { head: t`Winners`, text: t`One runner wins; the others lose.` }
      : { head: t`Winners`, text: t`The first ${winners} win, each at the full price; the others lose.` },
    {
      head: t`Dead heat`,
      text: t`When more runners share the win than win places are left, the stake is divided by the number that share it: each part is settled at the full price, the rest loses.`,
    },
  ];
}

function tieRule({ kind, winners, tieRule, runners }: MarketImage): MarketRule[] {
  if (winners !== 1 || (kind !== 'book' && kind !== 'bookmaker')) return [];
  if (runners.some((runner) => isDraw(runner.name))) {
    return [{ head: t`Tie`, text: t`The draw is a runner of its own: the others lose when it wins.` }];
  }
  return [
    {
      head: t`Tie`,
      text:
        tieRule === 'DEAD_HEAT'
          ? t`If it ends level and nothing decides it, all runners share the win as in a dead heat.`
          : t`If it ends level and nothing decides it, bets are void and stakes come back.`,
    },
  ];
}

function reductions({ runners, winners }: MarketImage): MarketRule[] {
  const factors = runners.filter((runner) => runner.factor > 0);
  if (factors.length === 0) return [];
  const out = factors.filter((runner) => runner.status === 'REMOVED');
  return [
    {
      head: t`Non-runners`,
      text:
        winners > 1
          ? t`Bets on a runner that is withdrawn are void, and the winnings of bets matched before are reduced by its reduction factor.`
          : t`Bets on a runner that is withdrawn are void, and prices matched before are reduced by its reduction factor.`,
    },
    ...(out.length > 0
      ? [{ head: t`Reduced by`, text: listed(...out.map((one) => `${one.name} ${percent(one.factor)}`)) }]
      : []),
  ];
}

const commission = (bps: number): string =>
  bps > 0 ? t`${{ percent: percent(bps) }} of your net win in this market; a loss costs none.` : t`None.`;

const percent = (hundredths: number): string => `${hundredths / 100} %`;

function delay({ betDelayMs }: MarketImage): string {
  return betDelayMs > 0
    ? t`A bet waits ${{ seconds: betDelayMs / 1000 }} s before it is taken. It lapses if the market is suspended meanwhile.`
    : t`None now. A market may set one in play; it is shown here.`;
}

function inPlay({ inPlay, status }: MarketImage): string {
  if (status === 'CLOSED') return t`The market is closed.`;
  return inPlay
    ? t`The event is on. Pictures and scores run about 5 s behind.`
    : t`Not yet. Where the market is not offered in play, it closes at the start.`;
}
