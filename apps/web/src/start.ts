import './ui/styles.ts';
import { pictured } from './platform/pictured.ts';

// The page's entry, and all of it: what it imports would run before the first picture.
void pictured().then(() => import('./main.tsx'));
