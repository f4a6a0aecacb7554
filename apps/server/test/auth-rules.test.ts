import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { CodedError } from '@fairgame/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newRecoveryCodes } from '../src/auth/codes.ts';
import { createJudge } from '../src/auth/judge.ts';
import { checkNewPassword, Passwords } from '../src/auth/passwords.ts';
import { type Trier, Tries } from '../src/auth/tries.ts';
import { createKeyring } from '../src/keyring.ts';

const MINUTE = 60_000;
const codeOf = (password: string, userName = 'walter') => {
  try {
    checkNewPassword(password, { userName, old: 'the old one was long', min: 8 });
    return 'ok';
  } catch (error) {
    return (error as CodedError).code;
  }
};

const at = (ip: string, more: Partial<Trier> = {}): Trier => ({
  role: 'user',
  nameKey: 'anna',
  ip,
  isKnown: false,
  ...more,
});

describe('the ladder of wrong passwords', () => {
  it('[SEC-A5] five in fifteen minutes, then 30 s doubling to an hour', () => {
    const tries = new Tries();
    let now = 0;
    for (let i = 0; i < 4; i++) tries.failed(at('1.1.1.1'), now);
    expect(tries.standing(at('1.1.1.1'), now).may).toBe(true);
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      tries.failed(at('1.1.1.1'), now);
      const standing = tries.standing(at('1.1.1.1'), now);
      if (standing.may || standing.locked) throw new Error('should wait');
      waits.push(standing.waitMs / 1000);
      now += standing.waitMs;
      expect(tries.standing(at('1.1.1.1'), now).may).toBe(true);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
  });

  it('[SEC-A5] four tries now and then never wait', () => {
    const tries = new Tries();
    for (let i = 0; i < 40; i++) {
      const now = i * 4 * MINUTE;
      expect(tries.standing(at('1.1.1.1'), now).may).toBe(true);
      tries.failed(at('1.1.1.1'), now);
    }
  });

  it('[SEC-A5] another address is not held up, one of the same /64 is, and success starts anew', () => {
    const tries = new Tries();
    for (let i = 0; i < 5; i++) tries.failed(at('1.1.1.1'), 0);
    expect(tries.standing(at('1.1.1.1'), 0).may).toBe(false);
    expect(tries.standing(at('2.2.2.2'), 0).may).toBe(true);
    tries.passed(at('1.1.1.1'));
    expect(tries.standing(at('1.1.1.1'), 0).may).toBe(true);
    for (let i = 0; i < 5; i++) tries.failed(at(`2001:db8::${i}`), 0);
    expect(tries.standing(at('2001:db8::99'), 0).may).toBe(false);
  });

  it('[SEC-A5] a hundred in a row of strangers shut the name for an hour, then for longer a try; never where its owner was', () => {
    const tries = new Tries();
    const stranger = (i: number) => at(`10.0.${i >> 8}.${i & 255}`);
    for (let i = 0; i < 99; i++) tries.failed(stranger(i), i * MINUTE);
    let now = 100 * MINUTE;
    expect(tries.standing(at('9.9.9.9'), now).may).toBe(true);
    tries.failed(at('9.9.9.9'), now);
    expect(tries.standing(at('8.8.8.8'), now)).toEqual({ may: false, locked: true, waitMs: 60 * MINUTE });
    const owner = at('7.7.7.7', { isKnown: true });
    expect(tries.standing(owner, now).may).toBe(true);
    // The operator of the same name is somebody else.
    expect(tries.standing(at('8.8.8.8', { role: 'operator' }), now).may).toBe(true);
    const locks: number[] = [];
    for (let i = 0; i < 6; i++) {
      const standing = tries.standing(at('8.8.8.8'), now);
      if (standing.may) throw new Error('should be locked');
      locks.push(standing.waitMs / MINUTE / 60);
      now += standing.waitMs;
      expect(tries.standing(stranger(200 + i), now).may).toBe(true);
      tries.failed(stranger(200 + i), now);
    }
    expect(locks).toEqual([1, 2, 4, 8, 16, 24]);
    // Who came in from his own network is the owner.
    tries.passed(owner);
    expect(tries.standing(at('8.8.8.8'), now).may).toBe(true);
  });

  it('[SEC-A5] a hundred in a row from where the owner was shut that network alone', () => {
    const tries = new Tries();
    let now = 0;
    for (let i = 0; i < 100; i++) {
      now += 2 * 3_600_000;
      tries.failed(at('7.7.7.7', { isKnown: true }), now);
    }
    expect(tries.standing(at('7.7.7.7', { isKnown: true }), now)).toMatchObject({ may: false, locked: true });
    expect(tries.standing(at('6.6.6.6', { isKnown: true }), now).may).toBe(true);
    tries.reset({ role: 'user', nameKey: 'anna' });
    expect(tries.standing(at('7.7.7.7', { isKnown: true }), now).may).toBe(true);
  });

  it('[SEC-A5] thirty a minute from one address, whatever the names', () => {
    const tries = new Tries();
    for (let i = 0; i < 30; i++) tries.failed(at('1.1.1.1', { nameKey: `name${i}` }), i * 100);
    const other = at('1.1.1.1', { nameKey: 'someone' });
    expect(tries.standing(other, 3000)).toEqual({ may: false, locked: false, waitMs: 57_000 });
    expect(tries.standing(other, 60_001).may).toBe(true);
  });

  it('a flood of invented names pushes out those longest not heard of', () => {
    const tries = new Tries(0);
    for (let i = 0; i < 5; i++) tries.failed(at('1.1.1.1'), 0);
    for (let i = 0; i < 49_999; i++) tries.failed(at('1.1.1.2', { nameKey: `n${i}` }), 0);
    expect(tries.standing(at('1.1.1.1'), 0).may).toBe(false);
    tries.failed(at('1.1.1.1'), 0);
    for (let i = 0; i < 40_000; i++) tries.failed(at('1.1.1.2', { nameKey: `m${i}` }), 0);
    expect(tries.standing(at('1.1.1.1'), 0).may).toBe(false);
  });
});

