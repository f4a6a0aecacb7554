/**
 * Who plays where: national and city teams, invented clubs, players, horses and venues. A name always gives the same
 * team sheet. No real person is meant.
 */
import { between, makeRng, pick, type Rng, sample } from './rng.ts';

interface Team {
  name: string;
  /** Three letters for narrow places. */
  code: string;
}

interface Competition {
  name: string;
  teams: Team[];
  venues: string[];
  countryCode: string;
}

const team = (name: string, code: string): Team => ({ name, code });

/** Name, code, region of its surnames, grounds. */
const NATIONS: Array<[string, string, string, string[]]> = [
  ['India', 'IND', 'south', ['Indore', 'Nagpur', 'Rajkot', 'Mohali']],
  ['Australia', 'AUS', 'anglo', ['Hobart', 'Adelaide', 'Brisbane']],
  ['England', 'ENG', 'anglo', ['Nottingham', 'Leeds', 'Taunton']],
  ['New Zealand', 'NZ', 'anglo', ['Christchurch', 'Napier', 'Hamilton']],
  ['Pakistan', 'PAK', 'south', ['Lahore', 'Multan', 'Karachi']],
  ['Sri Lanka', 'SL', 'lanka', ['Galle', 'Kandy', 'Dambulla']],
  ['South Africa', 'SA', 'cape', ['Durban', 'Centurion', 'Paarl']],
  ['West Indies', 'WI', 'carib', ['Bridgetown', 'Kingston', 'Gros Islet']],
  ['Bangladesh', 'BAN', 'south', ['Sylhet', 'Chattogram', 'Khulna']],
  ['Afghanistan', 'AFG', 'south', ['Sharjah', 'Abu Dhabi']],
  ['Ireland', 'IRE', 'anglo', ['Malahide', 'Stormont']],
  ['Zimbabwe', 'ZIM', 'cape', ['Harare', 'Bulawayo']],
];

const SURNAMES: Record<string, string[]> = {
  south:
    'Sethi Nair Dhillon Menon Bhatia Kulkarni Chauhan Pillai Grewal Saxena Lodhi Barua Qazi Rahimi Sohail Talwar Vohra Wadia Zaman Khatri Mistry Deshmukh Purohit Thakkar Gokhale Bhandari Rizvi Siddique Majumdar Chakravarti'.split(
      ' ',
    ),
  anglo:
    'Harland Reyes Whitlock Farrow Lowther Pryce Castell Wren Haldane Ashdown Tolliver Brannock Marwood Selby Kirkland Penrose Hathersage Dunmore Ravenhill Colquhoun Tranter Averill Stanhope Locksley Merriden Birkett Ormsby Thackeray Wycliffe Calloway'.split(
      ' ',
    ),
  lanka:
    'Weerakoon Rathnapala Gunasekera Dissanayaka Hettige Samarasekara Ekanayaka Wickrama Kodithuwakku Jayalath Senadheera Abeywardana Ranatungage Pathirage Liyange Madushka'.split(
      ' ',
    ),
  cape: 'Vanderwald Mokgosi Steenkamp Ndlela Terblanche Mabuza Kriel Oosthuysen Dlomo Chikore Muparutsa Vermaak Sibanyoni Labuscher Makoni Nkomazi'.split(
    ' ',
  ),
  carib:
    'Baptiste Hoyte Clarkeson Marchand Desrosier Fontenelle Prescod Yearwood Balgobin Rampaul Lashley Ollivierre Dacosta Sealey Boodram Alleyne'.split(
      ' ',
    ),
  latin:
    'Alvarado Duarte Teixeira Moreau Marchetti Imani Zelenko Castellan Bellucci Ferrando Quintela Moravec Lindqvist Okonjo Petrescu Vasseur Baranov Kowalik Hartmann Nyberg Solberg Tavares Corvino Drago Escalante Fioretti Galanis Horvat Ivanek Jurado Kalinin Larsen Mendonca Nakagawa Orsini Pavlik Renaud Sakamoto Tomasek Ulvestad Verhoeven Wozny Yildirim Zanetti'.split(
      ' ',
    ),
};

