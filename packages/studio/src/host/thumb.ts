/** The drawn tile of a game in the lobby: a motif of its family, in the colours of the studio, turned by the game's code. */
import type { AnyGame, Family } from '../game.ts';

const LOOKS = {
  // Alder Games: deep green wood, brass. Beacon Live: night blue, signal light.
  a: { from: [158, 46, 20], to: [188, 52, 9], ink: '#f6e7c1', glow: '#d9a441', dark: '#10251d' },
  b: { from: [236, 58, 34], to: [262, 60, 14], ink: '#eaf2ff', glow: '#5ad1ff', dark: '#141433' },
} as const;

type Paint = (typeof LOOKS)[keyof typeof LOOKS];

/** 320 by 240. */
export function thumbOf(game: AnyGame, look: 'a' | 'b'): string {
  const paint = LOOKS[look];
  const turn = turnOf(game.code);
  const hsl = ([hue, saturation, light]: readonly number[], lift: number) =>
    `hsl(${((hue ?? 0) + turn + 360) % 360} ${saturation}% ${(light ?? 0) + lift}%)`;
  const motif = OWN[game.code] ?? MOTIFS[game.family];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" role="img" aria-label="${game.name}">
<defs>
<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${hsl(paint.from, 8)}"/><stop offset="1" stop-color="${hsl(paint.to, 0)}"/></linearGradient>
<radialGradient id="l" cx=".5" cy=".42" r=".6"><stop offset="0" stop-color="${paint.glow}" stop-opacity=".42"/><stop offset="1" stop-color="${paint.glow}" stop-opacity="0"/></radialGradient>
</defs>
<rect width="320" height="240" fill="url(#g)"/>
${rays(paint, turn)}
<rect width="320" height="240" fill="url(#l)"/>
<g transform="translate(160 116)" stroke-linejoin="round" stroke-linecap="round">${motif(paint)}</g>
<path d="M0 222h320v18H0z" fill="${paint.dark}" fill-opacity=".55"/><path d="M0 222h320" stroke="${paint.glow}" stroke-width="2"/>
</svg>
`;
}

/** Degrees by which the colours of a game are turned, -40 to 40. */
function turnOf(code: string): number {
  let sum = 7;
  for (const letter of code) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return (sum % 81) - 40;
}

function rays(paint: Paint, turn: number): string {
  const lines = Array.from({ length: 12 }, (_, at) => {
    const angle = ((at * 30 + turn) * Math.PI) / 180;
    const far = (by: number) => `${round(160 + 260 * Math.cos(angle + by))} ${round(116 + 260 * Math.sin(angle + by))}`;
    return `M160 116L${far(0)}L${far(0.16)}z`;
  });
  return `<path d="${lines.join('')}" fill="${paint.ink}" fill-opacity=".05"/>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
const at = (radius: number, degrees: number) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return `${round(radius * Math.cos(angle))} ${round(radius * Math.sin(angle))}`;
};

const RED = '#d64550';
const WHITE = '#fffdf6';
const BLACK = '#20242c';

const SUITS: Readonly<Record<string, string>> = {
  heart: 'M0 15C-25-3-14-19 0-7C14-19 25-3 0 15z',
  diamond: 'M0-17L13 0L0 17L-13 0z',
  spade: 'M0-17C-26 3-13 15-3 8L-6 17H6L3 8C13 15 26 3 0-17z',
  club: 'M0-17a8 8 0 0 1 7 12a8 8 0 1 1-4 13l3 9H-6l3-9a8 8 0 1 1-4-13a8 8 0 0 1 7-12z',
};

const card = (x: number, y: number, angle: number, suit: string, size = 1) => {
  const red = suit === 'heart' || suit === 'diamond';
  return `<g transform="translate(${x} ${y}) rotate(${angle}) scale(${size})"><rect x="-36" y="-50" width="72" height="100" rx="9" fill="${WHITE}" stroke="#0003" stroke-width="2"/><path d="${SUITS[suit]}" transform="scale(1.5)" fill="${red ? RED : BLACK}"/></g>`;
};

