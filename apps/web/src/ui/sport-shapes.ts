import type { IconShape } from './icon.tsx';
import * as I from './icons.ts';
import { ShuttleIcon } from './shuttle-icon.tsx';

/** The icons of sports that no first screen opens with (sport-icon.tsx). */
export const SHAPES: Readonly<Record<string, IconShape>> = {
  tableTennis: I.IconPingPong,
  badminton: ShuttleIcon,
  esoccer: I.IconDeviceGamepad2,
  basketball: I.IconBallBasketball,
  volleyball: I.IconBallVolleyball,
  snooker: I.IconSportBilliard,
  iceHockey: I.IconIceSkating,
  eGames: I.IconDeviceGamepad,
  futsal: I.IconPlayFootball,
  handball: I.IconPlayHandball,
  golf: I.IconGolf,
  rugbyLeague: I.IconRugby,
  boxing: I.IconHandGrab,
  beachVolleyball: I.IconPlayVolleyball,
  mixedMartialArts: I.IconKarate,
  motogp: I.IconMotorbike,
  chess: I.IconChessKnight,
  cycling: I.IconBike,
  motorbikes: I.IconMotorbike,
  athletics: I.IconRun,
  basketball3x3: I.IconPlayBasketball,
  sumo: I.IconYoga,
  virtualSports: I.IconDeviceDesktop,
  motorSports: I.IconSteeringWheel,
  baseball: I.IconBallBaseball,
  rugbyUnion: I.IconRugby,
  darts: I.IconTarget,
  americanFootball: I.IconBallAmericanFootball,
  esports: I.IconDeviceGamepad2,
  boatRacing: I.IconSpeedboat,
};
