import './ui/ui.css';
import './betting/betting.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startServiceWorker } from './app/service-worker.ts';

const root = document.getElementById('root');
if (root) {
  createRoot(root, {
    onUncaughtError: (error) => console.error('Uncaught', error),
  }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
startServiceWorker();
