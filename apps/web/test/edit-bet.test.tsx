import type { PlacedBet } from '@fairgame/contract';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditBet } from '../src/betting/edit-bet.tsx';
import { settle } from './settle.ts';
import { bet, clear, refused, type Sent, serve, width } from './trading.tsx';

const wallet = { currentBalance: 1000, exposure: 0, available: 1000, version: 2 };
const done = vi.fn();
let sent: Sent[];
beforeEach(() => {
  width(1440);
  done.mockClear();
});
afterEach(clear);

const stake = () => screen.getByLabelText<HTMLInputElement>('Stake');
const setOdds = (text: string) => fireEvent.change(screen.getByLabelText('Odds'), { target: { value: text } });
const change = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Change bet' }));
  await settle();
};
const changes = () => sent.filter(({ path }) => path === '/bet/replace').map(({ body }) => body);
const opened = (one: PlacedBet) => render(<EditBet bet={one} onDone={done} />);
const waiting = bet({ amount: 100_000, remaining: 100_000, version: 3 });
const partly = bet({ amount: 100_000, matched: 40_000, remaining: 60_000, version: 4 });

describe('a change of a waiting bet', () => {
  it('holds for what the player saw: matched meanwhile, nothing is sent anew before he presses again', async () => {
    sent = serve({
      '/bet/replace': ({ body }: Sent) =>
        body.remaining === 60_000
          ? { bet: partly, wallet }
          : refused(409, 'BET_CHANGED', 'Part of this bet was matched.', {
              current: { price: 220, remainingMinor: 60_000, version: 4 },
            }),
    });
    opened(waiting);
    setOdds('2.30');
    await change();
    expect(changes()).toEqual([expect.objectContaining({ odd: 230, stake: 100_000, remaining: 100_000 })]);
    expect(done).not.toHaveBeenCalled();
    expect(screen.getByText('400.00 of it was matched or ended meanwhile: 600.00 is left.')).toBeTruthy();
    expect(stake().value).toBe('600.00');
    await change();
    expect(changes()[1]).toMatchObject({ odd: 230, stake: 60_000, remaining: 60_000 });
    expect(changes()[1]!.key).not.toBe(changes()[0]!.key);
    expect(done).toHaveBeenCalledOnce();
  });

  it('is decided again where news of the bet came while the form was open, and a typed stake stays', async () => {
    sent = serve({ '/bet/replace': { bet: partly, wallet } });
    const { rerender } = opened(waiting);
    fireEvent.change(stake(), { target: { value: '900' } });
    rerender(<EditBet bet={partly} onDone={done} />);
    await change();
    expect(changes()).toEqual([]);
    expect(stake().value).toBe('900');
    expect(screen.getByText('400.00 of it was matched or ended meanwhile: 600.00 is left.')).toBeTruthy();
    fireEvent.change(stake(), { target: { value: '500' } });
    await change();
    expect(changes()).toEqual([expect.objectContaining({ stake: 50_000, remaining: 60_000 })]);
    expect(done).toHaveBeenCalledOnce();
  });

  it('asks what became of a change whose answer was lost, under its key', async () => {
    const lost = () => Promise.reject(new TypeError('network'));
    sent = serve({ '/bet/replace': lost, '/bet/key/settle': { bet: partly, wallet } });
    opened(waiting);
    setOdds('2.30');
    await change();
    expect(sent.filter(({ path }) => path === '/bet/key/settle').map(({ body }) => body)).toEqual([
      { key: changes()[0]!.key },
    ]);
    expect(changes()).toHaveLength(1);
    expect(done).toHaveBeenCalledOnce();
  });

  it('says so where nothing was taken under the key', async () => {
    const lost = () => Promise.reject(new TypeError('network'));
    const none = refused(404, 'KEY_UNKNOWN', 'Nothing was taken under this key.');
    sent = serve({ '/bet/replace': lost, '/bet/key/settle': none });
    opened(waiting);
    setOdds('2.30');
    await change();
    expect(done).not.toHaveBeenCalled();
    expect(screen.getByText('The bet was not changed: the connection was lost before it arrived.')).toBeTruthy();
  });
});
