import './ui/styles.ts';
import { Fragment, type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { comesToSignIn } from './app/arrival.ts';
import { UpdatingScreen } from './app/error-boundary.tsx';
import { loadScreen } from './app/lazy-screen.ts';
import { startServiceWorker } from './app/service-worker.ts';
import { speakAsKept, useLanguage } from './platform/language.ts';
import { useTimeZone } from './platform/zone.ts';
import { readSession } from './session/session.ts';

/** The most that a start waits for its first picture; a tab that nobody sees draws none. */
const PICTURE_MS = 100;

/** The first picture (#splash) is drawn before the client runs: a slow phone would show nothing until it has. */
function pictured(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((done) => {
    setTimeout(done, PICTURE_MS);
    requestAnimationFrame(() => setTimeout(done));
  });
}

async function start(root: Root): Promise<void> {
  const spoken = speakAsKept();
  await pictured();
  const { Component } = await loadScreen(
    comesToSignIn(location.pathname, readSession() !== null)
      ? () => import('./app/entrance.tsx')
      : async () => ({ Screen: await (await import('./app/app.tsx')).openClient() }),
  ).catch(() => ({ Component: UpdatingScreen }));
  await spoken;
  // Drawn in slices: a slow phone answers meanwhile.
  startTransition(() =>
    root.render(
      <StrictMode>
        <Spoken>
          <Component />
        </Spoken>
      </StrictMode>,
    ),
  );
}

/** Another language or clock draws everything anew: no part needs to listen for it. */
const Spoken = ({ children }: { children: ReactNode }) => (
  <Fragment key={`${useLanguage()} ${useTimeZone()}`}>{children}</Fragment>
);

const place = document.getElementById('root');
if (place) {
  void start(createRoot(place, { onUncaughtError: (error) => console.error('Uncaught', error) }));
}
startServiceWorker();
