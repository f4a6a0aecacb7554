/**
 * Door of the program that both providers run: page, sessions, rounds, money, reports. A provider adds its list of games and
 * its dialect: how it speaks with the operator's wallet, and how the operator's calls to it are written.
 */
export type { CallReply, Send, SignedCall } from './caller.ts';
export type { Clock } from './clock.ts';
export type { Provider } from './core.ts';
export { createNonces, type Nonces } from './nonces.ts';
export { type ProviderEnv, providerEnv, runProvider } from './program.ts';
export { Refusal } from './refusal.ts';
export type { ReportedRound, ReportedTx, Reports } from './reports.ts';
export { createHost, type Dialect, type Host, type HostOptions, type OperatorCalls } from './server.ts';
export type { Launch, Launched } from './sessions.ts';
export type { OperatorWallet, WalletCode, WalletLogin, WalletMove, WalletReply } from './wallet.ts';
