import { msg } from '@lingui/core/macro';
import { say, type Words } from './language.ts';

/** The 36 sports of the sidebar, in their order, each with its own id (SID-08..12, CAR-41). `type` is the match type of the calls. */
export type Sport = { id: string; name: Words; type: string };

const sport = (name: Words, type: string, id = type): Sport => ({ id, name, type });

export const SPORTS: readonly Sport[] = [
  sport(msg`Politics`, 'politics'),
  sport(msg`Cricket`, 'cricket'),
  sport(msg`Football`, 'football'),
  sport(msg`Tennis`, 'tennis'),
  sport(msg`Table Tennis`, 'tableTennis'),
  sport(msg`Badminton`, 'badminton'),
  sport(msg`Esoccer`, 'esoccer'),
  sport(msg`Basketball`, 'basketball'),
  sport(msg`Volleyball`, 'volleyball'),
  sport(msg`Snooker`, 'snooker'),
  sport(msg`Ice Hockey`, 'iceHockey'),
  sport(msg`E Games`, 'eGames'),
  sport(msg`Futsal`, 'futsal'),
  sport(msg`Handball`, 'handball'),
  sport(msg`Kabaddi`, 'kabaddi'),
  sport(msg`Golf`, 'golf'),
  sport(msg`Rugby League`, 'rugbyLeague'),
  sport(msg`Boxing`, 'boxing'),
  sport(msg`Beach Volleyball`, 'beachVolleyball'),
  sport(msg`Mixed Martial Arts`, 'mixedMartialArts'),
  sport(msg`MotoGP`, 'motogp'),
  sport(msg`Chess`, 'chess'),
  sport(msg`Cycling`, 'cycling'),
  sport(msg`Motorbikes`, 'motorbikes'),
  sport(msg`Athletics`, 'athletics'),
  sport(msg`Basketball 3x3`, 'basketball3x3'),
  sport(msg`Sumo`, 'sumo'),
  sport(msg`Virtual Sports`, 'virtualSports'),
  sport(msg`Motor Sports`, 'motorSports'),
  sport(msg`Baseball`, 'baseball'),
  sport(msg`Rugby Union`, 'rugbyUnion'),
  sport(msg`Darts`, 'darts'),
  sport(msg`American Football`, 'americanFootball'),
  sport(msg`Soccer`, 'soccer'),
  sport(msg`Esports`, 'esports'),
  sport(msg`Boat Racing`, 'boatRacing'),
];

const NAMES = new Map<string, Words>([
  ...SPORTS.map((s) => [s.type, s.name] as const),
  ['horseRacing', msg`Horse Racing`],
  ['greyHound', msg`GreyHound Racing`],
  ['casino', msg`Casino`],
  ['liveCasino', msg`Live Casino`],
]);

/** The name of a match type as players read it; an unknown type is shown as it is. */
export function sportName(type: string): string {
  return say(NAMES.get(type) ?? type);
}
