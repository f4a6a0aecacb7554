/**
 * Faults on purpose, to try an operator with. All are off unless CHAOS names them, each with its chance from 0 to 1 (1 where
 * left out) and some with a size: `CHAOS=delay=0.2:800,duplicate=0.5:3,lostReply=0.1`.
 *
 * delay (ms)       our own answers and our calls wait this long
 * http500          our own answers to the operator are a bare 500
 * duplicate (n)    a movement is sent n times at once, each signed afresh
 * reorder (ms)     a movement waits up to this long, so that later ones overtake it
 * lostReply        the answer of the wallet is thrown away
 * badSignature     a call goes out with a broken signature first
 * replay           a call is sent again, byte for byte, with its old nonce
 * wrongAmount      after a debit the same id comes with another amount
 * rollbackFirst    the rollback of a debit is sent before the debit
 */
import type { OperatorWallet } from './wallet.ts';

export interface Fault {
  readonly chance: number;
  readonly size: number;
}

const NAMES = [
  'delay',
  'http500',
  'duplicate',
  'reorder',
  'lostReply',
  'badSignature',
  'replay',
  'wrongAmount',
  'rollbackFirst',
] as const;
const SIZES: Readonly<Record<string, number>> = { delay: 500, duplicate: 2, reorder: 1000 };

export type Chaos = Readonly<Record<(typeof NAMES)[number], Fault>>;

export const happens = (fault: Fault) => fault.chance > 0 && Math.random() < fault.chance;
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Reads CHAOS. Throws where a name or a figure is none. */
export function chaosFrom(text = ''): Chaos {
  const chaos = Object.fromEntries(NAMES.map((name) => [name, { chance: 0, size: SIZES[name] ?? 0 }]));
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', chance = '1', size] = /^\s*(\w+)(?:=([\d.]+))?(?::(\d+))?\s*$/.exec(part) ?? [];
    const before = chaos[name];
    const share = Number(chance);
    if (before === undefined || !(share >= 0 && share <= 1)) throw new Error(`CHAOS: ${part} is not understood.`);
    chaos[name] = { chance: share, size: size === undefined ? before.size : Number(size) };
  }
  return chaos as Chaos;
}

/** The wallet with faults between it and the host; the host knows nothing of them. */
export function chaoticWallet(wallet: OperatorWallet, chaos: Chaos): OperatorWallet {
  if (NAMES.every((name) => chaos[name].chance === 0)) return wallet;
  async function sent<T>(work: () => Promise<T>): Promise<T> {
    if (happens(chaos.delay)) await sleep(chaos.delay.size);
    if (happens(chaos.reorder)) await sleep(Math.random() * chaos.reorder.size);
    const copies = happens(chaos.duplicate) ? Math.max(0, chaos.duplicate.size - 1) : 0;
    const others = Array.from({ length: copies }, () => work().catch(() => {}));
    const [reply] = await Promise.all([work(), ...others]);
    return reply;
  }
  return {
    ...wallet,
    async debit(move) {
      if (happens(chaos.rollbackFirst))
        await wallet.rollback({ ...move, tx: `${move.tx}.r`, refTx: move.tx }).catch(() => {});
      const reply = await sent(() => wallet.debit(move));
      if (happens(chaos.wrongAmount))
        await wallet.debit({ ...move, amountMinor: move.amountMinor + 100 }).catch(() => {});
      return reply;
    },
    credit: (move) => sent(() => wallet.credit(move)),
    rollback: (move) => sent(() => wallet.rollback(move)),
    ...(wallet.debitCredit ? { debitCredit: (move) => sent(() => wallet.debitCredit!(move)) } : {}),
  };
}
