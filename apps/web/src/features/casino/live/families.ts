import type { CALLS, ReplyOf } from '@fairgame/contract';
import type { IconShape } from '../../../ui/icon.tsx';
import { CATEGORY_ICONS } from '../categories.ts';
import { IconConfetti } from '../icons.ts';

export type GameList = ReplyOf<typeof CALLS.provider.games>;
export type LiveGame = GameList[string][string][number];

/** Families of live games in the order of the lobby: the fourteen icons of the casino, and one for what is none of them. */
interface Family {
  /** As a provider names it; also the class of the drawing that stands in for a picture. */
  id: string;
  /** Its English: as `?category=` names it, and what the lobby shows by `categoryName`. */
  label: string;
  icon: IconShape;
  /** Words in a code or name that tell the family where the provider does not. */
  words: RegExp;
}
const icons = CATEGORY_ICONS;
export const FAMILIES: readonly Family[] = [
  { id: 'aviator', label: 'Aviator', icon: icons.Aviator, words: /aviator|skyward|\bjet|plane/ },
  { id: 'crash', label: 'Crash', icon: icons.Crash, words: /crash|comet|rocket/ },
  { id: 'roulette', label: 'Roulette', icon: icons.Roulette, words: /roulette/ },
  { id: 'game-show', label: 'Live Game Show', icon: icons['Live Game Show'], words: /wheel|show|drop|monopoly/ },
  { id: 'mines', label: 'Mines', icon: icons.Mines, words: /\bmines?\b/ },
  {
    id: 'colour',
    label: 'Color Prediction',
    icon: icons['Color Prediction'],
    words: /colou?r/,
  },
  { id: 'chicken', label: 'Chicken Games', icon: icons['Chicken Games'], words: /chicken/ },
  { id: 'slots', label: 'Slots', icon: icons.Slots, words: /slot|reel/ },
  { id: 'teenpatti', label: 'Teenpatti', icon: icons.Teenpatti, words: /teen ?patti/ },
  { id: 'dragon-tiger', label: 'Dragon Tiger', icon: icons['Dragon Tiger'], words: /dragon/ },
  { id: 'baccarat', label: 'Baccarat', icon: icons.Baccarat, words: /baccarat/ },
  { id: 'lucky7', label: 'Lucky 7', icon: icons['Lucky 7'], words: /lucky.?7/ },
  { id: 'andar-bahar', label: 'Andar Bahar', icon: icons['Andar Bahar'], words: /andar/ },
  { id: 'poker', label: 'Poker', icon: icons.Poker, words: /poker|blackjack/ },
  { id: 'fun', label: 'Fun Games', icon: IconConfetti, words: /./ },
];

/** The family a provider names, else the one its words tell, else fun games. */
export function familyOf(game: Pick<LiveGame, 'family' | 'game_code' | 'game_name'>): Family {
  const named = FAMILIES.find(({ id }) => id === game.family);
  const words = `${game.game_code} ${game.game_name}`.toLowerCase().replaceAll('-', ' ');
  return named ?? FAMILIES.find((one) => one.words.test(words))!;
}

/** The categories of the records, in the order of the specification (LIV-05). */
export const KINDS = ['Live', 'Game Shows', 'Virtual', 'Poker', 'Others'] as const;
