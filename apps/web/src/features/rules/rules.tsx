import { CALLS, type ReplyOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useCall } from '../../api/api.ts';
import { english, language } from '../../platform/language.ts';
import { type Chosen, LANGUAGES } from '../../platform/languages.ts';
import { SPORTS } from '../../platform/sports.ts';
import { Button } from '../../ui/button.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Icon, type IconShape } from '../../ui/icon.tsx';
import { IconBook2, IconLanguage, IconTrophy } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useRuleTexts } from './rule-texts.ts';
import panelCss from '../../ui/panel.module.css';
import css from './rules.module.css';

/** The modal Rules: language, sports, categories, numbered lines. */
export function ModalScreen({ open, onClose }: { open: boolean; onClose: () => void }) {
  const rules = useRules();
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t`Rules`}
      width="xl"
      flush
      head={rules.choice}
      tabs={rules.tabs}
      footer={<Button onClick={onClose}>{t`Close`}</Button>}
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
      <PageHead title={t`Rules`}>{rules.choice}</PageHead>
      <section className={panelCss.panel}>
        {rules.tabs}
        {rules.body}
      </section>
    </>
  );
}

/** The rules are written in English; who reads them in another language can look at what was written. */
function Language({ value, onChange }: { value: Chosen; onChange: (to: Chosen) => void }) {
  const own = language();
  return (
    <div className={css.language}>
      <SelectInput
        icon={IconLanguage}
        aria-label={t`Language`}
        value={value}
        onChange={(event) => onChange(event.target.value as Chosen)}
        options={[
          ...(own === 'en' || own === 'en-XA' ? [] : [{ value: own, label: LANGUAGES[own] }]),
          { value: 'en', label: t`English` },
        ]}
      />
    </div>
  );
}

/** The entries of the texts that are no sport of the sidebar. */
const MARKS: Readonly<Record<string, IconShape>> = { General: IconBook2, 'Other sports': IconTrophy };
const TYPES: Readonly<Record<string, string>> = {
  'Horse Racing': 'horseRacing',
  'GreyHound Racing': 'greyHound',
  Casino: 'casino',
};

function Mark({ name }: { name: string }) {
  const mark = MARKS[name];
  if (mark) return <Icon of={mark} size={17} />;
  return (
    <SportIcon sport={TYPES[name] ?? SPORTS.find((sport) => english(sport.name) === name)?.type ?? name} size={17} />
  );
}

type Entry = ReplyOf<typeof CALLS.account.rules>[number];
/** A text of the rules in the language they are read in; undefined where it stands in English. */
type Said = (text: string) => string | undefined;

function useRules() {
  const { data, isError, isPending, refetch } = useCall(CALLS.account.rules, {});
  const own = language();
  const texts = useRuleTexts();
  const [chosen, setChosen] = useState<Chosen>(own === 'en-XA' ? 'en' : own);
  const said: Said = (text) => (chosen === 'en' ? undefined : texts?.[text]);
  const [sport, setSport] = useState<string | null>(null);
  const [category, setCategory] = useState<string | null>(null);
  const entry = data?.find((one) => one.sportName === sport) ?? data?.[0];
  const part = entry?.rules.find((one) => one.category === category) ?? entry?.rules[0];
  return {
    choice: <Language value={chosen} onChange={setChosen} />,
    // Not before their language is there: the names of the sports would change under the finger.
    tabs: entry && texts && (
      <Tabs
        label={t`Sports`}
        items={(data ?? []).map((one) => ({
          id: one.sportName,
          label: said(one.sportName) ?? one.sportName,
          mark: <Mark name={one.sportName} />,
        }))}
        value={entry.sportName}
        onChange={(next) => {
          setSport(next);
          setCategory(null);
        }}
      />
    ),
    body: isError ? (
      <div className={panelCss.body}>
        <ErrorNote title={t`The rules did not load.`} onRetry={() => void refetch()} />
      </div>
    ) : isPending || texts === null ? (
      <SkeletonRows rows={6} kind="table" />
    ) : entry && part ? (
      <div className={css.rules}>
        <nav className={css.categories} aria-label={t`Categories`}>
          {entry.rules.map((one) => (
            <button
              key={one.category}
              type="button"
              aria-current={one === part ? 'true' : undefined}
              onClick={() => setCategory(one.category)}
            >
              {said(one.category) ?? one.category}
            </button>
          ))}
        </nav>
        <Part part={part} said={said} translated={chosen !== 'en'} />
      </div>
    ) : (
      <EmptyState icon={IconBook2} title={t`No rules yet`} />
    ),
  };
}

/** The lines of a category. What the operator wrote himself has no translation, and says so. */
function Part({ part, said, translated }: { part: Entry['rules'][number]; said: Said; translated: boolean }) {
  const whole = part.description.every(({ text }) => said(text) !== undefined);
  const own = language();
  const inEnglish = own === 'en' ? {} : { lang: 'en', dir: 'ltr' };
  return (
    <div className={css.text}>
      {translated && (
        <Note>
          {whole
            ? t`This is a translation. Where it differs from the English, the English counts.`
            : t`There is no approved translation of this text: it stands in English, and the English counts.`}
        </Note>
      )}
      <h2>{said(part.category) ?? part.category}</h2>
      <ol>
        {/* What red means stands there in words too, so that it does not hang on the colour alone. */}
        {part.description.map((line) => {
          const text = said(line.text);
          return (
            <li
              key={line.text}
              className={line.color === 'none' ? undefined : line.color === 'red' ? css.red : css.black}
            >
              <span>
                {line.color === 'red' && <b>{t`Important.`} </b>}
                <bdi {...(text === undefined && inEnglish)}>{text ?? line.text}</bdi>
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
