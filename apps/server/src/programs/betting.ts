/** The operations that place and change. */
import { readCancel, readPlace, readReplace, readUpdate } from '@fairgame/exchange-api';
import type { Db } from '../db/db.ts';
import type { BettingParts } from './carrying.ts';
import { Changing } from './changing.ts';
import type { Operation } from './operations.ts';
import { Placing } from './placing.ts';

export function bettingOperations(parts: BettingParts & { db: Db }): Record<string, Operation> {
  const placing = new Placing(parts);
  const changing = new Changing(parts);
  const bets = (run: Operation['run']): Operation => ({ api: 'betting', bets: true, run });
  return {
    placeOrders: bets((params, caller) => placing.place(readPlace(params), caller)),
    cancelOrders: bets((params, caller) => changing.cancel(readCancel(params), caller)),
    updateOrders: bets((params, caller) => changing.update(readUpdate(params), caller)),
    replaceOrders: bets((params, caller) => changing.replace(readReplace(params), caller)),
  };
}
