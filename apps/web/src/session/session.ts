/** Who is signed in, whether he is at this tab, and what his tabs tell each other. The door of this room. */
export { ACTIVITY, isUnattended } from './acts.ts';
export { useSession } from './hooks.ts';
export { type IdleState, startIdleClock } from './idle.ts';
export * from './record.ts';
export { onTabs, tellTabs } from './tabs.ts';
