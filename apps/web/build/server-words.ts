import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
// By its path: who reads the configuration knows no TypeScript in packages.
import { ERRORS } from '../../../packages/contract/src/contract.ts';
import { FEED_NAMES } from '../src/platform/feed-names.ts';
import { type Catalogue, FEED, RULES } from './catalogue.ts';

/** What the server says of its own, in files and pushes: by its English the context of its message, and its translations. */
const OWN = 'apps/server/src/words.json';
const root = join(import.meta.dirname, '../../..');
const own: Words = JSON.parse(readFileSync(join(root, OWN), 'utf8'));
/** The rules of the sports, which the client says on their own screen. */
const RULES_OF = 'apps/server/src/account/rules-texts.ts';
/** Of errors and names, what the server says in files. */
const SAID = 'apps/server/src/ledger/said.json';

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;
interface Rules {
  sportName: string;
  rules: ReadonlyArray<{ category: string; description: ReadonlyArray<{ text: string }> }>;
}
interface Word {
  text: string;
  context?: string | undefined;
  origin: string;
}

/** Each is the key of its own translation, and the client asks by it (`say(text)`, `named(name)`). */
const NAMED: readonly Word[] = [
  ...[...new Set(Object.values(ERRORS).map(([, text]) => text as string))].map((text) => ({
    text,
    origin: 'packages/contract/src/errors.ts',
  })),
  ...FEED_NAMES.map((text) => ({ text, context: FEED, origin: 'apps/web/src/platform/feed-names.ts' })),
];
const SPOKEN: readonly Word[] = Object.entries(own).map(([text, { context }]) => ({ text, context, origin: OWN }));

const { RULES_TEXTS }: { RULES_TEXTS: readonly Rules[] } = await import(pathToFileURL(join(root, RULES_OF)).href);
const RULED: readonly Word[] = [
  ...new Set(
    RULES_TEXTS.flatMap(({ sportName, rules }) => [
      sportName,
      ...rules.flatMap(({ category, description }) => [category, ...description.map(({ text }) => text)]),
    ]),
  ),
].map((text) => ({ text, context: RULES, origin: RULES_OF }));

/** What the server says whole. */
export const SERVER_WORDS: readonly Word[] = [...NAMED, ...SPOKEN, ...RULED];

/** What the languages have of these words. */
const saidOf = (words: readonly Word[], languages: Readonly<Record<string, Catalogue>>): Words =>
  Object.fromEntries(
    words.map(({ text, context }) => {
      const id = generateMessageId(text, context);
      return [
        text,
        Object.fromEntries(
          Object.entries(languages).flatMap(([language, catalogue]) => {
            const translation = catalogue[id]?.translation;
            return translation ? [[language, translation]] : [];
          }),
        ),
      ];
    }),
  );

/** The files by which the server says them, as they would be now: the text of each by its path. */
export function serverFiles(
  languages: Readonly<Record<string, Catalogue>>,
): Array<readonly [path: string, text: string]> {
  const spoken = Object.entries(saidOf(SPOKEN, languages)).map(([text, said]) => {
    const context = own[text]?.context;
    return [text, { ...(context && { context }), ...said }];
  });
  return [
    [join(root, OWN), Object.fromEntries(spoken)],
    [join(root, SAID), saidOf(NAMED, languages)],
  ].map(([path, words]) => [path, `${JSON.stringify(words, null, 2)}\n`] as const);
}
