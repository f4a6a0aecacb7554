import { FEED_NAMES } from './feed-names.ts';
import type { Compiled } from './language.ts';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'áƀćđéƒğĥíĵķĺḿñóṕɋŕśťúṽŵẋýžÁƁĆĐÉƑĞĤÍĴĶĹḾÑÓṔɊŔŚŤÚṼŴẊÝŽ';
const accents = new Map(PLAIN.split('').map((letter, at) => [letter, ACCENTED[at]!]));

const FEED = new Set<string>(FEED_NAMES);
/** Every second part of a stem is the name of a value. */
const ofStem = (part: string, at: number) => (at % 2 === 1 ? ([part] as const) : longer(part));

/** A message of `en-XA`: every letter has an accent, and there are two more in five. */
export function pseudo(key: string, message: Compiled): Compiled {
  const [, stem] = /^feed:(.*)$/.exec(key) ?? [];
  if (stem !== undefined) return FEED.has(stem) ? stem.split(/\{(\w)\}/).map(ofStem) : message;
  if (typeof message === 'string') return longer(message);
  return message.map((part) => {
    if (typeof part === 'string') return part === '#' ? part : longer(part);
    const [name, kind, cases] = part;
    if (!cases) return part;
    const said = Object.entries(cases).map(([key, one]) => [
      key,
      key === 'offset' || one === undefined ? one : pseudo('', one as Compiled),
    ]);
    return [name, kind, Object.fromEntries(said)] as typeof part;
  });
}

/** Tags and what looks like one stay: they are no words. */
function longer(text: string): string {
  let letters = 0;
  const said = text
    .split(/(<\/?\w+\/?>)/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .split('')
            .map((letter) => {
              const accent = accents.get(letter);
              if (!accent) return letter;
              letters += 1;
              return letters % 5 === 2 || letters % 5 === 4 ? accent + accent : accent;
            })
            .join(''),
    )
    .join('');
  return said;
}
