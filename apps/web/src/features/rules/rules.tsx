import { CALLS } from '@fairgame/contract';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { IconBook2 } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import { SPORTS } from '../../ui/sports.ts';
import { Tabs } from '../../ui/tabs.tsx';
import './rules.css';

/** The modal Rules: language, sports, categories, numbered lines. */
export function ModalScreen({ open, onClose }: { open: boolean; onClose: () => void }) {
  const rules = useRules();
  return (
    <Modal
      open={open}
      onClose={onClose}
      title="Rules"
      width="xl"
      flush
      head={<Language />}
      tabs={rules.tabs}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {rules.body}
    </Modal>
  );
}

/** The same as a screen of its own. */
export function Screen() {
  const rules = useRules();
  return (
    <>
      <PageHead title="Rules">
        <Language />
      </PageHead>
      <section className="panel">
        {rules.tabs}
        {rules.body}
      </section>
    </>
  );
}

function Language() {
  return (
    <SelectInput
      aria-label="Language"
      value="en"
      onChange={() => undefined}
      options={[{ value: 'en', label: 'English' }]}
    />
  );
}

const iconOf = (name: string): string =>
  SPORTS.find((sport) => sport.name.toLowerCase() === name.toLowerCase())?.type ?? name;

function useRules() {
  const { data, isError, isPending, refetch } = useCall(CALLS.account.rules, {});
  const [sport, setSport] = useState<string | null>(null);
  const [category, setCategory] = useState<string | null>(null);
  const entry = data?.find((one) => one.sportName === sport) ?? data?.[0];
  const part = entry?.rules.find((one) => one.category === category) ?? entry?.rules[0];
  return {
    tabs: entry && (
      <Tabs
        label="Sports"
        items={(data ?? []).map((one) => ({
          id: one.sportName,
          label: one.sportName,
          mark: <SportIcon sport={iconOf(one.sportName)} size={17} />,
        }))}
        value={entry.sportName}
        onChange={(next) => {
          setSport(next);
          setCategory(null);
        }}
      />
    ),
    body: isError ? (
      <ErrorNote title="The rules did not load." onRetry={() => void refetch()} />
    ) : isPending ? (
      <SkeletonRows rows={6} kind="table" />
    ) : entry && part ? (
      <div className="rules">
        <nav className="rules__c" aria-label="Categories">
          {entry.rules.map((one) => (
            <button
              key={one.category}
              type="button"
              aria-current={one === part ? 'true' : undefined}
              onClick={() => setCategory(one.category)}
            >
              {one.category}
            </button>
          ))}
        </nav>
        <div className="rules__t">
          <h3>{part.category}</h3>
          <ol>
            {part.description.map((line) => (
              <li key={line.text} className={line.color === 'none' ? undefined : `rule--${line.color}`}>
                {/* The colour's meaning in words too, so that it does not hang on the colour alone. */}
                {line.color === 'red' && <b>Important. </b>}
                {line.text}
              </li>
            ))}
          </ol>
        </div>
      </div>
    ) : (
      <EmptyState icon={IconBook2} title="No rules yet" />
    ),
  };
}