const LEAGUES: Array<{ name: string; region: string; countryCode: string; teams: Team[]; venues: string[] }> = [
  {
    name: 'Monsoon T20 League',
    region: 'south',
    countryCode: 'IN',
    teams: [
      team('Kerala', 'KER'),
      team('Mumbai City', 'MUM'),
      team('Delhi Bulls', 'DEL'),
      team('Deccan Gladiators', 'DEC'),
      team('Punjab Rangers', 'PUN'),
      team('Bengal Tigers', 'BEN'),
      team('Gujarat Chargers', 'GUJ'),
      team('Chennai Mariners', 'CHE'),
    ],
    venues: ['Kochi', 'Mumbai', 'Delhi', 'Hyderabad', 'Mohali', 'Kolkata'],
  },
  {
    name: 'Southern Smash',
    region: 'anglo',
    countryCode: 'AU',
    teams: [
      team('Perth Breakers', 'PER'),
      team('Hobart Gales', 'HOB'),
      team('Adelaide Kites', 'ADE'),
      team('Brisbane Surge', 'BRI'),
      team('Melbourne Trams', 'MEL'),
      team('Sydney Harbours', 'SYD'),
    ],
    venues: ['Perth', 'Hobart', 'Adelaide', 'Brisbane', 'Geelong'],
  },
];

const FOOTBALL: Competition[] = [
  {
    name: 'Coastal Premier Division',
    countryCode: 'GB',
    venues: [],
    teams: clubs(
      'Ashcombe Town,Port Elden,Weatherby Rovers,Northgate United,Marlow Athletic,Saltmere,Kingsferry,Thornbury Albion,Eastmoor City,Hadleigh,Redcliffe Wanderers,Stanmoor',
    ),
  },
  {
    name: 'Indian Football Championship',
    countryCode: 'IN',
    venues: [],
    teams: clubs(
      'Kerala Rovers,Kolkata Mariners,Goa Lagoon,Bengaluru Gardens,Chennai Harbour,Mumbai Islanders,Hyderabad Pearls,Jamshedpur Furnace,Odisha Coast,Punjab Sports Club',
    ),
  },
  {
    name: 'Liga del Levante',
    countryCode: 'ES',
    venues: [],
    teams: clubs(
      'Real Almadena,Atletico Costa,Union Cabrera,Deportivo Sierra,Racing Portillo,Club Valdemar,Sporting Alcazar,Balompie Mirador,Villa Serena,Rayo Marino',
    ),
  },
  {
    name: 'Serie Adriatica',
    countryCode: 'IT',
    venues: [],
    teams: clubs(
      'Portofiore,Sampietro,Lagunare,Virtus Montalba,Borgonovo,Aurora Ravello,Castelmare,Juniores Torvaia,Fiamma Verde,Polisportiva Argento',
    ),
  },
  {
    name: 'Southern Cross A-Division',
    countryCode: 'AU',
    venues: [],
    teams: clubs(
      'Melbourne Trams FC,Sydney Harbours FC,Perth Breakers FC,Newcastle Colliers,Wollongong Cove,Canberra Lakes,Auckland Sails,Gold Coast Pines',
    ),
  },
  {
    name: 'Copa do Planalto',
    countryCode: 'BR',
    venues: [],
    teams: clubs(
      'Santa Clara,Esporte Paulino,Gremio Serrano,Nautico do Norte,Cruz Azulada,Uniao Paranense,Bahia Mar,Ponte Alta,Figueira,Mirassol do Vale',
    ),
  },
];

const TENNIS = [
  { name: 'Season Finals, Turin', bestOf: 3 },
  { name: 'Lagoon Open, Venice', bestOf: 3 },
  { name: 'Desert Masters, Doha', bestOf: 3 },
  { name: 'Harbour Cup, Sydney', bestOf: 5 },
  { name: 'Highland Classic, Pune', bestOf: 3 },
];

