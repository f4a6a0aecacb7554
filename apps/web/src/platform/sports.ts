/** The 36 sports of the sidebar, in their order, each with its own id (SID-08..12, CAR-41). `type` is the match type of the calls. */
export type Sport = { id: string; name: string; type: string };

const sport = (name: string, type: string, id = type): Sport => ({ id, name, type });

export const SPORTS: readonly Sport[] = [
  sport('Politics', 'politics'),
  sport('Cricket', 'cricket'),
  sport('Football', 'football'),
  sport('Tennis', 'tennis'),
  sport('Table Tennis', 'tableTennis'),
  sport('Badminton', 'badminton'),
  sport('Esoccer', 'esoccer'),
  sport('Basketball', 'basketball'),
  sport('Volleyball', 'volleyball'),
  sport('Snooker', 'snooker'),
  sport('Ice Hockey', 'iceHockey'),
  sport('E Games', 'eGames'),
  sport('Futsal', 'futsal'),
  sport('Handball', 'handball'),
  sport('Kabaddi', 'kabaddi'),
  sport('Golf', 'golf'),
  sport('Rugby League', 'rugbyLeague'),
  sport('Boxing', 'boxing'),
  sport('Beach Volleyball', 'beachVolleyball'),
  sport('Mixed Martial Arts', 'mixedMartialArts'),
  sport('MotoGP', 'motogp'),
  sport('Chess', 'chess'),
  sport('Cycling', 'cycling'),
  sport('Motorbikes', 'motorbikes'),
  sport('Athletics', 'athletics'),
  sport('Basketball 3x3', 'basketball3x3'),
  sport('Sumo', 'sumo'),
  sport('Virtual Sports', 'virtualSports'),
  sport('Motor Sports', 'motorSports'),
  sport('Baseball', 'baseball'),
  sport('Rugby Union', 'rugbyUnion'),
  sport('Darts', 'darts'),
  sport('American Football', 'americanFootball'),
  sport('Soccer', 'soccer'),
  sport('Esports', 'esports'),
  sport('Boat Racing', 'boatRacing'),
];

const NAMES = new Map<string, string>([
  ...SPORTS.map((s) => [s.type, s.name] as const),
  ['horseRacing', 'Horse Racing'],
  ['greyHound', 'GreyHound Racing'],
]);

/** The name of a match type as players read it; an unknown type is shown as it is. */
export function sportName(type: string): string {
  return NAMES.get(type) ?? (type === 'casino' ? 'Casino' : type === 'liveCasino' ? 'Live Casino' : type);
}
