/** Signing in: what it answers. Always HTTP 200, and always all four members: programs cannot read less. */

export type LoginError =
  | 'INVALID_USERNAME_OR_PASSWORD'
  | 'ACCOUNT_NOW_LOCKED'
  | 'ACCOUNT_ALREADY_LOCKED'
  | 'SUSPENDED'
  | 'CLOSED'
  | 'SELF_EXCLUDED'
  | 'STRONG_AUTH_CODE_REQUIRED'
  | 'CHANGE_PASSWORD_REQUIRED'
  | 'ACTIONS_REQUIRED'
  | 'TEMPORARY_BAN_TOO_MANY_REQUESTS'
  | 'INPUT_VALIDATION_ERROR'
  | 'CERT_AUTH_REQUIRED'
  | 'SECURITY_RESTRICTED_LOCATION'
  | 'INTERNAL_ERROR'
  | 'NO_SESSION';

/** The same pair of words for what our own sign-in refuses. */
export function loginErrorOf(code: string): LoginError {
  switch (code) {
    case 'LOGIN_FAILED':
    case 'CODE_WRONG':
      return 'INVALID_USERNAME_OR_PASSWORD';
    case 'ACCOUNT_LOCKED':
    case 'LOGIN_WAIT':
      return 'ACCOUNT_ALREADY_LOCKED';
    case 'CODE_TRIES':
      return 'ACCOUNT_NOW_LOCKED';
    case 'CODE_REQUIRED':
    case 'CODE_EXPIRED':
      return 'STRONG_AUTH_CODE_REQUIRED';
    case 'PASSWORD_CHANGE_REQUIRED':
      return 'CHANGE_PASSWORD_REQUIRED';
    case 'RATE_LIMITED':
      return 'TEMPORARY_BAN_TOO_MANY_REQUESTS';
    case 'BAD_INPUT':
      return 'INPUT_VALIDATION_ERROR';
    default:
      return 'INTERNAL_ERROR';
  }
}

export const identity = (token: string, product: string, error: LoginError | '') => ({
  token,
  product,
  status: error === '' ? ('SUCCESS' as const) : ('FAIL' as const),
  error,
});

export const certIdentity = (told: { token: string } | { error: LoginError }) =>
  'token' in told ? { sessionToken: told.token, loginStatus: 'SUCCESS' } : { loginStatus: told.error };