const HORSE_VENUES: Array<[string, string]> = [
  ['Weatherby Park', 'GB'],
  ['Ashcombe', 'GB'],
  ['Port Elden', 'GB'],
  ['Ballymarrow', 'IE'],
  ['Kildoran', 'IE'],
  ['Wattle Creek', 'AU'],
  ['Yarraboe', 'AU'],
  ['Sahyadri Park', 'IN'],
  ['Malabar Downs', 'IN'],
  ['Blouberg', 'ZA'],
  ['Cypress Downs', 'US'],
  ['Val Dore', 'FR'],
];
const DOG_VENUES: Array<[string, string]> = [
  ['Stonebridge', 'GB'],
  ['Hexley Road', 'GB'],
  ['Crayfield', 'GB'],
  ['Ballyroan', 'IE'],
  ['Tullymore', 'IE'],
  ['Bendoora', 'AU'],
  ['Wentworth Flat', 'AU'],
  ['Taieri Lane', 'NZ'],
];
const RACE_TITLES =
  'Harvest Handicap,Lantern Stakes,Quayside Maiden,Old Mill Handicap,Riverside Novices,Bluebell Handicap,Market Day Stakes,Beacon Handicap,Orchard Maiden,Copper Cup,Long Acre Handicap,Evening Stakes'.split(
    ',',
  );

const FIRST_WORDS =
  'Harbour Sunday Quiet Marigold Paper Second Copper Old Silver Winter Distant Golden Northern Velvet Amber Lucky Midnight Painted Rolling Secret Scarlet Wild Hollow Misty Broken Gentle Crimson Morning Dancing Hidden'.split(
    ' ',
  );
const SECOND_WORDS =
  'Bell Ferry Ledger Lane Lantern Slip Kettle Pavilion Arrow Bridge Compass Drummer Ember Falcon Garden Harvest Island Jewel Keeper Letter Meadow Note Orchard Parade Quarry River Sparrow Thunder Umbrella Voyage Whistle'.split(
    ' ',
  );
const SILK_COLOURS =
  '#c8102e #0033a0 #00843d #ffcd00 #ffffff #1a1a1a #f26522 #6f2c91 #78be20 #00a9ce #d4a373 #e5a5c4'.split(' ');

/** Trap colours 1 to 6 (exchange reference 13): red, blue, white, black, orange, striped. */
export const TRAP_COLOURS = ['#c8102e', '#0057b8', '#ffffff', '#1a1a1a', '#f58220', '#1a1a1a'];

export interface Fixture {
  competition: string;
  countryCode: string;
  home: Team;
  away: Team;
  venue: string;
}

/** Two teams that are not in `busy`, with their competition. */
export function cricketFixture(r: Rng, format: 'T20' | 'ODI' | 'Test', busy: ReadonlySet<string>): Fixture {
  for (let tries = 0; ; tries++) {
    if (format === 'T20' && between(r, 0, 2) > 0) {
      const league = pick(r, LEAGUES);
      const [home, away] = sample(r, league.teams, 2) as [Team, Team];
      if (tries < 30 && (busy.has(home.name) || busy.has(away.name))) continue;
      return { competition: league.name, countryCode: league.countryCode, home, away, venue: pick(r, league.venues) };
    }
    const [h, a] = sample(r, format === 'Test' ? NATIONS.slice(0, 9) : NATIONS, 2) as [
      (typeof NATIONS)[number],
      (typeof NATIONS)[number],
    ];
    if (tries < 30 && (busy.has(h[0]) || busy.has(a[0]))) continue;
    return {
      competition: `${a[0]} tour of ${h[0]}`,
      countryCode: h[1].slice(0, 2),
      home: team(h[0], h[1]),
      away: team(a[0], a[1]),
      venue: pick(r, h[3]),
    };
  }
}

export function footballFixture(r: Rng, busy: ReadonlySet<string>): Fixture {
  for (let tries = 0; ; tries++) {
    const competition = pick(r, FOOTBALL);
    const [home, away] = sample(r, competition.teams, 2) as [Team, Team];
    if (tries < 30 && (busy.has(home.name) || busy.has(away.name))) continue;
    return { competition: competition.name, countryCode: competition.countryCode, home, away, venue: home.name };
  }
}

