import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { HotkeySheet } from '../src/app/hotkey-sheet.tsx';
import { keyNow, meaningOf, resetKeys, useHotkey, useKeysOf } from '../src/platform/hotkeys.ts';

let went: string[] = [];
function Page({ userId, open = false }: { userId: number; open?: boolean }) {
  useKeysOf(userId);
  useHotkey('alerts', () => went.push('alerts'));
  return (
    <>
      <input aria-label="Stake" />
      <HotkeySheet open={open} onClose={() => undefined} />
    </>
  );
}

afterEach(() => {
  resetKeys();
  cleanup();
  went = [];
});

describe('keys', () => {
  it('do nothing in a text field, with another key held, or behind an open window', async () => {
    const user = userEvent.setup();
    const { rerender } = render(<Page userId={1} />);
    await user.keyboard('n');
    expect(went).toEqual(['alerts']);
    await user.type(screen.getByLabelText('Stake'), 'n');
    await user.tab();
    await user.keyboard('{Control>}n{/Control}');
    rerender(<Page userId={1} open />);
    await user.keyboard('n');
    expect(went).toEqual(['alerts']);
  });

  it('are changed in their field; one that is taken says whose it is, and each player has his own', async () => {
    const user = userEvent.setup();
    const { rerender } = render(<Page userId={1} open />);
    const field = screen.getByLabelText<HTMLInputElement>('Alerts');
    await user.type(field, 'b');
    screen.getByText('B is the key of: Back at the marked row.');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await user.type(field, '7');
    screen.getByText('One letter or sign. Figures are stakes.');
    await user.type(field, 'q');
    expect(field.value).toBe('Q');
    await user.type(screen.getByLabelText('Back at the marked row'), 'y');
    // The old keys are free, and mean nothing.
    expect([meaningOf('Y'), meaningOf('b'), meaningOf('Delete'), keyNow('Shift+B')]).toEqual([
      'b',
      '',
      'delete',
      'Shift+Y',
    ]);
    rerender(<Page userId={1} />);
    await user.keyboard('nq');
    expect(went).toEqual(['alerts']);
    rerender(<Page userId={2} />);
    await user.keyboard('qn');
    expect(went).toEqual(['alerts', 'alerts']);
    rerender(<Page userId={1} />);
    expect(keyNow('B')).toBe('Y');
  });

  it('that a player chose stay when one of them comes to be another deed’s own key', () => {
    localStorage.setItem('fg.keys.3', JSON.stringify({ search: 'j', alerts: 'q', workspace: 7 }));
    render(<Page userId={3} />);
    expect(['/', 'n', 'j', 'w'].map(keyNow)).toEqual(['/', 'Q', 'J', 'W']);
  });
});
