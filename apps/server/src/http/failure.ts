import { CodedError, ERRORS, type ErrorBody, type ErrorCode } from '@fairgame/contract';

/** Codes of the web framework that have one of ours. */
const FRAMEWORK: Readonly<Record<string, [ErrorCode, field?: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['TOO_LARGE'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_TYPE'],
  FST_ERR_CTP_EMPTY_TYPE: ['UNSUPPORTED_TYPE'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_INPUT', 'content-length'],
  FST_ERR_BAD_URL: ['BAD_INPUT', 'path'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND'],
  FST_ERR_ASYNC_CONSTRAINT: ['BAD_INPUT'],
};

export interface Failure {
  body: ErrorBody;
  retryAfterS: number | undefined;
  /** Our own fault: the log gets the whole error, the client only the text and the request's id. */
  unexpected: boolean;
}

/** What a client is told about an error: code, short text, field; never a stack, an SQL text or a path (trust SEC-C5). */
export function failureOf(error: unknown, requestId: string): Failure {
  const coded = codedOf(error);
  if (!coded) {
    const [statusCode, message] = ERRORS.INTERNAL;
    return { body: { statusCode, message, code: 'INTERNAL', requestId }, retryAfterS: undefined, unexpected: true };
  }
  const body: ErrorBody = { statusCode: coded.statusCode, message: coded.message, code: coded.code, requestId };
  if (coded.field !== undefined) body.field = coded.field;
  if (coded.current !== undefined) body.current = coded.current;
  const retryAfterS = coded.retryAfterS ?? (coded.statusCode === 503 ? 2 : coded.statusCode === 429 ? 1 : undefined);
  return { body, retryAfterS, unexpected: false };
}

function codedOf(error: unknown): CodedError | undefined {
  if (error instanceof CodedError) return error;
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && Object.hasOwn(FRAMEWORK, code)) {
    const [known, field] = FRAMEWORK[code]!;
    return new CodedError(known, field === undefined ? {} : { field });
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return new CodedError('BAD_INPUT');
  return undefined;
}
