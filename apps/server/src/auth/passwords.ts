import { CodedError } from '@fairgame/contract';
import { hash, verify } from '@node-rs/argon2';
import { isCommon } from './common-passwords.ts';

/** argon2id with the least figures trust SEC-A3 allows; stored with each hash, so they can be raised later. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const PRESENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;
const AT_ONCE = 2;
const MOST_WAITING = 50;
const LONGEST = 128;

/** Hashing runs on library threads, two at a time; past fifty waiting the answer is 429, so that a storm of sign-ins never slows bets (SEC-A4). */
export class Passwords {
  private running = 0;
  private readonly waiting: Array<() => void> = [];
  private readonly dummy: Promise<string> = hash('no such account', COST);

  hash(password: string): Promise<string> {
    return this.gate(() => hash(normal(password), COST));
  }

  /** Compares with the stored hash; without one the same work is done and the answer is no (SEC-A6). */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const against = stored || (await this.dummy);
    const same = await this.gate(() => verify(against, normal(password)));
    return same && Boolean(stored);
  }

  /** Made with older figures: to be hashed anew at the next sign-in. */
  isOld(stored: string): boolean {
    return !stored.startsWith(PRESENT);
  }

  private async gate<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < AT_ONCE) this.running += 1;
    else {
      if (this.waiting.length >= MOST_WAITING) throw new CodedError('RATE_LIMITED', { retryAfterS: 5 });
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** A new password and what it is held against. */
export interface NewPassword {
  password: string;
  userName: string;
  old: string;
  /** Fewest characters; counted as characters, not bytes. */
  min: number;
}

/** Whether a normalised password is soon guessed, for somebody of that name. */
export type Judge = (password: string, userName: string) => Promise<boolean>;

/** The rules of a password that a player chose (OPN-05, SEC-A1, SEC-A2). Throws the coded reason; RATE_LIMITED when too many are judged. */
export async function checkChosenPassword(chosen: NewPassword, judge: Judge): Promise<void> {
  checkForm(chosen);
  if (await judge(normal(chosen.password), chosen.userName)) throw tooCommon();
}

/** The same for what people behind the site set for others: few, trusted, and judged at once. */
export function checkNewPassword(password: string, about: Omit<NewPassword, 'password'>): void {
  checkForm({ password, ...about });
  if (isCommon(normal(password), about.userName)) throw tooCommon();
}

function checkForm({ password, old, min }: NewPassword): void {
  const text = normal(password);
  if (isShort(password, min)) {
    throw new CodedError('PASSWORD_SHORT', {
      field: 'newPassword',
      message: `The new password needs at least ${min} characters.`,
    });
  }
  if (Array.from(text).length > LONGEST) throw new CodedError('PASSWORD_LONG', { field: 'newPassword' });
  if (text === normal(old)) throw new CodedError('PASSWORD_SAME', { field: 'newPassword' });
}

export const isShort = (password: string, min: number): boolean => Array.from(normal(password)).length < min;

const tooCommon = () => new CodedError('PASSWORD_COMMON', { field: 'newPassword' });

/** Unicode in one spelling, nothing trimmed or cut. */
const normal = (password: string): string => password.normalize('NFKC');
