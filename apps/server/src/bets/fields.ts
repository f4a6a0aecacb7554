/** The core's refusals in the words of the request: what the core calls a field is not always what the caller sent. */
import { CodedError } from '@fairgame/contract';

const PLACING = {
  price: 'odd',
  stakeMinor: 'stake',
  sizeMinor: 'stake',
  minFillMinor: 'minFill',
  marketId: 'betId',
  side: 'bettingType',
  box: 'placeIndex',
  expireMs: 'seconds',
} as const;
/** Calls about one bet name it `id`. */
const ONE_BET = { ...PLACING, betId: 'id', byMinor: 'by', remainingMinor: 'remaining' } as const;

/** Of orders that wait: their own number is `id`, too. */
const CONDITIONAL = { ...ONE_BET, conditionalId: 'id', afterMs: 'seconds' } as const;

type Names = Readonly<Record<string, string>>;

/** What the core refused, with the field as the request calls it. */
function inWords(names: Names, error: unknown): unknown {
  if (!(error instanceof CodedError) || error.field === undefined) return error;
  // In a list the last part of the path names the field.
  const at = error.field.lastIndexOf('.') + 1;
  const last = error.field.slice(at);
  if (!Object.hasOwn(names, last)) return error;
  const { code, message, current, retryAfterS } = error;
  return new CodedError(code, {
    field: error.field.slice(0, at) + names[last],
    message,
    current,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
}

/** Runs an act of the core; what it refuses names the field of the request. */
async function renamed<T>(names: Names, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw inWords(names, error);
  }
}

/** For who catches what is refused himself. */
export const placedError = (error: unknown): unknown => inWords(PLACING, error);

export const asPlaced = <T>(act: () => Promise<T>): Promise<T> => renamed(PLACING, act);
export const asEdited = <T>(act: () => Promise<T>): Promise<T> => renamed(ONE_BET, act);
export const asConditional = <T>(act: () => Promise<T>): Promise<T> => renamed(CONDITIONAL, act);
