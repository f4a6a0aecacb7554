/**
 * A board of the studio in the frame it has in the product, against a provider in the page (its words are those of
 * packages/studio/src/page/fake.ts), here with a seed, so that its rounds are the same each time. `play=1` plays one.
 */
import './still.ts';
import '../../../packages/studio/src/page/styles.ts';
import { createRoot } from 'react-dom/client';
import { App } from '../../../packages/studio/src/page/app.tsx';
import { BOARDS } from '../../../packages/studio/src/page/boards.ts';
import { fakeApi, wishesOf } from '../../../packages/studio/src/page/fake.ts';

const query = new URLSearchParams(location.search);
const rules = await BOARDS[query.get('fake') ?? '']?.rules();
if (!rules) throw new Error(`There is no board of ${query.get('fake')}.`);
const html = document.documentElement;
html.dir = query.get('dir') === 'rtl' ? 'rtl' : 'ltr';
html.dataset.theme = query.get('theme') === 'light' ? 'light' : 'dark';

if (!query.has('seed')) query.set('seed', 'parts');
if (!query.has('lag')) query.set('lag', '0');
createRoot(document.getElementById('root')!).render(<App api={fakeApi(rules, wishesOf(query))} />);
if (query.has('play')) play();

/** Presses the main button once the game is there. */
function play(): void {
  const button = document.querySelector<HTMLButtonElement>('.acts__main:not(:disabled)');
  if (button) button.click();
  else setTimeout(play, 50);
}