const back = (x: number, y: number, angle: number, colour: string) =>
  `<g transform="translate(${x} ${y}) rotate(${angle})"><rect x="-36" y="-50" width="72" height="100" rx="9" fill="${WHITE}"/><rect x="-29" y="-43" width="58" height="86" rx="5" fill="${colour}"/><path d="M-29-14L0-43L29-14M-29 14L0-15L29 14M-29 43L0 14L29 43" fill="none" stroke="${WHITE}" stroke-opacity=".5" stroke-width="4"/></g>`;

function wheel(slices: number, colours: readonly string[], paint: Paint): string {
  const step = 360 / slices;
  const parts = Array.from(
    { length: slices },
    (_, i) =>
      `<path d="M0 0L${at(80, i * step)}A80 80 0 0 1 ${at(80, (i + 1) * step)}z" fill="${colours[i % colours.length]}"/>`,
  );
  return `<circle r="90" fill="${paint.dark}"/><circle r="86" fill="none" stroke="${paint.glow}" stroke-width="4"/>${parts.join('')}`;
}

const reel = (x: number, inner: string) =>
  `<g transform="translate(${x} 0)"><rect x="-37" y="-62" width="74" height="124" rx="10" fill="${WHITE}"/><rect x="-37" y="-62" width="74" height="26" rx="10" fill="#0002"/><rect x="-37" y="36" width="74" height="26" rx="10" fill="#0002"/>${inner}</g>`;

const star = (radius: number, fill: string) => {
  const points = Array.from({ length: 10 }, (_, i) => at(i % 2 === 0 ? radius : radius * 0.45, i * 36));
  return `<path d="M${points.join('L')}z" fill="${fill}"/>`;
};

type Motif = (paint: Paint) => string;

