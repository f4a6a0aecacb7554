import { type ComponentType, lazy, Suspense } from 'react';
import { IconHourglass } from '../ui/icons.ts';
import { Modal } from '../ui/modal.tsx';
import { EmptyState } from '../ui/note.tsx';
import type { ModalId } from './account-menu-data.ts';
import { loadScreen } from './lazy-screen.ts';

type ModalProps = { open: boolean; onClose: () => void };
type ModalModule = { Screen: ComponentType<ModalProps> };

/**
 * The modals of the shell. Each is its own chunk: a feature exports `Screen({open, onClose})` that draws a `Modal`.
 * A row without a feature shows that it is not open yet.
 */
const MODALS: Record<ModalId, { title: string; load?: () => Promise<ModalModule> }> = {
  buttons: {
    title: 'Set Button Values',
    load: () => import('../features/buttons/buttons.tsx').then(({ ModalScreen }) => ({ Screen: ModalScreen })),
  },
  rules: {
    title: 'Rules',
    load: () => import('../features/rules/rules.tsx').then(({ ModalScreen }) => ({ Screen: ModalScreen })),
  },
  market: {
    title: 'My Market',
    load: () => import('../features/my-market/my-market.tsx').then(({ ModalScreen }) => ({ Screen: ModalScreen })),
  },
};

const LOADED = Object.fromEntries(
  Object.entries(MODALS).flatMap(([id, { load }]) =>
    load
      ? [
          [
            id,
            lazy(async () => ({ default: (await loadScreen(load as never)).Component as ComponentType<ModalProps> })),
          ],
        ]
      : [],
  ),
) as Partial<Record<ModalId, ComponentType<ModalProps>>>;

export function ShellModals({ open, onClose }: { open: ModalId | null; onClose: () => void }) {
  if (open === null) return null;
  const Loaded = LOADED[open];
  if (Loaded) {
    return (
      <Suspense fallback={null}>
        <Loaded open onClose={onClose} />
      </Suspense>
    );
  }
  return (
    <Modal open onClose={onClose} title={MODALS[open].title}>
      <EmptyState icon={IconHourglass} title="Not open yet">
        This part of fairGame is being made ready.
      </EmptyState>
    </Modal>
  );
}
