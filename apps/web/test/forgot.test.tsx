import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ForgotPage } from '../src/features/login/forgot-page.tsx';

let sent: Array<{ path: string; body: unknown }>;
let refusal: object | null;

beforeEach(() => {
  sent = [];
  refusal = null;
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent.push({ path: new URL(url, 'http://x').pathname, body: JSON.parse(init.body as string) });
    const body = refusal ?? { statusCode: 200, data: null };
    return Promise.resolve(new Response(JSON.stringify(body), { status: refusal ? 400 : 200 }));
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a forgotten password', () => {
  it('asks for a code, takes it as typed, and says at the field what was wrong', async () => {
    const user = userEvent.setup();
    const onDone = vi.fn();
    render(<ForgotPage name="" onDone={onDone} onBack={() => undefined} />);
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    screen.getByText('Enter your user name');
    expect(sent).toEqual([]);
    await user.type(screen.getByLabelText('Username'), ' anna ');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    await user.type(await screen.findByLabelText('Code'), 'nonsense');
    await user.type(screen.getByLabelText('New password'), 'slow-river-otters-12');
    await user.type(screen.getByLabelText('Repeat new password'), 'slow-river-otters-13');
    await user.click(screen.getByRole('button', { name: 'Set new password' }));
    screen.getByText('The code looks like ABCDE-FGHJK.');
    screen.getByText('This is not the same as the new password.');
    await user.clear(screen.getByLabelText('Code'));
    await user.type(screen.getByLabelText('Code'), 'abcde fghjk');
    await user.clear(screen.getByLabelText('Repeat new password'));
    await user.type(screen.getByLabelText('Repeat new password'), 'slow-river-otters-12');
    refusal = {
      statusCode: 400,
      code: 'CODE_WRONG',
      field: 'code',
      message: 'This code is not right.',
      requestId: 'r1',
    };
    await user.click(screen.getByRole('button', { name: 'Set new password' }));
    await screen.findByText('This code is not right.');
    expect(onDone).not.toHaveBeenCalled();
    refusal = null;
    await user.click(screen.getByRole('button', { name: 'Set new password' }));
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(sent.map(({ path }) => path)).toEqual([
      '/api/auth/forgotPassword',
      '/api/auth/resetPassword',
      '/api/auth/resetPassword',
    ]);
    expect(sent[0]!.body).toEqual({ userName: 'anna' });
    expect(sent.at(-1)!.body).toEqual({ userName: 'anna', code: 'ABCDE-FGHJK', newPassword: 'slow-river-otters-12' });
  });
});
