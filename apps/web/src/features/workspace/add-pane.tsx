import { CALLS, type WorkspacePane } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { useCall } from '../../api/api.ts';
import { kindOf } from '../../betting/betting.ts';
import { marketNow, useMarketIds, useWatch } from '../../live/live.ts';
import { say } from '../../platform/language.ts';
import { named } from '../../platform/named.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectInput, TextInput } from '../../ui/field.tsx';
import { IconPlus, IconSearch } from '../../ui/icons.ts';
import { Popover } from '../../ui/popover.tsx';
import { FIRST_SIZE } from './arrangement.ts';
import { KINDS, kindsOf } from './pane.tsx';
import css from './workspace.module.css';

interface Props {
  full: boolean;
  onAdd: (pane: WorkspacePane) => void;
}

/** Chooses an event, one of its markets and what to see of it. It stays open for the next one. */
export function AddPane({ full, onAdd }: Props) {
  return (
    <Popover
      label={t`Add a part`}
      align="start"
      trigger={
        <Button size="sm" icon={IconPlus} disabled={full}>
          {t`Add a part`}
        </Button>
      }
    >
      <Choice full={full} onAdd={onAdd} />
    </Popover>
  );
}

function Choice({ full, onAdd }: Props) {
  const [text, setText] = useState('');
  const [keyword, setKeyword] = useState('');
  const [eventId, setEventId] = useState(0);
  const events = useEvents(keyword);
  const id = events.some((event) => event.id === eventId) ? eventId : (events[0]?.id ?? 0);
  const search = (event: FormEvent) => {
    event.preventDefault();
    setKeyword(text.trim());
  };
  return (
    <div className={css.add}>
      <form onSubmit={search}>
        <TextInput
          icon={IconSearch}
          type="search"
          aria-label={t`Search events`}
          placeholder={t`Search events, teams, runners`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      <Field label={t`Event`}>
        <SelectInput
          value={String(id)}
          options={events.map((event) => ({ value: String(event.id), label: event.title }))}
          onChange={(event) => setEventId(Number(event.target.value))}
        />
      </Field>
      {id > 0 && <OfEvent key={id} eventId={id} full={full} onAdd={onAdd} />}
    </div>
  );
}

/** What was searched for; without a word the first that are not over, which are those in play. */
function useEvents(keyword: string): ReadonlyArray<{ id: number; title: string }> {
  const found = useCall(CALLS.catalog.search, { params: { keyword } }, { enabled: keyword !== '', keep: true });
  const first = useCall(CALLS.catalog.list, { query: { page: '1', limit: '50' } });
  return keyword === '' ? (first.data?.matches ?? []) : (found.data ?? []);
}

function OfEvent({ eventId, full, onAdd }: Props & { eventId: number }) {
  useWatch([eventId], 'full');
  const all = useMarketIds(eventId)
    .map((id) => marketNow(id))
    .filter((market) => market !== undefined);
  const sessions = all.some((market) => kindOf(market.kind).fancy);
  const markets = all.filter(({ kind, runners }) => !kindOf(kind).fancy && runners.length > 0);
  const [chosen, setChosen] = useState({ marketId: 0, kind: 'ladder' as WorkspacePane['kind'], runnerId: 0 });
  const market = markets.find(({ id }) => id === chosen.marketId) ?? markets[0];
  const runners = market?.runners.filter(({ status }) => status !== 'REMOVED') ?? [];
  const runnerId = (runners.find(({ id }) => id === chosen.runnerId) ?? runners[0])?.id ?? 0;
  if (!market) return null;
  const kinds = kindsOf(market).filter((kind) => kind !== 'fancy' || sessions);
  const kind = kinds.includes(chosen.kind) ? chosen.kind : 'market';
  return (
    <>
      <Field label={t`Market`}>
        <SelectInput
          value={String(market.id)}
          options={markets.map(({ id, name }) => ({ value: String(id), label: named(name) }))}
          onChange={(event) => setChosen({ ...chosen, marketId: Number(event.target.value) })}
        />
      </Field>
      <Field label={t`Kind`}>
        <SelectInput
          value={kind}
          options={kinds.map((value) => ({ value, label: say(KINDS[value]) }))}
          onChange={(event) => setChosen({ ...chosen, kind: event.target.value as WorkspacePane['kind'] })}
        />
      </Field>
      {kind === 'ladder' && (
        <Field label={t`Runner`}>
          <SelectInput
            value={String(runnerId)}
            options={runners.map(({ id, name }) => ({ value: String(id), label: named(name) }))}
            onChange={(event) => setChosen({ ...chosen, runnerId: Number(event.target.value) })}
          />
        </Field>
      )}
      <Button
        kind="pri"
        block
        disabled={full}
        onClick={() =>
          onAdd({ kind, marketId: market.id, runnerId: kind === 'ladder' ? runnerId : 0, ...FIRST_SIZE[kind] })
        }
      >
        {t`Add a part`}
      </Button>
    </>
  );
}
