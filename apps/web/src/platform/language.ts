import { useSyncExternalStore } from 'react';
import type { Language } from './languages.ts';
import { Signal } from './listeners.ts';
import type { speechOf } from './speech.ts';
import { device } from './storage.ts';

/**
 * The language of the page. English stands in the program, each other language is a file of messages that is fetched when
 * it is chosen. Words are asked for while something is drawn, never before: a new language draws everything anew.
 */

/** A message taken apart: its text, or texts between values. */
export type Compiled = string | ReadonlyArray<string | Part>;
type Part = readonly [name: string, kind?: string, cases?: Readonly<Record<string, Compiled | number | undefined>>];
export type Values = Readonly<Record<string, unknown>>;
/** What the macro `msg` makes: a message that is not said yet. */
export interface Words {
  readonly id: string;
  readonly message?: unknown;
  readonly values?: unknown;
}

const KEY = 'language';
const changed = new Signal();
const files = import.meta.glob<{ default: Record<string, Compiled>; font?: readonly [string, string] }>(
  '../../languages/*.po',
);
/** A font that is late is drawn when it comes. */
const FONT_MS = 1500;
let current: Language = 'en';
/** Beside every language but English. */
export let speech: ReturnType<typeof speechOf> | null = null;
let own: (key: string, message: Compiled) => Compiled | undefined = () => undefined;

const fileOf = (of: string): string => `../../languages/${of}.po`;
const isLanguage = (text: string | null): text is Language =>
  text !== null && (text === 'en-XA' || Object.hasOwn(files, fileOf(text)));

export const language = (): Language => current;
/** For `Intl`; digits are Latin in all languages, as in what players type. */
export const locale = (): string => (current.startsWith('en') ? 'en-GB' : `${current}-u-nu-latn`);
export const useLanguage = (): Language => useSyncExternalStore(changed.on, language);

/** For the start of the page: what was chosen in this browser. What cannot be fetched is English this time. */
export async function speakAsKept(): Promise<void> {
  const kept = device.text(KEY);
  await speak(isLanguage(kept) ? kept : 'en').catch(() => setLanguage('en', () => undefined));
}

/** Chosen by the player: fails, and changes nothing, where its messages cannot be fetched. */
export async function chooseLanguage(to: Language): Promise<void> {
  await speak(to);
  device.keepText(KEY, to);
}

async function speak(to: Language): Promise<void> {
  if (to === current) return;
  if (to === 'en') setLanguage(to, () => undefined);
  else if (to === 'en-XA') setLanguage(to, (await import('./pseudo.ts')).pseudo, await import('./speech.ts'));
  else {
    const load = files[fileOf(to)];
    if (!load) throw new Error(`There are no messages in ${to}.`);
    const [{ default: messages, font }, other] = await Promise.all([load(), import('./speech.ts')]);
    const drawn = font && document.fonts?.load(...font).catch(() => undefined);
    if (drawn) await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, FONT_MS))]);
    setLanguage(to, (key) => messages[key], other);
  }
}

function setLanguage(to: Language, words: typeof own, other?: { speechOf: typeof speechOf }): void {
  current = to;
  own = words;
  speech = other?.speechOf(to, (stem, values) => filled(wordsOf(`feed:${stem}`, ''), values)) ?? null;
  document.documentElement.lang = to;
  document.documentElement.dir = to === 'ur' ? 'rtl' : 'ltr';
  changed.tell();
}

/** The message in the language of the page, or its English, which a text without values has for its key. */
export const wordsOf = (key: string, message: Compiled = key): Compiled => own(key, message) ?? message;

/** A message with its values, each as `show` writes it. */
export function filled(message: Compiled, values: Values = {}, show: (value: unknown) => string = String): string {
  const within = (part: Compiled, count?: number): string => {
    if (typeof part === 'string') return part;
    let text = '';
    for (const one of part) {
      if (one === '#' && count !== undefined) text += new Intl.NumberFormat(locale()).format(count);
      else if (typeof one === 'string') text += one;
      else {
        const [name, kind, cases] = one;
        const value = values[name];
        if (kind) text += within(...choice(kind, value, cases ?? {}, count));
        else if (value !== undefined && value !== null) text += show(value);
      }
    }
    return text;
  };
  return within(message);
}

function choice(
  kind: string,
  value: unknown,
  cases: NonNullable<Part[2]>,
  outer: number | undefined,
): [chosen: Compiled, count: number | undefined] {
  const counts = kind !== 'select';
  const rest = Number(value) - (Number(cases.offset) || 0);
  const rule = () => new Intl.PluralRules(current, { type: kind === 'plural' ? 'cardinal' : 'ordinal' }).select(rest);
  const chosen = cases[String(value)] ?? (counts ? cases[rule()] : undefined) ?? cases.other;
  return [(chosen ?? '') as Compiled, counts ? rest : outer];
}

/** A message without values as the sources have it, by which a text of the server is known. */
export const english = (words: Words | string): string => (typeof words === 'string' ? words : words.id);

/** What the macros `t` and `plural` become. */
export const i18n = {
  _: (key: string, message?: Compiled, values?: Values): string => filled(wordsOf(key, message), values),
};

/** Says what `msg` made, or a text of the server, which is its own key; one that has no translation is said as it is. */
export const say = (words: Words | string): string =>
  typeof words === 'string'
    ? i18n._(words)
    : i18n._(words.id, words.message as Compiled | undefined, words.values as Values | undefined);
