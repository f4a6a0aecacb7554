/** How the classes of a *.module.css are named in the page: `file__name`, so that a test can name them as they stand. */
import { basename } from 'node:path';

/** Words of base.css that every part may take, and movements (keyframes) of it. */
export const WORDS = new Set(['spoken', 'icon', 'sheen']);

/** `is-open`, `has-note`: what a part is like at the moment. Never styled but together with a class or an element. */
export const isState = (name) => /^(is|has)-/.test(name);

/** A name with its file (`panel__head`) is another part's; words and states are the same everywhere. */
export function scopedName(name, file) {
  if (name.includes('__') || isState(name) || WORDS.has(name)) return name;
  return `${basename(file.split('?')[0], '.module.css')}__${name}`;
}

/** For the `css` of every build of a page. */
export const css = { modules: { generateScopedName: scopedName } };