export function tennisFixture(
  r: Rng,
  busy: ReadonlySet<string>,
): { competition: string; bestOf: number; home: string; away: string } {
  const players = tennisPlayers();
  for (let tries = 0; ; tries++) {
    const event = pick(r, TENNIS);
    const [home, away] = sample(r, players, 2) as [string, string];
    if (tries < 30 && (busy.has(home) || busy.has(away))) continue;
    return { competition: event.name, bestOf: event.bestOf, home, away };
  }
}

/** Eleven (cricket) or eighteen (football) different players, the same each time for a team. */
export function teamSheet(name: string, size: number): string[] {
  const r = makeRng('team', name, size);
  const region =
    NATIONS.find((nation) => nation[0] === name)?.[2] ??
    LEAGUES.find((league) => league.teams.some((t) => t.name === name))?.region ??
    'latin';
  const surnames = sample(r, SURNAMES[region]!.length >= size ? SURNAMES[region]! : SURNAMES.latin!, size);
  return surnames.map((surname) => `${initial(r)}. ${surname}`);
}

export function raceVenue(r: Rng, dogs: boolean): { venue: string; countryCode: string } {
  const [venue, countryCode] = pick(r, dogs ? DOG_VENUES : HORSE_VENUES);
  return { venue, countryCode };
}

export const raceTitle = (r: Rng): string => pick(r, RACE_TITLES);

export function animalNames(r: Rng, count: number): string[] {
  const first = sample(r, FIRST_WORDS, count);
  const second = sample(r, SECOND_WORDS, count);
  return first.map((word, i) => `${word} ${second[i]!}`);
}

export function personNames(r: Rng, count: number): string[] {
  return sample(r, [...SURNAMES.anglo!, ...SURNAMES.latin!, ...SURNAMES.carib!], count).map(
    (name) => `${initial(r)}. ${name}`,
  );
}

export const silkColour = (r: Rng): string => pick(r, SILK_COLOURS);

export interface Election {
  title: string;
  competition: string;
  market: string;
  options: string[];
  countryCode: string;
}

const ELECTIONS: Election[] = [
  {
    title: 'Republic of Calder: presidential election',
    competition: 'Calder elections',
    market: 'Next President',
    options: ['Civic Union', 'National Front of Labour', 'Green Alliance', 'Liberal Centre'],
    countryCode: 'XC',
  },
  {
    title: 'Northmark: general election',
    competition: 'Northmark elections',
    market: 'Most seats',
    options: ['Conservative Bloc', 'Social Democrats', 'Farmers and Coast', 'New Left', 'Reform'],
    countryCode: 'XN',
  },
  {
    title: 'Port Elden: mayor',
    competition: 'City elections',
    market: 'Winner',
    options: ['Harbour Party', 'Town Hall List', 'Independents'],
    countryCode: 'GB',
  },
  {
    title: 'Deccan State: assembly election',
    competition: 'State assemblies',
    market: 'Party with most seats',
    options: ['People’s Front', 'Progressive Alliance', 'Regional Congress', 'Workers’ List'],
    countryCode: 'IN',
  },
  {
    title: 'Isle of Vane: referendum on the harbour bridge',
    competition: 'Referendums',
    market: 'Result',
    options: ['Yes', 'No'],
    countryCode: 'XV',
  },
  {
    title: 'Federation of Merrow: chancellor vote',
    competition: 'Merrow politics',
    market: 'Next Chancellor',
    options: ['Christian Democrats', 'Social Union', 'Free List', 'The Ecologists', 'Alternative Centre'],
    countryCode: 'XM',
  },
];

export function election(slot: number): Election {
  return ELECTIONS[((slot % ELECTIONS.length) + ELECTIONS.length) % ELECTIONS.length]!;
}

function initial(r: Rng): string {
  return pick(r, 'ABCDEFGHIJKLMNPRSTVWYZ'.split(''));
}

function tennisPlayers(): string[] {
  const r = makeRng('tennis players');
  return [...SURNAMES.latin!, ...SURNAMES.anglo!.slice(0, 16)].map((name) => `${initial(r)}. ${name}`);
}

function clubs(list: string): Team[] {
  return list.split(',').map((name) =>
    team(
      name,
      name
        .replace(/[^A-Za-z]/g, '')
        .slice(0, 3)
        .toUpperCase(),
    ),
  );
}
