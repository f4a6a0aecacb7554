import { t } from '@lingui/core/macro';
import { toast } from './toasts.ts';

/** Copies a text and says so, or that it may not be done here. */
export async function copyText(text: string, said = t`Copied`): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(said);
  } catch {
    toast.error(t`Copying is not allowed here. Select the text instead.`);
  }
}