const MOTIFS: Readonly<Record<Family, Motif>> = {
  'dragon-tiger': (p) =>
    `${card(-52, 2, -10, 'spade')}${card(52, 2, 10, 'heart')}<circle r="24" fill="${p.dark}" stroke="${p.glow}" stroke-width="4"/><path d="M-9-10L9 10M9-10L-9 10" stroke="${p.ink}" stroke-width="5"/>`,
  baccarat: () => `${card(-66, 8, -12, 'club')}${card(-14, -2, -2, 'diamond')}${back(56, 6, 12, '#23527c')}`,
  roulette: (p) =>
    `${wheel(18, [RED, BLACK], p)}<circle r="44" fill="${p.dark}"/><circle r="44" fill="none" stroke="${p.glow}" stroke-width="3"/><path d="M0-34V34M-34 0H34" stroke="${p.glow}" stroke-width="7"/><circle r="11" fill="${p.ink}"/><circle cx="46" cy="-42" r="9" fill="${WHITE}"/>`,
  poker: () =>
    [-76, -38, 0, 38, 76]
      .map((x, i) => card(x, Math.abs(x) / 5, x / 5, ['spade', 'heart', 'club', 'diamond', 'spade'][i]!, 0.95))
      .join(''),
  lucky7: (p) =>
    `<circle r="82" fill="${p.dark}" stroke="${p.glow}" stroke-width="6"/><path d="M-38-48H40V-30L4 52H-26L8-24H-38z" fill="${RED}" stroke="${WHITE}" stroke-width="5"/>`,
  'andar-bahar': () => `${back(-74, 8, -8, '#8a3b2a')}${card(0, -8, 0, 'heart', 1.1)}${back(74, 8, 8, '#23527c')}`,
  teenpatti: () =>
    `${card(-50, 6, -16, 'diamond', 1.1)}${card(0, -4, 0, 'spade', 1.1)}${card(50, 6, 16, 'heart', 1.1)}`,
  crash: (p) =>
    `<path d="M-110 72C-30 70 40 40 78-40" fill="none" stroke="${p.glow}" stroke-width="8"/><path d="M-110 72C-30 70 40 40 78-40V72z" fill="${p.glow}" fill-opacity=".18"/><circle cx="84" cy="-50" r="24" fill="#ffb84d"/><circle cx="90" cy="-56" r="12" fill="${WHITE}"/>`,
  aviator: (p) =>
    `<path d="M-118 66C-40 64 10 44 44 2" fill="none" stroke="${p.glow}" stroke-width="7" stroke-dasharray="2 16"/><g transform="translate(62 -22) rotate(-28) scale(1.5)"><path d="M-44 2C-20-12 26-12 44 0C26 11-20 12-44 2z" fill="${RED}"/><path d="M-8-2L-26-34H-12L14-4zM-4 5L-18 28H-6L14 6z" fill="#f4767f"/><path d="M-40 1L-54-17H-44L-30-3z" fill="#f4767f"/><path d="M18-8C28-8 34-4 38 0H16z" fill="${WHITE}"/></g>`,
  mines: (p) =>
    `<path d="M-58-30L0-78L58-30L0 78z" fill="#63e6be"/><path d="M-58-30H58M-58-30L-20-30L0-78L20-30L58-30M-20-30L0 78L20-30" fill="none" stroke="${p.dark}" stroke-opacity=".45" stroke-width="4"/><path d="M-58-30L0-78L-20-30z" fill="${WHITE}" fill-opacity=".55"/>`,
  slots: (p) =>
    reel(-82, `<g>${star(28, '#e0a020')}</g>`) +
    reel(0, `<path d="${SUITS.diamond}" transform="scale(1.7)" fill="#2f8fd8"/>`) +
    reel(82, `<path d="${SUITS.heart}" transform="scale(1.7)" fill="${RED}"/>`) +
    `<path d="M-126 0H126" stroke="${p.glow}" stroke-width="4" stroke-opacity=".8"/>`,
  colour: () =>
    `<circle cx="-44" cy="22" r="46" fill="#35c46b"/><circle cx="44" cy="22" r="46" fill="${RED}"/><circle cy="-40" r="46" fill="#8f6bff"/><g font-family="sans-serif" font-weight="700" font-size="44" text-anchor="middle" fill="${WHITE}"><text x="-44" y="38">7</text><text x="44" y="38">2</text><text y="-24">5</text></g>`,
  'game-show': (p) =>
    `${wheel(16, ['#f2b632', '#4aa8ff', '#8f6bff', '#35c46b'], p)}<circle r="24" fill="${p.dark}"/>${star(18, p.ink)}<path d="M-14-104H14L0-74z" fill="${WHITE}"/>`,
  chicken: () =>
    `<path d="M-120 62H120" stroke="#ffffff55" stroke-width="6" stroke-dasharray="26 18"/><path d="M-52-6C-58 46 54 62 58 0C40 10 30-6 26-26C22-62-22-60-24-26C-26-4-44-16-52-6z" fill="${WHITE}"/><path d="M-14-56C-18-74 0-72 0-62C4-76 20-70 14-54z" fill="${RED}"/><path d="M26-34L48-26L26-18z" fill="#f2a33c"/><circle cx="8" cy="-34" r="5" fill="${BLACK}"/><path d="M-8 42V64M18 42V64" stroke="#f2a33c" stroke-width="7"/><path d="M-24 2C-10 26 18 22 26 4" fill="none" stroke="#d8d2c0" stroke-width="5"/>`,
  fun: (p) =>
    `<g transform="translate(-38 8) rotate(-12)">${die(p, [1, 5, 9])}</g><g transform="translate(46 -6) rotate(14)">${die(p, [1, 3, 5, 7, 9])}</g>`,
};

