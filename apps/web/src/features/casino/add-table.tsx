import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useCall } from '../../api/api.ts';
import { named } from '../../platform/named.ts';
import { useNavigate } from '../../platform/routing.tsx';
import { useServerNow } from '../../platform/use-server-now.ts';
import { TextInput } from '../../ui/field.tsx';
import { IconSearch, IconSearchOff } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { categoryLabel } from './categories.ts';
import { useFavourites } from './favourites.ts';
import { isFound } from './search.ts';
import { stateOf } from './table-state.ts';
import { LOBBY_TABLES, sideBySide } from './tables.ts';
import css from './side-by-side.module.css';

/** Chooses a table to stand beside these; it opens on the page of tables side by side. The player's favourites come first. */
export function AddTable({ beside, onClose }: { beside: readonly string[]; onClose: () => void }) {
  const tiles = useCall(CALLS.casino.tiles, {}, { keep: true, refetchMs: 5000 });
  const { marked } = useFavourites();
  const navigate = useNavigate();
  const now = useServerNow();
  const [search, setSearch] = useState('');
  const byCode = new Map((tiles.data ?? []).map((tile) => [tile.code, tile]));
  const offered = LOBBY_TABLES.filter(
    ({ code, name, category }) =>
      byCode.has(code) &&
      !beside.includes(code) &&
      isFound(search, `${name} ${named(name)} ${categoryLabel(category)} ${code}`),
  ).sort((a, b) => Number(marked.has(b.code)) - Number(marked.has(a.code)));
  const add = (code: string) => {
    onClose();
    void navigate(sideBySide([...beside, code]));
  };
  return (
    <Modal open onClose={onClose} title={t`Add a table`} flush>
      <div className={css.add}>
        <TextInput
          type="search"
          icon={IconSearch}
          placeholder={t`Find a table`}
          aria-label={t`Find a table`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {tiles.isError && !tiles.data ? (
          <ErrorNote title={t`The tables did not load.`} onRetry={() => void tiles.refetch()}>
            {t`Your bets and balance are not affected.`}
          </ErrorNote>
        ) : tiles.isPending ? (
          <div className={css.addList} aria-busy="true" />
        ) : offered.length === 0 ? (
          <EmptyState icon={IconSearchOff} title={t`No table found`}>
            {t`Try another word.`}
          </EmptyState>
        ) : (
          <ul className={css.addList}>
            {offered.map(({ code, name, category }) => {
              const tile = byCode.get(code)!;
              return (
                <li key={code}>
                  <button type="button" className={css.addTable} disabled={!tile.open} onClick={() => add(code)}>
                    <img src={tile.imgSrc} alt="" width={64} height={48} loading="lazy" />
                    <span className="grow">
                      <b className="clip">{named(name)}</b>
                      <small className="clip">{categoryLabel(category)}</small>
                    </span>
                    <span className="num t2 nowrap">{stateOf(tile, now)}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </Modal>
  );
}
