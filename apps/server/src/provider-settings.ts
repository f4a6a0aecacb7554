/**
 * What the site is told of its two providers. Nothing set: live casino is not open. One set without the other is refused:
 * the product has exactly two (PRD-03). Real contracts name others by these settings (OPN-41).
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { PayoutBounds } from './core/core.ts';

export interface ProviderSettings {
  readonly id: 'a' | 'b';
  /** As players see it. */
  readonly name: string;
  /** For our calls: `http://127.0.0.1:7101`. */
  readonly baseUrl: string;
  /** The origin of its pages as browsers see it; the content policy allows frames and pictures of it. */
  readonly publicOrigin: string;
  /** Off: listed as closed, no launch, no new stake; credits and rollbacks are still taken. */
  readonly open: boolean;
  readonly limits: PayoutBounds;
  readonly keys: ProviderKeys;
}

const WIN_LIMITS: PayoutBounds = { winMinor: 2_500_000, winTimes: 10_000, dayMinor: 10_000_000, promoMinor: 0 };

export type ProviderKeys =
  | { readonly dialect: 'a'; readonly secrets: ReadonlyArray<{ readonly id: string; readonly secret: Buffer }> }
  | {
      readonly dialect: 'b';
      readonly own: ReadonlyArray<{ readonly id: string; readonly key: KeyObject }>;
      readonly theirs: ReadonlyArray<{ readonly id: string; readonly key: KeyObject }>;
    };

const MOST_KEYS = 2;

/** Reads FAIRGAME_PROVIDER_A_* and _B_*; what is wrong goes to `problems`, never with a key in it. */
export function readProviders(
  value: (name: string) => string | undefined,
  production: boolean,
  problems: string[],
): ProviderSettings[] {
  const figure = (name: string, usual: number): number => {
    const text = value(name);
    if (text !== undefined && !/^\d{1,12}$/.test(text)) problems.push(`${name} must be a whole number, not negative`);
    return text === undefined ? usual : Number(text);
  };
  const read = (id: 'a' | 'b', name: string, keys: (prefix: string) => ProviderKeys): ProviderSettings | null => {
    const prefix = `FAIRGAME_PROVIDER_${id.toUpperCase()}`;
    const baseUrl = value(`${prefix}_URL`);
    if (baseUrl === undefined) return null;
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
      problems.push(`${prefix}_URL must be an address`);
    const open = value(prefix) ?? 'on';
    if (open !== 'on' && open !== 'off') problems.push(`${prefix} must be one of on, off`);
    return {
      id,
      name: value(`${prefix}_NAME`) ?? name,
      baseUrl: baseUrl.replace(/\/+$/, ''),
      publicOrigin: originOf(`${prefix}_ORIGIN`, value(`${prefix}_ORIGIN`) ?? baseUrl, production, problems),
      open: open === 'on',
      limits: {
        winMinor: figure(`${prefix}_WIN_MINOR`, WIN_LIMITS.winMinor),
        winTimes: figure(`${prefix}_WIN_TIMES`, WIN_LIMITS.winTimes),
        dayMinor: figure(`${prefix}_DAY_MINOR`, WIN_LIMITS.dayMinor),
        promoMinor: figure(`${prefix}_PROMO_MINOR`, WIN_LIMITS.promoMinor),
      },
      keys: keys(prefix),
    };
  };
  const a = read('a', 'Alder Games', (prefix) => ({
    dialect: 'a',
    secrets: keyList(`${prefix}_KEYS`, value(`${prefix}_KEYS`), secretOf, problems).map(({ id, key }) => ({
      id,
      secret: key,
    })),
  }));
  const b = read('b', 'Beacon Live', (prefix) => ({
    dialect: 'b',
    own: keyList(`${prefix}_PRIVATE_KEYS`, value(`${prefix}_PRIVATE_KEYS`), privateOf, problems),
    theirs: keyList(`${prefix}_PUBLIC_KEYS`, value(`${prefix}_PUBLIC_KEYS`), publicOf, problems),
  }));
  if (!a && !b) return [];
  if (!a || !b) {
    problems.push('FAIRGAME_PROVIDER_A_URL and FAIRGAME_PROVIDER_B_URL: live casino needs both providers or none');
    return [];
  }
  if (a.name === b.name) problems.push('the two providers have the same name');
  return [a, b];
}

/** For the log: no key in it. */
export function maskProvider({ keys, ...shown }: ProviderSettings): object {
  const ids = keys.dialect === 'a' ? keys.secrets : [...keys.own, ...keys.theirs];
  return { ...shown, keys: ids.map(({ id }) => id) };
}

function originOf(name: string, text: string, production: boolean, problems: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'https:' || (!production && url.protocol === 'http:'))) return url.origin;
  problems.push(`${name} must be an origin${production ? ' with https' : ''}`);
  return '';
}

/** `id:text,id:text`, one or two. */
function keyList<K>(
  name: string,
  text: string | undefined,
  read: (text: string) => K | null,
  problems: string[],
): Array<{ id: string; key: K }> {
  const parts = (text ?? '').split(',').map((part) => /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(part.trim()));
  const keys = parts.flatMap((part) => {
    const key = part ? read(part[2]!) : null;
    return part && key !== null ? [{ id: part[1]!, key }] : [];
  });
  if (keys.length !== parts.length || keys.length > MOST_KEYS || new Set(keys.map(({ id }) => id)).size !== keys.length)
    problems.push(`${name} must be one or two keys, id:text with a comma between`);
  return keys;
}

function secretOf(text: string): Buffer | null {
  const secret = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : null;
  // Two hundred and fifty-six bits with hardly any different bytes are an example, not a secret.
  return secret && new Set(secret).size >= 8 ? secret : null;
}

function privateOf(text: string): KeyObject | null {
  return ed25519(() => createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }));
}

function publicOf(text: string): KeyObject | null {
  return ed25519(() => createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }));
}

function ed25519(make: () => KeyObject): KeyObject | null {
  try {
    const key = make();
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
