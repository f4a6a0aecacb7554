import type { PlaceBody } from '@fairgame/contract';

/** What a bet in a book brings with it: the server holds it from the moment the bet is placed. */
export interface After {
  /** Ticks from the bet at which its other side is placed once it is matched; 0: none. */
  offset: number;
  /** Seconds after which what is unmatched ends; 0: never. */
  seconds: number;
}

/** As it is said in the call that places the bet: the one is not placed without the other. */
export const broughtBy = ({ offset, seconds }: After): Pick<PlaceBody, 'offset' | 'seconds'> => ({
  ...(offset > 0 ? { offset: { ticks: offset, level: true } } : {}),
  ...(seconds > 0 ? { seconds } : {}),
});
