import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { LANGUAGES } from '../src/platform/languages.ts';
import { OFFERED } from '../src/platform/offered.ts';
import { casinoMessages } from './casino-words.ts';
import { CASINO, type Catalogue, readCatalogue, writeCatalogue } from './catalogue.ts';
import { compiled, hasMessages, withMessages } from './messages.ts';
import { SERVER_WORDS, serverFiles } from './server-words.ts';

/**
 * npm run languages: what each language has not translated, what is stale in it (its English is gone) and what is broken
 * (other values or tags than the English, or no message at all). Ends with 1 where there is any of them.
 *
 * npm run languages -- hi ur   these only
 * npm run languages -- --write adds new messages to the files, and marks stale ones; and writes what the server says of them
 * npm run languages -- --drop  takes the stale ones out
 * npm run languages -- --list  names each message
 * npm run languages -- --offered those that players may choose: a check of npm test
 */
const web = join(import.meta.dirname, '..');
const folder = join(web, 'languages');
const flag = { type: 'boolean', default: false } as const;
const { values: asked, positionals } = parseArgs({
  options: { write: flag, drop: flag, list: flag, offered: flag },
  allowPositionals: true,
});

/** Every message of the client, as the sources have it. */
function sources(): Catalogue {
  const all: Catalogue = {};
  const files = readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' }).sort();
  for (const name of files) {
    const file = join(web, 'src', name);
    if (!/\.tsx?$/.test(name)) continue;
    const code = readFileSync(file, 'utf8');
    if (!hasMessages(code, file)) continue;
    const origin = relative(web, file).replaceAll('\\', '/');
    for (const { id, text, context, comment } of withMessages(code, file).messages) {
      all[id] ??= { message: text, context, comments: [], origin: [] };
      const entry = all[id];
      if (comment && !entry.comments!.includes(comment)) entry.comments!.push(comment);
      if (!entry.origin!.some(([path]) => path === origin)) entry.origin!.push([origin]);
    }
  }
  for (const { text, context, origin } of SERVER_WORDS) {
    const id = generateMessageId(text, context);
    all[id] ??= { message: text, context, comments: [], origin: [] };
    all[id].origin!.push([origin]);
  }
  for (const text of casinoMessages())
    all[generateMessageId(text, CASINO)] = {
      message: text,
      context: CASINO,
      comments: [],
      origin: [['packages/casino']],
    };
  return all;
}

/** The values and tags of a message: a translation has the same ones. */
function placesOf(text: string): string {
  const found = new Set<string>();
  const walk = (part: unknown): void => {
    if (typeof part === 'string') for (const [tag] of part.matchAll(/<\/?\w+\/?>/g)) found.add(tag);
    if (!Array.isArray(part)) return;
    for (const one of part) {
      if (!Array.isArray(one)) walk(one);
      else {
        found.add(`{${one[0]}}`);
        for (const [key, inner] of Object.entries(one[2] ?? {})) if (key !== 'offset') walk(inner);
      }
    }
  };
  walk([compiled(text)].flat());
  return [...found].sort().join(' ');
}

function fault(message: string, translation: string): string | null {
  try {
    const [here, there] = [placesOf(message), placesOf(translation)];
    return here === there ? null : `has ${there || 'no values'} and not ${here || 'none'}`;
  } catch (error) {
    return (error as Error).message;
  }
}

const pathOf = (language: string): string => join(folder, `${language}.po`);
const heldIn = (language: string): Catalogue =>
  existsSync(pathOf(language)) ? readCatalogue(readFileSync(pathOf(language), 'utf8')) : {};

function look(language: string, all: Catalogue): boolean {
  const held = heldIn(language);
  const ids = Object.keys(all);
  const untranslated = ids.filter((id) => !held[id]?.translation);
  const stale = Object.keys(held).filter((id) => !all[id]);
  const broken = ids.flatMap((id) => {
    const translation = held[id]?.translation;
    const why = translation ? fault(all[id]!.message!, translation) : null;
    return why ? [`${all[id]!.message}: ${why}`] : [];
  });
  const offered = (OFFERED as readonly string[]).includes(language) ? ', offered' : '';
  console.log(
    `${language}: ${ids.length - untranslated.length} of ${ids.length}; ${untranslated.length} untranslated, ${stale.length} stale, ${broken.length} broken${offered}`,
  );
  for (const line of broken) console.log(`  broken: ${line}`);
  if (asked.list) {
    for (const id of untranslated) console.log(`  untranslated: ${all[id]!.message}`);
    for (const id of stale) console.log(`  stale: ${held[id]!.message}`);
  }
  if (asked.write || asked.drop) {
    const next: Catalogue = {};
    for (const id of ids) next[id] = { ...all[id], translation: held[id]?.translation ?? '' };
    // What was never translated is nobody's work: it goes with its English.
    if (!asked.drop)
      for (const id of stale) if (held[id]!.translation) next[id] = { ...held[id], obsolete: true, origin: [] };
    mkdirSync(folder, { recursive: true });
    writeFileSync(pathOf(language), writeCatalogue(next, language));
  }
  return untranslated.length + stale.length + broken.length === 0;
}

const all = sources();
const translated = (asked.offered ? [...OFFERED] : Object.keys(LANGUAGES)).filter((one) => one !== 'en');
const wanted = positionals.length > 0 ? positionals : translated;
const whole = wanted.map((language) => look(language, all)).every(Boolean);
const languages = Object.fromEntries(OFFERED.filter((one) => one !== 'en').map((one) => [one, heldIn(one)]));
const stale = serverFiles(languages).filter(([path, text]) => readFileSync(path, 'utf8') !== text);
if (asked.write || asked.drop) for (const [path, text] of stale) writeFileSync(path, text);
else for (const [path] of stale) console.log(`${relative(web, path)} is stale: npm run languages -- --write`);
if (!whole || (stale.length > 0 && !asked.write && !asked.drop)) process.exitCode = 1;
