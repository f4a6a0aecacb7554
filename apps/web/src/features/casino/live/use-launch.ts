import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, api } from '../../../api/api.ts';
import { PHONE } from '../../../ui/media.ts';
import type { LiveGame } from './families.ts';
import { type GameAddress, gameAddress } from './frame.ts';

/** How far the opening of a game is. `attempt` names the frame: a token opens once, so each try is a new one. */
export type Launch =
  | { at: 'waiting' }
  | { at: 'asking' }
  | { at: 'open'; address: GameAddress; attempt: number }
  | { at: 'failed'; code: ApiError['code']; status: number; text: string };

/**
 * Asks for the address of a game (LIV-07). While `held` says that nothing may be opened it waits; what is open stays open,
 * because rounds that run are played to their end.
 */
export function useLaunch(game: LiveGame, held: boolean): { launch: Launch; again: () => void } {
  const [attempt, setAttempt] = useState(1);
  const [launch, setLaunch] = useState<Launch>({ at: 'waiting' });
  const due = launch.at === 'waiting' && !held;
  const { game_id, provider_name, game_code } = game;

  useEffect(() => {
    if (due) setLaunch({ at: 'asking' });
  }, [due]);

  const asking = launch.at === 'asking';
  useEffect(() => {
    if (!asking) return;
    const stop = new AbortController();
    const platform = window.matchMedia(PHONE).matches ? 'mobile' : 'desktop';
    api(
      CALLS.provider.launch,
      { body: { game_id, provider_name, game_code, platform } },
      { quiet: true, signal: stop.signal },
    )
      .then(({ url }) => {
        if (stop.signal.aborted) return;
        const address = gameAddress(url);
        setLaunch(
          address
            ? { at: 'open', address, attempt }
            : {
                at: 'failed',
                code: 'INTERNAL',
                status: 500,
                text: t`The provider gave no address that may be opened.`,
              },
        );
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        const known = error instanceof ApiError ? error : new ApiError(500, 'INTERNAL', 'Something went wrong.');
        setLaunch({ at: 'failed', code: known.code, status: known.status, text: known.message });
      });
    return () => stop.abort();
  }, [asking, attempt, game_id, provider_name, game_code]);

  const again = useCallback(() => {
    setAttempt((n) => n + 1);
    setLaunch({ at: 'waiting' });
  }, []);
  return { launch, again };
}
