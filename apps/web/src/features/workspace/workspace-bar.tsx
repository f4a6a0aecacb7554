import { CALLS, type WorkspacePane } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { api, errorText, queryClient } from '../../api/api.ts';
import { Available } from '../../betting/betting.ts';
import { say } from '../../platform/language.ts';
import { useSearchParams } from '../../platform/routing.tsx';
import { toast } from '../../platform/toasts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectInput, TextInput } from '../../ui/field.tsx';
import { IconX } from '../../ui/icons.ts';
import { ThemeButton } from '../../ui/theme-button.tsx';
import { AddPane } from './add-pane.tsx';
import { MOST_PANES } from './arrangement.ts';
import { type Kept, READY, readyOf } from './use-source.ts';
import css from './workspace.module.css';

interface Props {
  /** As they stand. */
  panes: readonly WorkspacePane[];
  kept: Kept;
  /** They are not as they were kept, or began. */
  changed: boolean;
  onAdd: (pane: WorkspacePane) => void;
}

/** Which workspace it is, what is added to it, and its name. */
export function WorkspaceBar({ panes, kept, changed, onAdd }: Props) {
  const [search, setSearch] = useSearchParams();
  const name = search.get('name') ?? '';
  const ready = readyOf(search.get('ready'));
  return (
    <header className={css.bar}>
      <h1 className="sr">{t`Workspace`}</h1>
      <SelectInput
        aria-label={t`Workspace`}
        value={name ? `name=${name}` : ready ? `ready=${ready}` : ''}
        onChange={(event) => {
          const [key = '', ...value] = event.target.value.split('=');
          setSearch({ [key]: value.join('=') });
        }}
      >
        {!name && !ready && <option value="">{t`Workspace`}</option>}
        {kept.map((one) => (
          <option key={one.name} value={`name=${one.name}`}>
            {one.name}
          </option>
        ))}
        {Object.entries(READY).map(([key, words]) => (
          <option key={key} value={`ready=${key}`}>
            {say(words)}
          </option>
        ))}
      </SelectInput>
      <AddPane full={panes.length >= MOST_PANES} onAdd={onAdd} />
      <span className="grow" />
      <Naming panes={panes} kept={kept} changed={changed} name={name} />
      <Available />
      <ThemeButton />
    </header>
  );
}

/** Keeps what stands there under a name, or takes the one of this name away. */
function Naming({ panes, kept, changed, name }: Omit<Props, 'onAdd'> & { name: string }) {
  const [, setSearch] = useSearchParams();
  const [typed, setTyped] = useState(name);
  const [busy, setBusy] = useState(false);
  const now = typed.trim();
  const isKept = !changed && now === name && kept.some((one) => one.name === name);
  const change = async (work: () => Promise<unknown>, next: Record<string, string>) => {
    setBusy(true);
    try {
      await work();
      await queryClient.invalidateQueries({ queryKey: [CALLS.account.workspaces.name] });
      setSearch(next, { replace: true, unasked: true });
    } catch (failure) {
      toast.error(errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = { name: now, panes: [...panes] };
    if (now) void change(() => api(CALLS.account.saveWorkspace, { body }, { quiet: true }), { name: now });
  };
  const remove = () => change(() => api(CALLS.account.removeWorkspace, { body: { name } }, { quiet: true }), {});
  return (
    <form className={css.naming} onSubmit={save}>
      <TextInput
        aria-label={t`Name`}
        placeholder={t`Name`}
        maxLength={40}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button size="sm" kind="pri" type="submit" busy={busy} disabled={!now || isKept}>
        {isKept ? t`Kept` : t({ message: 'Keep', context: 'workspace' })}
      </Button>
      {name && <IconButton icon={IconX} small label={t`Take the workspace away`} onClick={() => void remove()} />}
    </form>
  );
}
