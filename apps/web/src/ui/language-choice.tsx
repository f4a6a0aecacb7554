import { t } from '@lingui/core/macro';
import { chooseLanguage, useLanguage } from '../platform/language.ts';
import { type Chosen, LANGUAGES } from '../platform/languages.ts';
import { OFFERED } from '../platform/offered.ts';
import { toast } from '../platform/toasts.ts';
import { SelectInput } from './field.tsx';

/** The languages that are offered, each by its own name. `onChosen` hears what the page speaks next, before it is drawn anew. */
export function LanguageChoice({ onChosen }: { onChosen?: (to: Chosen) => void }) {
  const choose = (to: Chosen) => {
    onChosen?.(to);
    chooseLanguage(to).catch(() => toast.error(t`This language could not be loaded.`));
  };
  return (
    <SelectInput
      aria-label={t`Language`}
      value={useLanguage()}
      onChange={(event) => choose(event.target.value as Chosen)}
      options={OFFERED.map((one) => ({ value: one, label: LANGUAGES[one] }))}
    />
  );
}
