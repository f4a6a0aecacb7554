import { msg, t } from '@lingui/core/macro';
import { type KeyboardEvent, useState } from 'react';
import { HOTKEYS, type Hotkey, isKey, ownerOf, resetKeys, setKey, useHotkeys } from '../platform/hotkeys.ts';
import { say, type Words } from '../platform/language.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { announce } from '../ui/live-region.tsx';
import { Modal } from '../ui/modal.tsx';
import css from '../ui/overlay.module.css';

const GROUPS = [
  { of: 'pages', title: msg`On every page` },
  { of: 'rows', title: msg`In lists, markets and ladders` },
  { of: 'slip', title: msg`Bet slip` },
  { of: 'ladder', title: msg`On a ladder` },
] as const;

/** What each key does. */
const DEEDS: Readonly<Record<Hotkey, Words>> = {
  help: msg`All keys`,
  search: msg`Search`,
  home: msg`Home`,
  inPlay: msg`In-play`,
  bets: msg`Current bets`,
  alerts: msg`Alerts`,
  workspace: msg`Workspace`,
  back: msg`Back at the marked row`,
  lay: msg`Lay at the marked row`,
  nextRow: msg`Next row`,
  previousRow: msg`Previous row`,
  nextBet: msg`Next bet`,
  previousBet: msg`Previous bet`,
  stake: msg`To the stake`,
  place: msg`Place bet`,
  clear: msg`Clear`,
  centre: msg`Centre`,
  arm: msg`Arm the ladder, or end that`,
  takeUp: msg`Take up own orders of the row; put them down`,
  cancelBacks: msg`Cancel backs`,
  cancelLays: msg`Cancel lays`,
  stop: msg`Stop-loss`,
  profit: msg`Take profit`,
  trail: msg`Trailing stop`,
  hedge: msg`Close the runner`,
  hedgeAll: msg`Close the whole market`,
};

/** All keys, each in a field: the next key pressed there takes its place, unless another has it. */
export function HotkeySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const keys = useHotkeys();
  const [wrong, setWrong] = useState<{ name: Hotkey; text: string } | null>(null);
  const refuse = (name: Hotkey, text: string) => {
    setWrong({ name, text });
    // The focus stays where it is: nothing else would say it.
    announce(text, 'assertive');
  };
  const press = (name: Hotkey) => (event: KeyboardEvent<HTMLInputElement>) => {
    // The ways out of the field and of the sheet stay what they are.
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setWrong(null);
    if (event.key.toLowerCase() === keys[name]) return;
    const taken = ownerOf(event.key);
    if (taken) refuse(name, t`${{ key: event.key.toUpperCase() }} is the key of: ${{ deed: say(DEEDS[taken]) }}.`);
    else if (isKey(event.key)) setKey(name, event.key);
    else refuse(name, t`One letter or sign. Figures are stakes.`);
  };
  return (
    <Modal
      open={open}
      onClose={onClose}
      width="s"
      title={t`Keys`}
      footer={
        <Button
          block
          onClick={() => {
            setWrong(null);
            resetKeys();
          }}
        >
          {t`As they were at first`}
        </Button>
      }
    >
      {GROUPS.map(({ of, title }) => (
        <section key={of} className={css.fields} aria-label={say(title)}>
          <h3 className="fs-14">{say(title)}</h3>
          {(Object.keys(HOTKEYS) as Hotkey[])
            .filter((name) => HOTKEYS[name].of === of)
            .map((name) => (
              <Field key={name} label={say(DEEDS[name])} error={wrong?.name === name ? wrong.text : null}>
                <TextInput value={keys[name].toUpperCase()} onKeyDown={press(name)} onChange={() => undefined} />
              </Field>
            ))}
          {of === 'slip' && (
            <Field label={t`Stake buttons`}>
              <TextInput value="1 \u2026 9" readOnly />
            </Field>
          )}
        </section>
      ))}
    </Modal>
  );
}
