import { judging } from './judging.ts';
import { operator } from './operator.ts';
import { payments } from './payments.ts';

/** The calls of operators: apart, so that a player's page carries none of them. */
export const OPERATOR_CALLS = { ...operator, ...judging, ...payments } as const;
