import { msg } from '@lingui/core/macro';
import { english, say, type Words } from '../../platform/language.ts';
import type { IconShape } from '../../ui/icon.tsx';
import { IconCards, IconCategory, IconCricket, IconFlame } from '../../ui/icons.ts';
import {
  IconBomb,
  IconCherry,
  IconDoor,
  IconEgg,
  IconMicrophone2,
  IconMovie,
  IconPalette,
  IconPlane,
  IconPlayCard7,
  IconPlayCard9,
  IconPlayCardA,
  IconPokerChip,
  IconTrendingUp,
  IconWheel,
} from './icons.ts';
import type { CategoryId } from './tables.ts';

/** Icons of the fourteen casino categories, by the name a category goes by (specification 3.17). */
export const CATEGORY_ICONS = {
  'Dragon Tiger': IconFlame,
  Baccarat: IconPlayCard9,
  Roulette: IconWheel,
  Poker: IconPokerChip,
  'Lucky 7': IconPlayCard7,
  'Andar Bahar': IconDoor,
  Teenpatti: IconPlayCardA,
  Crash: IconTrendingUp,
  Aviator: IconPlane,
  Mines: IconBomb,
  Slots: IconCherry,
  'Color Prediction': IconPalette,
  'Live Game Show': IconMicrophone2,
  'Chicken Games': IconEgg,
} as const satisfies Record<string, IconShape>;

const NAMES: ReadonlySet<string> = new Set(
  [
    msg`Dragon Tiger`,
    msg`Baccarat`,
    msg`Roulette`,
    msg`Poker`,
    msg`Lucky 7`,
    msg`Andar Bahar`,
    msg`Teenpatti`,
    msg`Crash`,
    msg`Aviator`,
    msg`Mines`,
    msg`Slots`,
    msg`Color Prediction`,
    msg`Live Game Show`,
    msg`Chicken Games`,
    msg`Fun Games`,
    msg`32 Cards`,
    msg`Cricket`,
    msg`Bollywood`,
    msg`Live`,
    msg`Game Shows`,
    msg`Virtual`,
    msg`Others`,
  ].map(english),
);

/** What a player reads of a category. Addresses, records and icons know each by its English; what only a provider knows stays as he named it. */
export const categoryName = (name: string): string => (NAMES.has(name) ? say(name) : name);

/** The categories of our own tables, in the order of the lobby; labels in English. */
export const CATEGORIES: ReadonlyArray<{ id: CategoryId; label: string; icon: IconShape }> = [
  { id: 'teenpatti', label: 'Teenpatti', icon: CATEGORY_ICONS.Teenpatti },
  { id: 'dragonTiger', label: 'Dragon Tiger', icon: CATEGORY_ICONS['Dragon Tiger'] },
  { id: 'baccarat', label: 'Baccarat', icon: CATEGORY_ICONS.Baccarat },
  { id: 'poker', label: 'Poker', icon: CATEGORY_ICONS.Poker },
  { id: 'andarBahar', label: 'Andar Bahar', icon: CATEGORY_ICONS['Andar Bahar'] },
  { id: 'lucky7', label: 'Lucky 7', icon: CATEGORY_ICONS['Lucky 7'] },
  { id: 'cards32', label: '32 Cards', icon: IconCards },
  { id: 'cricket', label: 'Cricket', icon: IconCricket },
  { id: 'bollywood', label: 'Bollywood', icon: IconMovie },
  { id: 'other', label: 'Others', icon: IconCategory },
];

/** A category as a player reads it. */
export const categoryLabel = (id: CategoryId): string =>
  categoryName(CATEGORIES.find((one) => one.id === id)?.label ?? 'Others');

/** The highlight banners (specification 3.17): each leads to its games of the live providers. */
export const BANNERS: ReadonlyArray<{ id: string; name: string; line: Words; image: string; category: string }> = [
  {
    id: 'aviator',
    name: 'Aviator',
    line: msg`Climbs, then is gone`,
    image: '/casino/banner-aviator.svg',
    category: 'Aviator',
  },
  {
    id: 'mines',
    name: 'Mines',
    line: msg`Fields to open`,
    image: '/casino/banner-mines.svg',
    category: 'Mines',
  },
  {
    id: 'fun-games',
    name: 'Fun Games',
    line: msg`Wheels and dice`,
    image: '/casino/banner-fun-games.svg',
    category: 'Fun Games',
  },
  {
    id: 'color-prediction',
    name: 'Color Prediction',
    line: msg`Green, red or violet`,
    image: '/casino/banner-color-prediction.svg',
    category: 'Color Prediction',
  },
];
