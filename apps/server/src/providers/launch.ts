/** Opening a game: who may, then the provider's own launch with a one-use token, or without one for a demo (OPN-40, PRV-08). */
import { type CALLS, CodedError, type InputOf } from '@fairgame/contract';
import type { Log } from '../db/db.ts';
import type { Session } from '../http/http.ts';
import { type LaunchAsk, ProviderFault, ProviderRefusal } from './adapters/dialect.ts';
import type { ListedGame, Lobby } from './lobby.ts';
import type { Outbound } from './outbound.ts';
import type { Wallet } from './wallet.ts';

export type LaunchBody = InputOf<typeof CALLS.provider.launch>['body'];

export interface Launcher {
  /**
   * Gives the address for the frame. Throws GAME_UNKNOWN, GAME_CLOSED, PROVIDER_DOWN, and what forbids a stake:
   * ACCOUNT_BLOCKED, REALITY_CHECK_DUE, SESSION_TIME_LIMIT.
   */
  launch(session: Session, body: LaunchBody, siteOrigin: string): Promise<{ url: string }>;
}

/** What the session at the provider is bound by beside the wallet's own refusals. */
export interface LaunchLimits {
  maxStakeMinor?: number;
  realityCheckSec?: number;
}

export function createLauncher(opts: {
  lobby: Lobby;
  providerNamed(name: string): { id: string; outbound: Outbound } | undefined;
  wallet: Pick<Wallet, 'issueToken'>;
  limitsOf(userId: number, game: ListedGame): Promise<LaunchLimits>;
  log: Log;
}): Launcher {
  const { lobby, wallet, log } = opts;

  async function askOf(session: Session, game: ListedGame, body: LaunchBody, siteOrigin: string): Promise<LaunchAsk> {
    const common = {
      game: game.code,
      platform: body.platform,
      theme: body.theme ?? 'dark',
      lobbyUrl: `${siteOrigin}/live-casino`,
    } as const;
    // A demo player has no wallet: the provider plays with money of its own making and calls nobody.
    if (session.isDemo) return { ...common, mode: 'demo', currency: session.currency };
    const { token, playerRef, currency } = await wallet.issueToken({
      userId: session.userId,
      siteSession: session.sessionId,
      provider: game.provider.id,
      game: game.code,
    });
    return { ...common, mode: 'real', currency, token, playerRef, ...(await opts.limitsOf(session.userId, game)) };
  }

  return {
    async launch(session, body, siteOrigin) {
      const provider = opts.providerNamed(body.provider_name);
      const game = provider && lobby.game(provider.id, body.game_code);
      if (!provider || !game || game.gameId !== body.game_id)
        throw new CodedError('GAME_UNKNOWN', { field: 'game_id' });
      if (!game.provider.open || game.status !== 'ACTIVE') throw new CodedError('GAME_CLOSED');
      const ask = await askOf(session, game, body, siteOrigin);
      try {
        const { url } = await provider.outbound.launch(ask);
        // The frame may only ever show the provider's own origin.
        if (!URL.canParse(url) || new URL(url).origin !== game.provider.publicOrigin)
          throw new ProviderFault('the address of the launch is not on the origin of the provider');
        return { url };
      } catch (error) {
        if (error instanceof ProviderRefusal && error.code === 'GAME') throw new CodedError('GAME_CLOSED');
        log.warn({ provider: provider.id, game: game.code, reason: (error as Error).message }, 'a launch failed');
        throw new CodedError('PROVIDER_DOWN');
      }
    },
  };
}