describe('the judge of passwords', () => {
  it('works in a thread, lets few wait, and gives up one that does not answer', async () => {
    let started = 0;
    const judge = createJudge(() => {
      started += 1;
      return new Worker(
        `const { parentPort } = require('node:worker_threads');
         parentPort.on('message', ({ id, password }) => {
           if (password === 'dies') process.exit(1);
           if (password !== 'hangs') parentPort.postMessage({ id, isCommon: password === 'common' });
         });`,
        { eval: true },
      );
    });
    expect(started).toBe(0);
    expect([await judge.isCommon('common', 'a'), await judge.isCommon('rare', 'a')]).toEqual([true, false]);
    const busy = { code: 'RATE_LIMITED' };
    const many = Array.from({ length: 10 }, () => judge.isCommon('hangs', 'a'));
    await expect(judge.isCommon('rare', 'a')).rejects.toMatchObject(busy);
    const told = Promise.allSettled(many);
    await judge.stop();
    for (const one of await told) expect(one).toMatchObject({ status: 'rejected', reason: busy });
    await expect(judge.isCommon('dies', 'a')).rejects.toMatchObject(busy);
    expect(await judge.isCommon('rare', 'a')).toBe(false);
    expect(started).toBe(3);
    await judge.stop();
  });
});

describe('new passwords', () => {
  it('[OPN-05] [SEC-A1] have 8 to 128 characters, counted as characters, of any kind', () => {
    expect(codeOf('tRf9#kL')).toBe('PASSWORD_SHORT');
    expect(codeOf('tRf9#kLp')).toBe('ok');
    expect(codeOf('🦉🦊🐢🐝🦔🐙🦒🐌')).toBe('ok');
    expect(codeOf('🦉🦊🐢🐝🦔🐙🦒')).toBe('PASSWORD_SHORT');
    const long = 'slow-river-otters ÄÖÜß漢字'.repeat(6).slice(0, 128);
    expect(codeOf(long)).toBe('ok');
    expect(codeOf(`${long}!`)).toBe('PASSWORD_LONG');
    expect(codeOf('the old one was long')).toBe('PASSWORD_SAME');
  });

  it('judges the first 24 characters alone: what comes behind costs no time and saves nothing', () => {
    const good = 'quartz ferry lantern 81';
    expect(codeOf(`${'a'.repeat(24)} ${good}`)).toBe('PASSWORD_COMMON');
    expect(codeOf(`${good} ${'a'.repeat(24)}`)).toBe('ok');
  });

  it.each([
    'password',
    'Password1',
    'P@ssw0rd!',
    'passw0rd2024',
    '12345678',
    '87654321',
    '11111111',
    'abcdefgh',
    'qwertyui',
    'qwerty123',
    '1q2w3e4r',
    'asdfghjkl',
    'zxcvbnm1',
    'iloveyou',
    'sunshine1',
    'football',
    'liverpool1',
    'letmein!!',
    'monkey123',
    'dragon2020',
    'abcabcabc',
    'a1a1a1a1',
    '20021990',
    'fairgame99',
    'FairGame!',
    'walter123',
    'walterwalter',
    'princess7',
    'superman12',
    'cricket2026',
    'trustno1!',
    'welcome1',
    'admin1234',
    'sachin10',
    'michaeljordan',
  ])('[OPN-05] [SEC-A2] %s is too easy to guess', (password) => {
    expect(codeOf(password)).toBe('PASSWORD_COMMON');
  });

  it.each([
    'violet-kettle-37-march',
    'tRf9#kLp',
    'slow-river-otters-12',
    'backs-the-outsider-9',
    'correct horse battery',
  ])('%s is fine', (password) => {
    expect(codeOf(password)).toBe('ok');
  });

  it('[SEC-A1] [SEC-A3] hash as argon2id; nothing is cut off, and Unicode is one spelling', async () => {
    const passwords = new Passwords();
    const full = randomBytes(64).toString('hex');
    const stored = await passwords.hash(full);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(stored, full)).toBe(true);
    expect(await passwords.verify(stored, full.slice(0, 127))).toBe(false);
    const composed = await passwords.hash('Ångström-naïve');
    expect(await passwords.verify(composed, 'Ångström-naïve'.normalize('NFD'))).toBe(true);
    expect(passwords.isOld(stored)).toBe(false);
    expect(passwords.isOld(stored.replace('m=19456', 'm=9728'))).toBe(true);
    expect(await passwords.verify(undefined, 'no such account')).toBe(false);
  });

  it('[SEC-A4] at most fifty wait for hashing; more are told to come back', async () => {
    const passwords = new Passwords();
    const all = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => passwords.hash(`password ${i}`)));
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(8);
    expect(refused.every((one) => one.reason instanceof CodedError && one.reason.statusCode === 429)).toBe(true);
  });
});

