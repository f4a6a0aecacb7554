/** How the classes of a *.module.css are named in the page: `file__name`, so that a test can name them as they stand. */
import { basename } from 'node:path';

/** Words of the base.css of a place, which every part of it may take, and movements (keyframes) of it. */
const WORDS = {
  // biome-ignore format: by kind
  'apps/web': [
    'sr', 'ic', 'n', 'num', 'link', 'skip', 'keep',
    't2', 't3', 't-live', 'c-back', 'c-lay', 'fs-11', 'fs-12', 'fs-13', 'fs-14', 'fs-15',
    'row', 'stack', 'between', 'grow', 'end', 'wrap', 'nowrap', 'clip', 'g-1', 'g-2', 'g-3', 'g-4', 'g-5', 'g-6',
  ],
  'packages/studio': ['spoken', 'icon', 'sheen'],
};

/** Whether a name is one of the words of the place that a sheet belongs to. */
export function isWord(name, file) {
  const place = Object.keys(WORDS).find((one) => file.replaceAll('\\', '/').includes(`${one}/`));
  return place !== undefined && WORDS[place].includes(name);
}

/** `is-open`, `has-note`: what a part is like at the moment. Never styled but together with a class or an element. */
export const isState = (name) => /^(is|has)-/.test(name);

/** A name with its file (`panel__head`) is another part's; words and states are the same everywhere. */
export function scopedName(name, file) {
  if (name.includes('__') || isState(name) || isWord(name, file)) return name;
  return `${basename(file.split('?')[0], '.module.css')}__${name}`;
}

/** For the `css` of every build of a page. */
export const css = { modules: { generateScopedName: scopedName } };
