/** Who may open a socket, how many, and how much it may say (trust SEC-W1 to SEC-W3). */
import type { IncomingMessage } from 'node:http';
import { addressSet, callerAddress, networkOf } from '../http/address.ts';

export interface GateOptions {
  publicOrigin: string | undefined;
  extraOrigins: readonly string[];
  trustProxy: readonly string[];
  /** Connections of one address, or of one /64. */
  perAddress: number;
}

export interface Gate {
  /** Null when the handshake may go on, else the reason. */
  refuse(req: IncomingMessage): string | null;
  opened(address: string): void;
  closed(address: string): void;
  addressOf(req: IncomingMessage): string;
  originAllowed(req: IncomingMessage): boolean;
}

export function createGate(options: GateOptions): Gate {
  const counts = new Map<string, number>();
  const isProxy = addressSet(options.trustProxy);

  const addressOf = (req: IncomingMessage): string => callerAddress(req, isProxy);

  function originAllowed(req: IncomingMessage): boolean {
    const { origin } = req.headers;
    // Other programs than browsers send none; they hold a token or nothing.
    if (origin === undefined) return true;
    if (options.publicOrigin !== undefined && origin === options.publicOrigin) return true;
    if (options.extraOrigins.includes(origin)) return true;
    if (options.publicOrigin !== undefined) return false;
    return URL.canParse(origin) && new URL(origin).host === req.headers.host;
  }

  return {
    addressOf,
    originAllowed,
    refuse(req) {
      if (!originAllowed(req)) return 'origin';
      if ((counts.get(networkOf(addressOf(req)).near) ?? 0) >= options.perAddress) return 'address';
      return null;
    },
    opened(address) {
      const { near } = networkOf(address);
      counts.set(near, (counts.get(near) ?? 0) + 1);
    },
    closed(address) {
      const { near } = networkOf(address);
      const left = (counts.get(near) ?? 1) - 1;
      if (left > 0) counts.set(near, left);
      else counts.delete(near);
    },
  };
}

/** So many events a second; answers false past that. */
export function createMeter(perSecond: number, clock: () => number): () => boolean {
  const store = createStore(perSecond, perSecond, clock);
  return () => {
    const left = store.left();
    store.take(1);
    return left >= 1;
  };
}

/** What somebody may use at once, filled again with time. Below zero it has to fill up first. */
export interface Store {
  left(): number;
  take(amount: number): void;
}

export function createStore(most: number, perSecond: number, clock: () => number): Store {
  let held = most;
  let at = clock();
  return {
    left() {
      const now = clock();
      held = Math.min(most, held + (Math.max(0, now - at) / 1000) * perSecond);
      at = now;
      return held;
    },
    take(amount) {
      held -= amount;
    },
  };
}

/** Up to 60 match ids, as `matchIdArray` carries them: with commas, or repeated. Null when it is anything else. */
export function readMatchIds(value: unknown): number[] | null {
  if (value === undefined || value === '') return [];
  const texts = (Array.isArray(value) ? value : [value]).flatMap((part) =>
    typeof part === 'string' ? part.split(',') : [''],
  );
  const ids = texts.map((text) => (/^[1-9]\d{0,15}$/.test(text.trim()) ? Number(text) : Number.NaN));
  return ids.length <= 60 && ids.every((id) => Number.isSafeInteger(id)) ? [...new Set(ids)] : null;
}