describe('secrets at rest', () => {
  it('[SEC-A7] open only with the key and for the same player', () => {
    const ring = createKeyring([randomBytes(32)]);
    const other = createKeyring([randomBytes(32)]);
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 100 }), (text, userId) => {
        const sealed = ring.seal(`user:${userId}`, text);
        expect(ring.open(`user:${userId}`, sealed)).toBe(text);
        expect(ring.open(`user:${userId + 1}`, sealed)).toBeNull();
        expect(other.open(`user:${userId}`, sealed)).toBeNull();
        expect(ring.purpose('another').open(`user:${userId}`, sealed)).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it('go on opening when the secret of the site changes, also those sealed before keys had names', () => {
    const [old, now] = [randomBytes(32), randomBytes(32)];
    const before = createKeyring([old]);
    const sealed = before.seal('user:7', 'JBSWY3DP');
    const nameless = sealed.slice(before.mark.length);
    const ring = createKeyring([now, old]);
    expect([ring.open('user:7', sealed), ring.open('user:7', nameless)]).toEqual(['JBSWY3DP', 'JBSWY3DP']);
    expect(ring.mark).not.toBe(before.mark);
    expect(before.open('user:7', ring.seal('user:7', 'x'))).toBeNull();
    const derived = before.purpose('seeds').seal('round:1', 'y');
    expect(ring.purpose('seeds').open('round:1', derived)).toBe('y');
    expect(ring.purpose('seeds').keys).toHaveLength(2);
  });

  it('[SEC-A12] recovery codes are ten, each its own', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
  });
});
