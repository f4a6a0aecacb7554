/** What the site does with the accounts of its players: made, shut, signed out, given a new password. */
import { randomBytes } from 'node:crypto';
import { CodedError } from '@fairgame/contract';
import type { Currency } from '../core/types.ts';
import { endAll, type Parts, throwOut, unlock } from './parts.ts';
import { checkNewPassword } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import { SHUT, type User, type Users } from './users.ts';

interface NewPlayer {
  userName: string;
  /** Made up when absent. */
  password?: string | undefined;
  currency?: Currency | undefined;
  creditMinor?: number | undefined;
  /** true when absent: whoever made the password should not keep knowing it. */
  forceChangePassword?: boolean | undefined;
  email?: string | undefined;
  actor: string;
}

export interface PlayerAccounts {
  /** Told when every session of a player, or of all players, must end, the ones his programs have as well: another password is one reason. */
  onThrownOut(listener: (userId: number | undefined) => Promise<void>): void;
  /** By name as typed. Throws ACCOUNT_UNKNOWN. */
  userNamed(userName: string): Promise<User>;
  /** Throws NAME_TAKEN, AMOUNT_INVALID. */
  createPlayer(player: NewPlayer): Promise<{ userId: number; password: string }>;
  /** A new first password; ends the player's sessions and the lock of too many tries. */
  resetPassword(userName: string): Promise<{ userId: number; password: string }>;
  /** Ends the waits and locks of too many tries on a player's or an operator's name. Throws ACCOUNT_UNKNOWN. */
  unlock(userName: string): Promise<void>;
  /** Writes the state of an account down; blocked and closed end its sessions. */
  setState(userId: number, state: string): Promise<void>;
  setBetBlocked(user: User, blocked: boolean): Promise<void>;
  /** Ends every session of a player, or of all players; gives how many. */
  forceLogout(userId?: number): Promise<number>;
  /** Switches an authenticator app on for a demonstration player; gives its secret. */
  enrolApp(userId: number): Promise<string>;
}

export function playerAccounts(parts: Parts, secondFactor: SecondFactor): PlayerAccounts {
  const { users, sessions } = parts;
  return {
    onThrownOut: (listener) => void parts.thrownOut.add(listener),
    userNamed: (userName) => playerNamed(users, userName),
    createPlayer: (player) => makePlayer(parts, player),
    async resetPassword(userName) {
      const user = await playerNamed(users, userName);
      const password = firstPassword();
      await users.setPassword(user.id, await parts.passwords.hash(password), true);
      await unlock(parts, user);
      await endAll(parts, user.id, 'forced');
      return { userId: user.id, password };
    },
    async unlock(userName) {
      const user = await users.byName(userName);
      if (!user) throw new CodedError('ACCOUNT_UNKNOWN', { field: 'userName' });
      await unlock(parts, user);
    },
    async setState(userId, state) {
      await users.setStatus(userId, state);
      if (!SHUT.has(state)) return;
      await endAll(parts, userId, 'forced');
    },
    async setBetBlocked(user, blocked) {
      await users.setBetBlocked(user.id, blocked);
    },
    async forceLogout(userId) {
      const chosen =
        userId === undefined
          ? (await sessions.all()).filter((session) => session.role === 'user')
          : await sessions.ofUser(userId);
      await sessions.end(chosen, 'forced');
      await throwOut(parts, userId);
      return chosen.length;
    },
    async enrolApp(userId) {
      const user = await users.byId(userId);
      if (!user) throw new CodedError('ACCOUNT_UNKNOWN');
      return secondFactor.enrolApp(user);
    },
  };
}

async function makePlayer(
  { users, passwords, config }: Parts,
  player: NewPlayer,
): Promise<{ userId: number; password: string }> {
  if ((player.creditMinor ?? 0) < 0) throw new CodedError('AMOUNT_INVALID', { field: 'creditMinor' });
  if (player.password !== undefined) {
    checkNewPassword(player.password, { userName: player.userName, old: '', min: config.passwordMin });
  }
  const password = player.password ?? firstPassword();
  const user = await users.create({
    userName: player.userName,
    role: 'user',
    isDemo: false,
    currency: player.currency,
    passwordHash: await passwords.hash(password),
    forceChange: player.forceChangePassword ?? true,
    email: player.email,
    creditMinor: player.creditMinor ?? 0,
    actor: player.actor,
  });
  return { userId: user.id, password };
}

/** Throws ACCOUNT_UNKNOWN. */
async function playerNamed(users: Users, userName: string): Promise<User> {
  const user = await users.byName(userName);
  if (user?.role !== 'user') throw new CodedError('ACCOUNT_UNKNOWN', { field: 'userName' });
  return user;
}

/** Four groups of four: easy to read out, 80 bits. */
export function firstPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const bytes = randomBytes(16);
  const text = [...bytes].map((byte) => letters[byte % letters.length]).join('');
  return text.match(/.{4}/g)!.join('-');
}
