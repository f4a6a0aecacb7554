import { Fragment, type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { comesToSignIn } from './app/arrival.ts';
import { UpdatingScreen } from './app/error-boundary.tsx';
import { loadScreen } from './app/lazy-screen.ts';
import { startServiceWorker } from './app/service-worker.ts';
import { noteAsked } from './platform/asked.ts';
import { speakAsKept, useLanguage } from './platform/language.ts';
import { useTimeZone } from './platform/zone.ts';
import { readSession } from './session/session.ts';

async function start(root: Root): Promise<void> {
  noteAsked();
  const spoken = speakAsKept();
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
