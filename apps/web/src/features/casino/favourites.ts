import { CALLS, type ReplyOf } from '@fairgame/contract';
import { api, queryClient, useCall } from '../../api/api.ts';

type Favourites = ReplyOf<typeof CALLS.account.favourites>;
const KEY = [CALLS.account.favourites.name, {}];

/** The player's marked tables. A press shows at once and is taken back when the server did not take it. */
export function useFavourites(): { marked: ReadonlySet<string>; toggle: (code: string) => void } {
  const { data } = useCall(CALLS.account.favourites, {});
  return {
    marked: new Set(data?.tables ?? []),
    toggle: (code) => {
      const before = queryClient.getQueryData<Favourites>(KEY);
      // Without the list as it is, saving would wipe it.
      if (!before) return;
      const tables = before.tables.includes(code)
        ? before.tables.filter((one) => one !== code)
        : [...before.tables, code].slice(-50);
      const next = { ...before, tables };
      queryClient.setQueryData(KEY, next);
      api(CALLS.account.saveFavourites, { body: next }).catch(() => queryClient.setQueryData(KEY, before));
    },
  };
}
