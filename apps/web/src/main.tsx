import './ui/styles.ts';
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { comesToSignIn } from './app/arrival.ts';
import { UpdatingScreen } from './app/error-boundary.tsx';
import { loadScreen } from './app/lazy-screen.ts';
import { startServiceWorker } from './app/service-worker.ts';
import { readSession } from './session/session.ts';

async function start(root: Root): Promise<void> {
  const { Component } = await loadScreen(
    comesToSignIn(location.pathname, readSession() !== null)
      ? () => import('./app/entrance.tsx')
      : async () => ({ Screen: await (await import('./app/app.tsx')).openClient() }),
  ).catch(() => ({ Component: UpdatingScreen }));
  root.render(
    <StrictMode>
      <Component />
    </StrictMode>,
  );
}

const place = document.getElementById('root');
if (place) {
  void start(createRoot(place, { onUncaughtError: (error) => console.error('Uncaught', error) }));
}
startServiceWorker();
