import { t } from '@lingui/core/macro';
import { usePasswordProof } from '../../../sign-in/sign-in.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { IconLock } from '../../../ui/icons.ts';
import { EmptyState } from '../../../ui/note.tsx';
import css from './live.module.css';

/** After an idle hour the password is needed before a game opens; with it the launch is tried again. */
export function PasswordAgain({ again }: { again: () => void }) {
  const { error, busy, input, onSubmit } = usePasswordProof(again);
  return (
    <div className={css.cover}>
      <EmptyState
        icon={IconLock}
        title={t`Your password, please`}
        action={
          <form className={cx('stack g-5', css.actions)} noValidate onSubmit={onSubmit}>
            <Field label={t`Password`} error={error}>
              <PasswordInput {...input} />
            </Field>
            <Button kind="pri" type="submit" busy={busy}>
              {t`Open the game`}
            </Button>
          </form>
        }
      >
        {t`You have been away for a while. Your password confirms that it is you.`}
      </EmptyState>
    </div>
  );
}
