import './ui/styles.ts';
import { pictured } from './platform/pictured.ts';

// The page's entry, and all of it: what it imports would run before the first picture.
void pictured().then(() => {
  const client = import('./main.tsx');
  // The first figure and the first date cost as much as a screen's drawing. While the client is on its way nobody waits for it.
  for (const first of [() => (0).toLocaleString(), () => new Date().toLocaleString()]) setTimeout(first);
  return client;
});
