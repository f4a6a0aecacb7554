import { type ComponentType, lazy, Suspense } from 'react';
import type { ModalId } from './account-menu-data.ts';
import { loadScreen, type ScreenModule } from './lazy-screen.ts';

type ModalProps = { open: boolean; onClose: () => void };

const modal = (load: () => Promise<{ ModalScreen: ComponentType<ModalProps> }>) =>
  lazy(async () => {
    const screen = () => load().then(({ ModalScreen }): ScreenModule<ModalProps> => ({ Screen: ModalScreen }));
    return { default: (await loadScreen(screen)).Component };
  });

/** The modals of the shell. Each is its own chunk: a feature exports `ModalScreen({open, onClose})` that draws a `Modal`. */
const MODALS: Record<ModalId, ComponentType<ModalProps>> = {
  buttons: modal(() => import('../features/buttons/buttons.tsx')),
  rules: modal(() => import('../features/rules/rules.tsx')),
  market: modal(() => import('../features/my-market/my-market.tsx')),
};

export function ShellModals({ open, onClose }: { open: ModalId | null; onClose: () => void }) {
  if (open === null) return null;
  const Loaded = MODALS[open];
  return (
    <Suspense fallback={null}>
      <Loaded open onClose={onClose} />
    </Suspense>
  );
}
