import { CARD_TABLES_AT_ONCE } from '@fairgame/contract';

/**
 * The card tables as players know them: route, game code and display name (table CAS-T1 of the requirements). Routes and
 * codes are told apart exactly, case included; `worli` has no route of its own and is opened by its code below the lobby.
 */
export interface TableName {
  readonly route: string;
  readonly code: string;
  readonly name: string;
  readonly category: CategoryId;
}

export type CategoryId =
  | 'teenpatti'
  | 'dragonTiger'
  | 'baccarat'
  | 'poker'
  | 'andarBahar'
  | 'lucky7'
  | 'cards32'
  | 'cricket'
  | 'bollywood'
  | 'other';

const table = (code: string, name: string, category: CategoryId, route = code): TableName => ({
  route,
  code,
  name,
  category,
});

/** In the order of the lobby. */
export const TABLES: readonly TableName[] = [
  table('teen20', '20-20 Teenpatti', 'teenpatti'),
  table('teen', 'Teenpatti 1-Day', 'teenpatti'),
  table('teen8', 'Teenpatti Open', 'teenpatti'),
  table('teen9', 'Teenpatti Test', 'teenpatti'),
  table('dt20', '20-20 Dragon Tiger', 'dragonTiger'),
  table('dt202', '20-20 Dragon Tiger 2', 'dragonTiger'),
  table('dt6', '1 Day Dragon Tiger', 'dragonTiger'),
  table('dtl20', '20-20 Dragon Tiger Lion', 'dragonTiger'),
  table('baccarat', 'Baccarat', 'baccarat'),
  table('baccarat2', 'Baccarat 2', 'baccarat'),
  table('lucky7', 'Lucky 7 A', 'lucky7', 'lucky7-A'),
  table('lucky7eu', 'Lucky 7 B', 'lucky7'),
  table('ab20', 'Andar Bahar', 'andarBahar'),
  table('abj', 'Andar Bahar 2', 'andarBahar', 'abj2'),
  table('card32', '32 Cards A', 'cards32', '32cards-A'),
  table('card32eu', '32 Cards B', 'cards32', '32cards-B'),
  table('poker20', '20-20 Poker', 'poker'),
  table('poker', 'Poker 1-Day', 'poker'),
  table('poker6', 'Poker 6 Players', 'poker'),
  table('3cardj', '3 Cards Judgement', 'poker'),
  table('aaa', 'Amar Akbar Anthony', 'bollywood'),
  table('btable', 'Bollywood Casino', 'bollywood'),
  table('worli2', 'Instant Worli', 'other'),
  table('cmeter', 'Casino Meter', 'other'),
  table('war', 'Casino War', 'other'),
  table('race20', 'Race 20-20', 'other'),
  table('queen', 'Casino Queen', 'other'),
  table('ballbyball', 'Ball By Ball', 'cricket'),
  table('superover', 'Super Over', 'cricket'),
  table('cricketv3', '5Five Cricket', 'cricket'),
  table('cmatch20', '20-20 Cricket Match', 'cricket'),
];

/** The tables of the lobby: those with a route, and the one that is opened by its code. */
export const LOBBY_TABLES: readonly TableName[] = [...TABLES, table('worli', 'Worli Matka', 'other', 'casino/worli')];

/** Every game code with its display name; 32 of them. */
export const TABLE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  LOBBY_TABLES.map(({ code, name }) => [code, name]),
);

/** Route (without the slash) to display name; 31 of them. */
export const TABLE_ROUTES: Readonly<Record<string, string>> = Object.fromEntries(
  TABLES.map(({ route, name }) => [route, name]),
);

/** The table a path opens: "/abj2" is game abj. */
export const tableAt = (pathname: string): TableName | undefined =>
  LOBBY_TABLES.find(({ route }) => `/${route}` === pathname);

export const tableOf = (code: string): TableName | undefined => LOBBY_TABLES.find((one) => one.code === code);

/** Where several tables stand side by side; the address says which. */
export const SIDE_BY_SIDE = '/casino/tables';
export const sideBySide = (codes: readonly string[]): string => `${SIDE_BY_SIDE}?with=${codes.join(',')}`;

/** The tables an address puts side by side: those that exist, each once, no more than are followed at a time. */
export function tablesOf(query: URLSearchParams): readonly TableName[] {
  const codes = new Set((query.get('with') ?? '').split(','));
  return [...codes].flatMap((code) => tableOf(code) ?? []).slice(0, CARD_TABLES_AT_ONCE);
}
