import { formatter } from '@lingui/format-po';

/** A message in the file of a language, by its id. Obsolete: no source has it any more. */
interface Entry {
  message?: string | undefined;
  translation?: string | undefined;
  context?: string | undefined;
  comments?: string[];
  origin?: [string, number?][];
  obsolete?: boolean;
}
/** The context of the texts that packages/casino makes. The client asks for them by their English (features/casino/vocabulary.ts). */
export const CASINO = 'casino';
export type Catalogue = Record<string, Entry>;

const po = formatter({ lineNumbers: false, printPlaceholdersInComments: false });

export const readCatalogue = (text: string): Catalogue =>
  po.parse(text, { locale: '', sourceLocale: 'en', filename: '' }) as Catalogue;

/** Without the time of its making, so that what did not change stays as it was. */
export function writeCatalogue(catalogue: Catalogue, locale: string): string {
  const text = po.serialize(catalogue as never, { locale, sourceLocale: 'en', existing: null, filename: '' });
  return (text as string).replace(/^"(POT-Creation-Date|X-Generator).*\n/gm, '');
}
