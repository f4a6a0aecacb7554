import { Icon, type IconShape } from './icon.tsx';
import * as I from './icons.ts';
import { ShuttleIcon } from './shuttle-icon.tsx';

const SHAPES: Record<string, IconShape> = {
  politics: I.IconBuildingBank,
  cricket: I.IconCricket,
  football: I.IconBallFootball,
  tennis: I.IconBallTennis,
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
  kabaddi: I.IconUsersGroup,
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
  soccer: I.IconBallFootball,
  esports: I.IconDeviceGamepad2,
  boatRacing: I.IconSpeedboat,
  horseRacing: I.IconHorse,
  greyHound: I.IconDog,
  casino: I.IconCards,
  liveCasino: I.IconBroadcast,
};

/** The icon of a match type (sports.ts); an unknown one gets the trophy. */
export function SportIcon({ sport, size = 18, className }: { sport: string; size?: number; className?: string }) {
  return <Icon of={SHAPES[sport] ?? I.IconTrophy} size={size} className={className} />;
}
