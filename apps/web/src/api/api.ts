/** Calls of the contract, readings of them in components, and when those are read again. The door of this room. */
export { ApiError, addressOf, api, errorText } from './call.ts';
export { readFile } from './file.ts';
export { socketBase } from './hosts.ts';
export { offerLine } from './line-call.ts';
export { atItsPace } from './pace.ts';
export { eventCall, queryClient, readCall, useAllBets, useCall } from './queries.ts';
export { BET_READINGS, refresh, refreshAfterEvent, refreshBets } from './refresh.ts';
