import type { Game } from './game.ts';
import { ab20, abj } from './games/andar-bahar.ts';
import { baccarat, baccarat2 } from './games/baccarat.ts';
import { card32, card32eu } from './games/cards32.ts';
import { ballbyball, cmatch20 } from './games/cricket-balls.ts';
import { dt6, dt20, dt202, dtl20 } from './games/dragon-tiger.ts';
import { judgement } from './games/judgement.ts';
import { cmeter } from './games/meter.ts';
import { cricketv3, superover } from './games/overs.ts';
import { poker, poker6, poker20 } from './games/poker.ts';
import { queen } from './games/queen.ts';
import { race20 } from './games/race.ts';
import { aaa, btable, lucky7, lucky7eu } from './games/single-card.ts';
import { teen, teen20 } from './games/teenpatti.ts';
import { teen8, teen9 } from './games/teenpatti-many.ts';
import { war } from './games/war.ts';
import { worli, worli2 } from './games/worli.ts';

/** Groups of the lobby. */
export type Category =
  | 'Teenpatti'
  | 'Dragon Tiger'
  | 'Baccarat'
  | 'Poker'
  | 'Andar Bahar'
  | 'Lucky 7'
  | '32 Cards'
  | 'Cricket'
  | 'Bollywood'
  | 'Others';

/** Code, route (table CAS-T1), display name, category and rules, in the order of the routes. */
const ROWS = [
  ['ballbyball', '/ballbyball', 'Ball By Ball', 'Cricket', ballbyball],
  ['superover', '/superover', 'Super Over', 'Cricket', superover],
  ['race20', '/race20', 'Race 20-20', 'Others', race20],
  ['queen', '/queen', 'Casino Queen', 'Others', queen],
  ['cricketv3', '/cricketv3', '5Five Cricket', 'Cricket', cricketv3],
  ['abj', '/abj2', 'Andar Bahar 2', 'Andar Bahar', abj],
  ['dt202', '/dt202', '20-20 Dragon Tiger 2', 'Dragon Tiger', dt202],
  ['baccarat2', '/baccarat2', 'Baccarat 2', 'Baccarat', baccarat2],
  ['baccarat', '/baccarat', 'Baccarat', 'Baccarat', baccarat],
  ['lucky7eu', '/lucky7eu', 'Lucky 7 B', 'Lucky 7', lucky7eu],
  ['cmatch20', '/cmatch20', '20-20 Cricket Match', 'Cricket', cmatch20],
  ['cmeter', '/cmeter', 'Casino Meter', 'Others', cmeter],
  ['war', '/war', 'Casino War', 'Others', war],
  ['dtl20', '/dtl20', '20-20 Dragon Tiger Lion', 'Dragon Tiger', dtl20],
  ['teen9', '/teen9', 'Teenpatti Test', 'Teenpatti', teen9],
  ['teen8', '/teen8', 'Teenpatti Open', 'Teenpatti', teen8],
  ['teen', '/teen', 'Teenpatti 1-Day', 'Teenpatti', teen],
  ['teen20', '/teen20', '20-20 Teenpatti', 'Teenpatti', teen20],
  ['poker6', '/poker6', 'Poker 6 Players', 'Poker', poker6],
  ['poker', '/poker', 'Poker 1-Day', 'Poker', poker],
  ['poker20', '/poker20', '20-20 Poker', 'Poker', poker20],
  ['ab20', '/ab20', 'Andar Bahar', 'Andar Bahar', ab20],
  ['worli2', '/worli2', 'Instant Worli', 'Others', worli2],
  ['3cardj', '/3cardj', '3 Cards Judgement', 'Poker', judgement],
  ['card32', '/32cards-A', '32 Cards A', '32 Cards', card32],
  ['card32eu', '/32cards-B', '32 Cards B', '32 Cards', card32eu],
  ['aaa', '/aaa', 'Amar Akbar Anthony', 'Bollywood', aaa],
  ['btable', '/btable', 'Bollywood Casino', 'Bollywood', btable],
  ['dt20', '/dt20', '20-20 Dragon Tiger', 'Dragon Tiger', dt20],
  ['dt6', '/dt6', '1 Day Dragon Tiger', 'Dragon Tiger', dt6],
  ['lucky7', '/lucky7-A', 'Lucky 7 A', 'Lucky 7', lucky7],
  ['worli', null, 'Worli Matka', 'Others', worli],
] as const satisfies readonly (readonly [string, string | null, string, Category, Game])[];

export type TableCode = (typeof ROWS)[number][0];

export interface Table {
  readonly code: TableCode;
  /** Null for worli, which has a code and a name but no route. */
  readonly route: string | null;
  readonly name: string;
  readonly category: Category;
  readonly game: Game;
}

/** The 32 tables by code, in the order of table CAS-T1. */
export const TABLES = Object.fromEntries(
  ROWS.map(([code, route, name, category, game]) => [code, { code, route, name, category, game }]),
) as Readonly<Record<TableCode, Table>>;

export const gameOf = (code: TableCode): Game => TABLES[code].game;

/**
 * What some tables count once for the life of the process, in steps of a few milliseconds: a server walks through them
 * between other work before it opens the tables. Prices are right without it, the first ones only slower.
 */
export function* prepareOdds(): Generator<void> {
  for (const { game } of Object.values(TABLES)) if (game.prepare) yield* game.prepare();
}

export function isTableCode(text: string): text is TableCode {
  return Object.hasOwn(TABLES, text);
}

/** The table at a route, spelt exactly; none for any other text. */
export function tableByRoute(route: string): Table | undefined {
  return Object.values(TABLES).find((table) => table.route === route);
}
