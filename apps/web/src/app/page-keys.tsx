import { useState } from 'react';
import { useHotkey, useKeysOf } from '../platform/hotkeys.ts';
import { useNavigate } from '../platform/routing.tsx';
import { useSession } from '../session/session.ts';
import { HotkeySheet } from './hotkey-sheet.tsx';
import { bestIn, rowBeside } from './rows.ts';

/**
 * What keys do on every page, with the sheet of all of them. It comes once the page stands. `leads`: to other screens too,
 * which a screen in a window of its own does not.
 */
export function PageKeys({ leads = false }: { leads?: boolean }) {
  const [open, setOpen] = useState(false);
  useKeysOf(useSession()?.userId ?? 0);
  useHotkey('help', () => setOpen(true));
  useHotkey('nextRow', () => rowBeside(1)?.focus());
  useHotkey('previousRow', () => rowBeside(-1)?.focus());
  useHotkey('back', () => press('back'));
  useHotkey('lay', () => press('lay'));
  return (
    <>
      {leads && <WayKeys />}
      {open && <HotkeySheet open onClose={() => setOpen(false)} />}
    </>
  );
}

function press(side: 'back' | 'lay'): void {
  const cell = bestIn(document.activeElement, side);
  // The slip goes back to the price it was opened from.
  cell?.focus();
  cell?.click();
}

function WayKeys() {
  const navigate = useNavigate();
  useHotkey('search', () => document.querySelector<HTMLElement>('search input')?.focus());
  useHotkey('home', () => void navigate('/home'));
  useHotkey('inPlay', () => void navigate('/inPlay'));
  useHotkey('bets', () => void navigate('/unsettled-bet'));
  useHotkey('alerts', () => void navigate('/alerts'));
  useHotkey('workspace', () => void navigate('/workspace'));
  return null;
}
