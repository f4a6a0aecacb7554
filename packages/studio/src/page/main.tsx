/** The page in the frame: a session in the address, a game in the middle. */
import './styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Api, httpApi, sessionName } from './api.ts';
import { App } from './app.tsx';
import { BOARDS } from './boards.ts';

const query = new URLSearchParams(location.search);

async function apiOf(): Promise<Api> {
  // Looking at a board without a host: only where vite serves the sources, no part of a build.
  if (import.meta.env.DEV) {
    const { fakeApi, wishesOf } = await import('./fake.ts');
    const entry = BOARDS[query.get('fake') ?? ''];
    if (entry) return fakeApi(await entry.rules(), wishesOf(query));
  }
  return httpApi(sessionName(query.get('s') ?? '', keepingPlace()));
}

/** Null where a browser allows frames of others no storage: asking for it throws. */
function keepingPlace(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const theme = query.get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

void apiOf().then((api) => {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App api={api} />
    </StrictMode>,
  );
});
