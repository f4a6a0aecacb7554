/** A site with the players anna and ben, and how players bet there: the ground of the tests of bets. */
import { CALLS, type PlaceBody } from '@fairgame/contract';
import { afterAll, beforeAll } from 'vitest';
import type { Told } from './server.ts';
import { IDS, makeSite, type Site } from './site.ts';

const { bets } = CALLS;
const { football } = IDS;
export type Player = { userId: number; token: string };
export let site: Site;
export let anna: Player;
export let ben: Player;
let keys = 0;

export const key = () => `test-key-${String(++keys).padStart(12, '0')}`;

/** For the file that calls it. */
export function standForBets(): void {
  beforeAll(async () => {
    site = await makeSite({ FAIRGAME_HOUSE_LOSS_MARKET: '900000000' });
    anna = await site.player('anna');
    ben = await site.player('ben');
  });
  afterAll(() => site.close());
}

export type Placing = 'place' | 'session' | 'match' | 'otherMatch' | 'race' | 'tournament' | 'card';
export function place(
  who: Player,
  body: Partial<PlaceBody> & Pick<PlaceBody, 'betId' | 'matchId' | 'runnerId'>,
  path: Placing = 'place',
): Promise<Told<typeof bets.place>> {
  return site.call(
    bets[path],
    { body: { key: key(), bettingType: 'BACK', odd: 200, stake: 1000, ...body } },
    { token: who.token },
  );
}
export const homeWin = { matchId: football.event, betId: football.odds, runnerId: football.home };
export const open = async (who: Player, query: Record<string, string> = {}) =>
  (await site.call(bets.list, { query: { result: 'inArr[PENDING,UNDECLARE]', ...query } }, { token: who.token })).data;
