import { toast } from './toasts.ts';

/** Copies a text and says so, or that it may not be done here. */
export async function copyText(text: string, said = 'Copied'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(said);
  } catch {
    toast.error('Copying is not allowed here. Select the text instead.');
  }
}
