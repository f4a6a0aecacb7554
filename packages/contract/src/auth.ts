import * as z from 'zod/mini';
import { call, nothing, text } from './call.ts';
import { standing } from './protection.ts';

/** What stands in for a session in the client; every one of these is a hint only, the server decides. */
const signedIn = z.object({
  token: z.string(),
  userId: z.int(),
  /** 0 none, 1 a code by message (can be resent), 2 an authenticator app. */
  authenticatorType: z.int(),
  forceChangePassword: z.boolean(),
  /** false while the security code of this session is still due. */
  isAuthenticator: z.boolean(),
  /** Why betting is off: a break, a self-exclusion. Absent when it is not. */
  standing: z.optional(standing),
});

const code = z.string().check(z.regex(/^(\d{6}|[A-Z2-9]{5}-[A-Z2-9]{5})$/));
const userName = z.string().check(z.minLength(1), z.maxLength(64));
const recoveryCode = z.string().check(z.regex(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/));
const password = z.string().check(z.minLength(1), z.maxLength(1024));

export const auth = {
  login: call('auth.login', {
    method: 'POST',
    path: '/auth/login',
    who: 'public',
    summary: 'Sign in with user name and password.',
    body: z.strictObject({ userName, password }),
    reply: signedIn,
    errors: ['LOGIN_FAILED', 'LOGIN_WAIT', 'ACCOUNT_LOCKED', 'BUSY'],
  }),
  demo: call('auth.demo', {
    method: 'POST',
    path: '/user/loginWithDemo',
    who: 'public',
    summary: 'A fresh demo account with play money.',
    reply: z.object({ token: z.string(), userId: z.int() }),
  }),
  forgot: call('auth.forgot', {
    method: 'POST',
    path: '/auth/forgotPassword',
    who: 'public',
    summary: 'Send a code for a new password by mail; answers alike whether the name exists or not.',
    body: z.strictObject({ userName }),
    reply: nothing,
    errors: ['NOT_OPEN_YET'],
  }),
  reset: call('auth.reset', {
    method: 'POST',
    path: '/auth/resetPassword',
    who: 'public',
    summary: 'Set a new password with the code that was sent; ends every session and every lock of the name.',
    body: z.strictObject({ userName, code: recoveryCode, newPassword: password }),
    reply: nothing,
    errors: ['CODE_WRONG', 'LOGIN_WAIT', 'PASSWORD_SHORT', 'PASSWORD_LONG', 'PASSWORD_COMMON', 'BUSY'],
  }),
  logout: call('auth.logout', {
    method: 'POST',
    path: '/auth/logout',
    who: 'pending',
    summary: 'End this session.',
    reply: nothing,
  }),
  changePassword: call('auth.changePassword', {
    method: 'POST',
    path: '/user/changePassword',
    who: 'pending',
    summary: 'Change the password; ends every session of the player.',
    body: z.strictObject({ oldPassword: password, newPassword: password, authToken: z.optional(code) }),
    reply: nothing,
    errors: [
      'PASSWORD_WRONG',
      'PASSWORD_SHORT',
      'PASSWORD_LONG',
      'PASSWORD_COMMON',
      'PASSWORD_SAME',
      'LOGIN_WAIT',
      'CODE_WRONG',
      'DEMO_NOT_ALLOWED',
      'CODE_REQUIRED',
    ],
  }),
  checkOldPassword: call('auth.checkOldPassword', {
    method: 'POST',
    path: '/user/check/oldPassword',
    who: 'pending',
    summary: 'Whether a password is the present one. Counts as a sign-in try.',
    body: z.strictObject({ oldPassword: password }),
    reply: z.object({ isPasswordMatch: z.boolean() }),
    errors: ['LOGIN_WAIT', 'DEMO_NOT_ALLOWED'],
    reads: true,
  }),
  generate: call('auth.generate', {
    method: 'POST',
    path: '/auth/generateAuthToken',
    who: 'real',
    summary: 'Begin to switch on a second factor: 1 a code by message, 2 an authenticator app.',
    body: z.strictObject({ type: z.union([z.literal(1), z.literal(2)]), password }),
    reply: z.object({
      type: z.int(),
      secret: z.optional(z.string()),
      uri: z.optional(z.string()),
      /** The address as a picture (data: PNG). */
      qr: z.optional(z.string()),
      sentTo: z.optional(z.string()),
    }),
    errors: ['AUTHENTICATOR_SET', 'PASSWORD_WRONG', 'LOGIN_WAIT'],
    reads: true,
  }),
  verify: call('auth.verify', {
    method: 'POST',
    path: '/auth/verifyAuthToken',
    who: 'pending',
    summary: 'Prove the security code: of a sign-in, or to finish switching a second factor on. Answers the new token.',
    body: z.strictObject({ authToken: code }),
    reply: z.string(),
    errors: ['CODE_WRONG', 'CODE_EXPIRED', 'CODE_TRIES'],
  }),
  authenticator: call('auth.authenticator', {
    method: 'GET',
    path: '/auth/getAuthenticator',
    who: 'real',
    summary: 'The second factor in force; right after switching on, the recovery codes once.',
    reply: z.object({
      type: z.int(),
      since: z.nullable(z.string()),
      recoveryCodesLeft: z.int(),
      recoveryCodes: z.optional(z.array(z.string())),
    }),
  }),
  resend: call('auth.resend', {
    method: 'POST',
    path: '/auth/resend/token',
    who: 'pending',
    summary: 'Send a code by message: for a pending sign-in, or for switching the second factor off.',
    body: z.strictObject({}),
    reply: nothing,
    errors: ['RESEND_WAIT', 'AUTHENTICATOR_NOT_SET'],
  }),
  remove: call('auth.remove', {
    method: 'POST',
    path: '/auth/removeAuthenticator',
    who: 'real',
    summary: 'Switch the second factor off: with a code and the password.',
    body: z.strictObject({ authToken: code, password }),
    reply: nothing,
    errors: ['CODE_WRONG', 'CODE_EXPIRED', 'CODE_TRIES', 'AUTHENTICATOR_NOT_SET', 'PASSWORD_WRONG', 'LOGIN_WAIT'],
  }),
  stepUp: call('auth.stepUp', {
    method: 'POST',
    path: '/auth/stepUp',
    who: 'player',
    summary: 'Prove the password again after an idle hour, to bet on.',
    body: z.strictObject({ password }),
    reply: nothing,
    errors: ['PASSWORD_WRONG', 'LOGIN_WAIT'],
  }),
  sessions: call('auth.sessions', {
    method: 'GET',
    path: '/auth/sessions',
    who: 'real',
    summary: 'The sessions of the player.',
    reply: z.array(
      z.object({
        id: z.string(),
        current: z.boolean(),
        createdAt: z.string(),
        lastSeenAt: z.string(),
        device: text(200),
        ip: z.string(),
      }),
    ),
  }),
  endSession: call('auth.endSession', {
    method: 'POST',
    path: '/auth/sessions/end',
    who: 'real',
    summary: 'End one other session, or all others.',
    body: z.strictObject({ id: z.optional(z.string().check(z.maxLength(64))) }),
    reply: nothing,
    errors: ['NOT_FOUND'],
  }),
};
