import { t } from '@lingui/core/macro';
import { type ReactNode, useId } from 'react';
import { usePasswordProof } from '../sign-in/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';

/** After an idle hour the password is needed before money goes (SEC-S5): asked for here, then what waited goes on. */
export function AskPassword({
  action,
  onProven,
  onLeave,
  children,
}: {
  /** What goes on: "Place the bet". */
  action: string;
  onProven: () => void;
  onLeave: () => void;
  /** Why it is asked for. */
  children: ReactNode;
}) {
  const form = useId();
  const { error, busy, input, onSubmit } = usePasswordProof(onProven);
  return (
    <Modal
      open
      onClose={onLeave}
      title={t`Your password, please`}
      width="s"
      footer={
        <>
          <Button kind="sec" onClick={onLeave}>
            {t`Not now`}
          </Button>
          <Button kind="pri" type="submit" form={form} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className="stack g-5" noValidate onSubmit={onSubmit}>
        <p className="t2">{children}</p>
        <Field label={t`Password`} error={error}>
          <PasswordInput {...input} />
        </Field>
      </form>
    </Modal>
  );
}
