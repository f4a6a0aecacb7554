import './still.ts';
import '../src/ui/styles.ts';
import '../src/client-styles.ts';
import './gallery.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { chooseLanguage } from '../src/platform/language.ts';
import { fetchLater } from '../src/platform/later.tsx';
import { memoryHistory, Router } from '../src/platform/router.ts';
import { RouterProvider } from '../src/platform/routing.tsx';
import { Gallery, Index, settingOf } from './gallery.tsx';
import { GROUPS } from './parts.ts';

const root = createRoot(document.getElementById('root')!);

/** Draws what an address asks for, from nothing. */
async function show(address: string): Promise<void> {
  const query = new URL(address).searchParams;
  const setting = settingOf(query);
  await chooseLanguage(setting.language);
  const html = document.documentElement;
  html.dataset.theme = setting.theme;
  html.dataset.density = setting.density;
  html.dir = setting.dir;
  const part = Object.values(GROUPS)
    .flat()
    .find(({ name }) => name === query.get('part'));
  const element = part ? <Gallery part={part} setting={setting} /> : <Index />;
  const router = new Router([{ path: '*', element }], memoryHistory());
  flushSync(() => root.render(<RouterProvider key={address} router={router} />));
  await document.fonts.ready;
}

navigation.addEventListener('navigate', (event) => {
  const sameFile = new URL(event.destination.url).pathname === location.pathname;
  if (event.canIntercept && sameFile) event.intercept({ handler: () => show(event.destination.url) });
});
// Asked for by name: a picture with a fallback font would be one of another product.
await Promise.all(['latin', '\u0101'].map((text) => document.fonts.load('400 13px "Inter Variable"', text)));
// What is drawn later elsewhere is there: a picture waits for nothing.
await fetchLater();
await show(location.href);
