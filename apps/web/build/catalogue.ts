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
/** The context of what feeds and the server name alike everywhere (platform/named.ts). */
export const FEED = 'feed';
/** The context of the rules of sports (apps/server/src/account/rules-texts.ts): a file of their own, which their screen fetches. */
export const RULES = 'rules';
/** The contexts of what the server alone says, in files and pushes (apps/server/src/words.json): no page fetches it. */
export const SERVER_ONLY: readonly unknown[] = ['file', 'push'];
export type Catalogue = Record<string, Entry>;

const po = formatter({ lineNumbers: false, printPlaceholdersInComments: false });

export const readCatalogue = (text: string): Catalogue =>
  po.parse(text, { locale: '', sourceLocale: 'en', filename: '' }) as Catalogue;

/** By the English, not by the file a text stands in: a part that moves to another file moves nothing here. */
const inOrder = ([, one]: [string, Entry], [, other]: [string, Entry]): number => {
  const [here, there] = [one, other].map(({ message, context }) => `${message}\0${context ?? ''}`);
  return here! < there! ? -1 : here! > there! ? 1 : 0;
};

/** Without the time of its making, so that what did not change stays as it was. */
export function writeCatalogue(catalogue: Catalogue, locale: string): string {
  const ordered = Object.fromEntries(Object.entries(catalogue).sort(inOrder));
  const text = po.serialize(ordered as never, { locale, sourceLocale: 'en', existing: null, filename: '' });
  return (text as string).replace(/^"(POT-Creation-Date|X-Generator).*\n/gm, '');
}
