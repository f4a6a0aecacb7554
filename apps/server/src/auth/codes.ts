import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import { generateSecret, generateSync, generateURI } from 'otplib';

const STEP_MS = 30_000;
const CODE_LIFE_MS = 10 * 60_000;
const RESEND_MS = 60_000;
const SENDS_PER_HOUR = 5;
const TRIES_PER_CHALLENGE = 5;
const TRIES_PER_DAY = 20;
const RECOVERY_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A new authenticator secret (160 bits, base32) and the address that a QR code shows. */
export function newSecret(userName: string): { secret: string; uri: string } {
  const secret = generateSecret({ length: 20 });
  return { secret, uri: generateURI({ issuer: 'fairGame', label: userName, secret }) };
}

/** The time step a code of the app belongs to, at most one either side of now (SEC-A7), or null. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const present = Math.floor(now / STEP_MS);
  let found: number | null = null;
  for (const step of [present, present - 1, present + 1]) {
    if (same(appCode(secret, step), code)) found ??= step;
  }
  return found;
}

/** The code of a step; what an authenticator app shows. */
export function appCode(secret: string, step: number): string {
  return generateSync({ secret, epoch: (step * STEP_MS) / 1000 });
}

/** Ten codes of 50 bits for the day the app is lost. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, letterCode);
}

/** 50 bits, easy to read and to type. */
export function letterCode(): string {
  const letters = () => Array.from({ length: 5 }, () => RECOVERY_LETTERS[randomInt(RECOVERY_LETTERS.length)]!).join('');
  return `${letters()}-${letters()}`;
}

interface Sent {
  /** Hexadecimal. */
  hash: string;
  expiresAt: number;
  sentAt: number;
}

export const CODE_DEEDS = ['made', 'used', 'failed', 'passed', 'reset'] as const;

/**
 * Codes sent by message and the count of wrong codes of both kinds. A code belongs to one session, lives ten minutes, counts
 * once and is kept as a keyed hash: after a restart of the only process the player asks for another. What is done to it is done
 * at every gateway (`CODE_DEEDS`).
 */
export class Challenges {
  private readonly sent = new Map<string, Sent>();
  private readonly sends = new Map<number, number[]>();
  private readonly wrong = new Map<string, number>();
  private readonly wrongByUser = new Map<number, number[]>();
  private readonly key: Buffer;
  private readonly clock: () => number;
  private readonly isFirst: (name: string) => Promise<boolean>;

  /** `isFirst`: whether nothing of this name was asked before, here or at another gateway. */
  constructor(key: Buffer, clock: () => number, isFirst: (name: string) => Promise<boolean>) {
    this.key = key;
    this.clock = clock;
    this.isFirst = isFirst;
  }

  /** Makes a code for a session. Throws RESEND_WAIT when one went a moment ago, or five within the hour. */
  make(sessionId: string, userId: number): string {
    const now = this.clock();
    const last = this.sent.get(sessionId);
    const hour = (this.sends.get(userId) ?? []).filter((at) => now - at < 3_600_000);
    const waitMs = Math.max(
      last ? last.sentAt + RESEND_MS - now : 0,
      hour.length >= SENDS_PER_HOUR ? hour[0]! + 3_600_000 - now : 0,
    );
    if (waitMs > 0) throw new CodedError('RESEND_WAIT', { retryAfterS: Math.ceil(waitMs / 1000) });
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const hash = this.hashOf(sessionId, code).toString('hex');
    this.made(sessionId, userId, { hash, expiresAt: now + CODE_LIFE_MS, sentAt: now });
    return code;
  }

  made(sessionId: string, userId: number, sent: Sent): void {
    const hour = (this.sends.get(userId) ?? []).filter((at) => sent.sentAt - at < 3_600_000);
    this.sent.set(sessionId, sent);
    this.sends.set(userId, [...hour, sent.sentAt]);
  }

  /** Uses a sent code up. Throws CODE_EXPIRED when none is alive for this session (any more); false when it is another one. */
  async take(sessionId: string, code: string): Promise<boolean> {
    const sent = this.sent.get(sessionId);
    if (!sent || sent.expiresAt <= this.clock()) throw new CodedError('CODE_EXPIRED', { field: 'authToken' });
    if (!timingSafeEqual(Buffer.from(sent.hash, 'hex'), this.hashOf(sessionId, code))) return false;
    this.used(sessionId);
    if (await this.isFirst(`code ${sessionId} ${sent.hash}`)) return true;
    throw new CodedError('CODE_EXPIRED', { field: 'authToken' });
  }

  /** Whether a code was sent that still counts. */
  isOut(sessionId: string): boolean {
    return (this.sent.get(sessionId)?.expiresAt ?? 0) > this.clock();
  }

  used(sessionId: string): void {
    this.sent.delete(sessionId);
  }

  /** Throws CODE_TRIES when this session, or this player today, has tried too often. Ask before every check. */
  mayTry(sessionId: string, userId: number): void {
    const today = this.today(userId);
    if ((this.wrong.get(sessionId) ?? 0) >= TRIES_PER_CHALLENGE || today.length >= TRIES_PER_DAY)
      throw new CodedError('CODE_TRIES');
  }

  /** Counts a wrong code; true when it was the last one allowed. */
  failed(sessionId: string, userId: number, now: number): boolean {
    const count = (this.wrong.get(sessionId) ?? 0) + 1;
    this.wrong.set(sessionId, count);
    const today = [...this.today(userId), now];
    this.wrongByUser.set(userId, today);
    return count >= TRIES_PER_CHALLENGE || today.length >= TRIES_PER_DAY;
  }

  passed(sessionId: string): void {
    this.wrong.delete(sessionId);
  }

  /** The session is gone, and with it what was sent to it. */
  forget(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
      this.sent.delete(id);
      this.wrong.delete(id);
    }
  }

  /** An operator helps: the day's count starts anew. */
  reset(userId: number): void {
    this.wrongByUser.delete(userId);
    this.sends.delete(userId);
  }

  private today(userId: number): number[] {
    const now = this.clock();
    return (this.wrongByUser.get(userId) ?? []).filter((at) => now - at < 86_400_000);
  }

  private hashOf(sessionId: string, code: string): Buffer {
    return createHmac('sha256', this.key).update(`${sessionId} ${code}`).digest();
  }
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
