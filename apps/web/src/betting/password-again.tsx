import { useId } from 'react';
import { usePasswordProof } from '../session/password-proof.ts';
import { usePasswordAsked } from '../slip/hooks.ts';
import { goOnAfterPassword, leavePassword } from '../slip/slip.ts';
import { Button } from '../ui/button.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';

/** After an idle hour a bet needs the password (SEC-S5). It is asked for here, and the same bet goes on. */
export function PasswordAgain() {
  return usePasswordAsked() ? <Ask /> : null;
}

function Ask() {
  const form = useId();
  const { error, busy, input, onSubmit } = usePasswordProof(goOnAfterPassword);
  return (
    <Modal
      open
      onClose={leavePassword}
      title="Your password, please"
      width="s"
      footer={
        <>
          <Button kind="sec" onClick={leavePassword}>
            Not now
          </Button>
          <Button kind="pri" type="submit" form={form} busy={busy}>
            Place the bet
          </Button>
        </>
      }
    >
      <form id={form} className="stack g-5" noValidate onSubmit={onSubmit}>
        <p className="t2">
          You have been away for a while. Your password confirms that it is you; then the bet is placed.
        </p>
        <Field label="Password" error={error}>
          <PasswordInput {...input} />
        </Field>
      </form>
    </Modal>
  );
}
