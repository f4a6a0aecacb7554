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

/** Runs an act of the core; what it refuses names the field of the request. */
async function renamed<T>(names: Names, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CodedError) || error.field === undefined) throw error;
    // In a list the last part of the path names the field.
    const at = error.field.lastIndexOf('.') + 1;
    const last = error.field.slice(at);
    if (!Object.hasOwn(names, last)) throw error;
    const { code, message, current, retryAfterS } = error;
    throw new CodedError(code, {
      field: error.field.slice(0, at) + names[last],
      message,
      current,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    });
  }
}

export const asPlaced = <T>(act: () => Promise<T>): Promise<T> => renamed(PLACING, act);
export const asEdited = <T>(act: () => Promise<T>): Promise<T> => renamed(ONE_BET, act);
export const asConditional = <T>(act: () => Promise<T>): Promise<T> => renamed(CONDITIONAL, act);
