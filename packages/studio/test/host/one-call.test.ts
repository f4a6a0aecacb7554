import { afterEach, describe, expect, it } from 'vitest';
import type { HistoryRow, RoundProof } from '../../src/wire.ts';
import { type Bench, bench, fakeWallet } from './fakes.ts';

let at: Bench;
afterEach(() => at.host.close());

describe('stake and pay-out in one call', () => {
  it('had come after all: its rollback is too late, and the round stands as it was played', async () => {
    const wallet = fakeWallet({ inOneCall: true });
    at = bench({ codes: ['dice'], wallet });
    const s = await at.session('dice');
    const wager = { stakeMinor: 1000, side: 'under', mark: 5000 };
    wallet.fault = (kind) => (kind === 'debitCredit' ? 'lost' : kind === 'rollback' ? 'ALREADY_SETTLED' : undefined);
    expect((await at.refusal('/page/open', { s, key: at.key(), wager })).code).toBe('WALLET_DOWN');
    await at.clock.advance(1000);
    const [row] = await at.get<HistoryRow[]>(`/page/history?s=${s}`);
    expect(row).toMatchObject({ stakeMinor: 1000, over: true });
    expect(wallet.balanceMinor).toBe(1_000_000 - 1000 + row!.paidMinor);
    const proof = await at.get<RoundProof>(`/page/round?s=${s}&id=${row!.roundId}`);
    expect(proof).toMatchObject({ stakeMinor: 1000, paidMinor: row!.paidMinor });
    // Nothing of it is sent again.
    const sent = wallet.calls.length;
    await at.clock.advance(600_000);
    expect(wallet.calls.length).toBe(sent);
  });
});
