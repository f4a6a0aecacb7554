import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Screen } from '../src/features/buttons/buttons.tsx';
import { settle } from './settle.ts';
import { clear, serve, show } from './trading.tsx';

afterEach(clear);

it('values are kept once they have come, and not before', async () => {
  let come = (): void => {};
  const late = new Promise<void>((resolve) => (come = resolve));
  const stored = [{ id: 3, type: 'Match', value: '{"100":100}' }];
  const sent = serve({ '/button': () => late.then(() => stored), '/button/insert': stored[0] });
  show(<Screen />);
  const update = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Update' });
  expect(update().disabled).toBe(true);
  await act(async () => come());
  await settle();
  fireEvent.click(update());
  await settle();
  expect(sent.filter(({ path }) => path === '/button/insert').map(({ body }) => body)).toEqual([
    { ...stored[0], value: '{"100":100}' },
  ]);
});
