import { CALLS, type ReplyOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { api, queryClient, refresh, useCall } from '../api/api.ts';
import { perPlayer } from '../platform/per-player.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { IconStar, IconStarFilled } from '../ui/icons.ts';
import css from '../ui/market.module.css';

type Favourites = ReplyOf<typeof CALLS.account.favourites>;
const KEY = [CALLS.account.favourites.name, {}];
/** What the server keeps at most; the oldest marks make room. */
const MOST = 100;

/** The events the player marked. */
export function useFavouriteMatches(): ReadonlySet<number> {
  const { data } = useCall(CALLS.account.favourites, {});
  return useMemo(() => new Set(data?.matchIds ?? []), [data]);
}

/** Saves follow one another, so that the last press is what stays. */
let saving: Promise<unknown> = Promise.resolve();
perPlayer(() => {
  saving = Promise.resolve();
});

/** Marks an event or takes the mark away. Shows at once; when the server did not take it, its own list shows again. */
function toggleFavourite(matchId: number): void {
  const before = queryClient.getQueryData<Favourites>(KEY);
  // Without the list as it is, saving would wipe it.
  if (!before) return;
  const matchIds = before.matchIds.includes(matchId)
    ? before.matchIds.filter((one) => one !== matchId)
    : [...before.matchIds, matchId].slice(-MOST);
  const next = { ...before, matchIds };
  void queryClient.cancelQueries({ queryKey: KEY });
  queryClient.setQueryData(KEY, next);
  saving = saving
    .then(() => api(CALLS.account.saveFavourites, { body: next }))
    .catch(() => refresh(CALLS.account.favourites));
}

/** The star of an event: a switch between marked and not. */
export function FavouriteStar({ matchId, title }: { matchId: number; title: string }) {
  const marked = useFavouriteMatches().has(matchId);
  return (
    <IconButton
      icon={marked ? IconStarFilled : IconStar}
      size={16}
      label={t`${title} is a favourite`}
      title={marked ? t`Take out of favourites` : t`Add to favourites`}
      aria-pressed={marked}
      className={cx(css.star, marked && 'is-on')}
      onClick={() => toggleFavourite(matchId)}
    />
  );
}
