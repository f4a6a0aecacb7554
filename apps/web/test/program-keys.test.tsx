import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../src/api/queries.ts';
import { ProgramKeys } from '../src/features/security/program-keys.tsx';
import { startSession } from '../src/session/session.ts';

const KEY = {
  id: 7,
  name: 'my bot',
  key: 'a1B2c3',
  rights: 'bet',
  addresses: ['203.0.113.7'],
  certificate: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  lastUsedAt: null,
};
let sent: Array<{ path: string; body: unknown }>;
let answers: Record<string, Array<{ status: number; body: object }>>;

const data = (value: unknown) => ({ status: 200, body: { statusCode: 200, data: value } });
const refused = (status: number, code: string, message: string, field?: string) => ({
  status,
  body: { statusCode: status, code, message, requestId: 'r1', ...(field && { field }) },
});

beforeEach(() => {
  sent = [];
  queryClient.clear();
  startSession({ token: 'x', userId: 1, userName: 'anna', isAuthenticator: true } as never);
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const path = new URL(url, 'http://x').pathname;
    if (init.body) sent.push({ path, body: JSON.parse(init.body as string) });
    const next = answers[path]!;
    const { status, body } = next.length > 1 ? next.shift()! : next[0]!;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <ProgramKeys />
    </QueryClientProvider>,
  );

describe('keys of programs', () => {
  it('are not spoken of where the site has no door for them', async () => {
    answers = { '/api/programs/keys': [data({ open: false, keys: [] })] };
    const { container } = show();
    await vi.waitFor(() => expect(container.textContent).toBe(''));
  });

  it('are made as typed, after the password where the session is old, and say at the field what was wrong', async () => {
    const user = userEvent.setup();
    answers = {
      '/api/programs/keys': [
        data({ open: true, keys: [] }),
        refused(409, 'NAME_TAKEN', 'You have a key of this name.', 'name'),
        refused(403, 'STEP_UP_REQUIRED', 'Your password, please.'),
        data(KEY),
        data({ open: true, keys: [KEY] }),
      ],
      '/api/auth/stepUp': [data(null)],
    };
    show();
    await user.click(await screen.findByRole('button', { name: 'New key' }));
    await user.click(screen.getByRole('button', { name: 'Make the key' }));
    screen.getByText('Give the key a name.');
    await user.type(screen.getByLabelText('Name'), 'my bot ');
    await user.type(screen.getByLabelText('Certificate'), 'AB:CD');
    await user.click(screen.getByRole('button', { name: 'Make the key' }));
    screen.getByText('A fingerprint by SHA-256 has 64 digits and letters a to f.');
    expect(sent).toEqual([]);
    await user.clear(screen.getByLabelText('Certificate'));
    await user.click(screen.getByRole('radio', { name: 'Read and bet' }));
    await user.type(screen.getByLabelText('Addresses'), '203.0.113.7, 198.51.100.0/24');
    await user.click(screen.getByRole('button', { name: 'Make the key' }));
    await screen.findByText('You have a key of this name.');
    await user.click(screen.getByRole('button', { name: 'Make the key' }));
    const dialog = await screen.findByRole('dialog');
    await user.type(await screen.findByLabelText('Password'), 'slow-river-otters-12');
    await user.click([...dialog.querySelectorAll('button')].find((one) => one.textContent === 'Make the key')!);
    await screen.findByText('my bot');
    const body = { name: 'my bot', rights: 'bet', addresses: ['203.0.113.7', '198.51.100.0/24'] };
    expect(sent.filter(({ path }) => path === '/api/programs/keys').map((one) => one.body)).toEqual([body, body, body]);
    screen.getByText(/never used\. From 203\.0\.113\.7 only\./);
  });

  it('are revoked after a second press', async () => {
    const user = userEvent.setup();
    answers = {
      '/api/programs/keys': [data({ open: true, keys: [KEY] }), data({ open: true, keys: [] })],
      '/api/programs/keys/revoke': [data(null)],
    };
    show();
    await user.click(await screen.findByRole('button', { name: 'Revoke my bot' }));
    expect(sent).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Revoke now' }));
    await screen.findByText('You have no keys.');
    expect(sent).toEqual([{ path: '/api/programs/keys/revoke', body: { id: 7 } }]);
  });
});