/** Games whose family says too little. */
const OWN: Readonly<Record<string, Motif>> = {
  plinko: (p) => {
    const pegs: string[] = [];
    for (let row = 0; row < 5; row++)
      for (let i = 0; i <= row + 1; i++)
        pegs.push(`<circle cx="${(i - (row + 1) / 2) * 34}" cy="${-70 + row * 30}" r="6" fill="${p.ink}"/>`);
    const colours = [RED, '#f2a33c', '#f2d34c', '#f2d34c', '#f2a33c', RED];
    const slots = colours.map(
      (colour, i) => `<rect x="${-100 + i * 34}" y="74" width="29" height="20" rx="5" fill="${colour}"/>`,
    );
    return `${pegs.join('')}${slots.join('')}<circle cx="17" cy="-12" r="13" fill="${p.glow}" stroke="${WHITE}" stroke-width="3"/>`;
  },
  keno: (p) =>
    Array.from({ length: 15 }, (_, i) => {
      const hit = [1, 7, 8, 12].includes(i);
      return `<circle cx="${((i % 5) - 2) * 46}" cy="${(Math.floor(i / 5) - 1) * 50}" r="20" fill="${hit ? p.glow : WHITE}" fill-opacity="${hit ? 1 : 0.85}"/><circle cx="${((i % 5) - 2) * 46}" cy="${(Math.floor(i / 5) - 1) * 50}" r="11" fill="${p.dark}" fill-opacity="${hit ? 0.9 : 0.25}"/>`;
    }).join(''),
  'hi-lo': (p) =>
    `${card(0, 0, 0, 'heart', 1.25)}<path d="M-98 24V-22M-118-6L-98-28L-78-6" fill="none" stroke="#5be08a" stroke-width="10"/><path d="M98-24V22M78 6L98 28L118 6" fill="none" stroke="${p.glow}" stroke-width="10"/>`,
  blackjack: () => `${card(-34, 6, -10, 'spade', 1.3)}${card(36, 0, 10, 'diamond', 1.3)}`,
  'number-drop': (p) =>
    Array.from({ length: 5 }, (_, i) => {
      const x = (i - 2) * 50;
      const y = [-10, -46, 24, -60, 8][i]!;
      const colour = ['#f2b632', '#4aa8ff', '#35c46b', RED, '#8f6bff'][i];
      return `<path d="M${x} -104V${y - 26}" stroke="${p.ink}" stroke-opacity=".35" stroke-width="5" stroke-dasharray="3 12"/><circle cx="${x}" cy="${y}" r="25" fill="${colour}"/><circle cx="${x}" cy="${y}" r="14" fill="${WHITE}"/>`;
    })
      .concat(`<path d="M-128 84H128" stroke="${p.glow}" stroke-width="8"/>`)
      .join(''),
  'slots-lines': (p) =>
    reel(-82, cherry) +
    reel(0, cherry) +
    reel(82, `<g>${star(28, '#e0a020')}</g>`) +
    `<path d="M-126 30L-40 0H40L126-30" fill="none" stroke="${p.glow}" stroke-width="6"/>`,
  'slots-cluster': () =>
    Array.from({ length: 15 }, (_, i) => {
      const colour = ['#35c46b', '#4aa8ff', '#f2b632'][[0, 1, 2, 0, 1, 2, 0, 0, 0, 2, 1, 0, 2, 1, 1][i]!];
      return `<rect x="${((i % 5) - 2) * 48 - 20}" y="${(Math.floor(i / 5) - 1) * 52 - 22}" width="42" height="44" rx="14" fill="${colour}" stroke="${WHITE}" stroke-width="3"/>`;
    }).join(''),
};

const cherry = `<path d="M-12 14C-8-10 6-22 22-28C14-16 14 0 14 10" fill="none" stroke="#3c9c4f" stroke-width="5"/><circle cx="-13" cy="18" r="14" fill="${RED}"/><circle cx="15" cy="16" r="14" fill="#b93545"/>`;

function die(paint: Paint, pips: readonly number[]): string {
  const spots = pips.map(
    (pip) =>
      `<circle cx="${(((pip - 1) % 3) - 1) * 24}" cy="${(Math.floor((pip - 1) / 3) - 1) * 24}" r="8" fill="${paint.dark}"/>`,
  );
  return `<rect x="-44" y="-44" width="88" height="88" rx="18" fill="${WHITE}"/>${spots.join('')}`;
}
