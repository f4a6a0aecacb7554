import { type KeyboardEvent, useState } from 'react';
import { HOTKEYS, type Hotkey, isKey, ownerOf, resetKeys, setKey, useHotkeys } from '../platform/hotkeys.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import css from '../ui/overlay.module.css';

const GROUPS = [
  { of: 'pages', title: 'On every page' },
  { of: 'ladder', title: 'On a ladder' },
] as const;

/** All keys, each in a field: the next key pressed there takes its place, unless another has it. */
export function HotkeySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const keys = useHotkeys();
  const [wrong, setWrong] = useState<{ name: Hotkey; text: string } | null>(null);
  const press = (name: Hotkey) => (event: KeyboardEvent<HTMLInputElement>) => {
    // The ways out of the field and of the sheet stay what they are.
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setWrong(null);
    if (event.key.toLowerCase() === keys[name]) return;
    const taken = ownerOf(event.key);
    if (taken) setWrong({ name, text: `${event.key} is the key of: ${HOTKEYS[taken].words}.` });
    else if (isKey(event.key)) setKey(name, event.key);
    else setWrong({ name, text: 'One letter or sign. Figures are stakes.' });
  };
  return (
    <Modal
      open={open}
      onClose={onClose}
      width="s"
      title="Keys"
      footer={
        <Button
          block
          onClick={() => {
            setWrong(null);
            resetKeys();
          }}
        >
          As they were at first
        </Button>
      }
    >
      {GROUPS.map(({ of, title }) => (
        <section key={of} className={css.fields} aria-label={title}>
          <h3 className="fs-14">{title}</h3>
          {(Object.keys(HOTKEYS) as Hotkey[])
            .filter((name) => HOTKEYS[name].of === of)
            .map((name) => (
              <Field key={name} label={HOTKEYS[name].words} error={wrong?.name === name ? wrong.text : null}>
                <TextInput value={keys[name].toUpperCase()} onKeyDown={press(name)} onChange={() => undefined} />
              </Field>
            ))}
        </section>
      ))}
    </Modal>
  );
}
