/** Drawings of Orchard Row, each in a box of 100 by 100. */
import type { ReactNode } from 'react';

const ribbon = (text: string, fill: string, ink: string) => (
  <g>
    <path d="M14 77H86L80 86 86 95H14L20 86Z" fill={fill} />
    <text x="50" y="91" textAnchor="middle" fontSize="15" fontWeight="800" letterSpacing="1" fill={ink}>
      {text}
    </text>
  </g>
);
const RAYS = Array.from({ length: 12 }, (_, i) => i * 30);
const shine = (d: string) => (
  <path d={d} fill="none" stroke="#fff" strokeWidth="5" strokeLinecap="round" opacity=".6" />
);

export const orchardDefs: ReactNode = (
  <>
    <radialGradient id="paint-orchard-sun" cx=".4" cy=".35" r=".8">
      <stop offset="0" stopColor="#fff3a8" />
      <stop offset=".55" stopColor="#ffcf3f" />
      <stop offset="1" stopColor="#f29a1a" />
    </radialGradient>
    <radialGradient id="paint-orchard-apple" cx=".35" cy=".3" r=".9">
      <stop offset="0" stopColor="#ff7a6b" />
      <stop offset=".6" stopColor="#d92b2f" />
      <stop offset="1" stopColor="#9c1220" />
    </radialGradient>
    <radialGradient id="paint-orchard-pear" cx=".35" cy=".45" r=".8">
      <stop offset="0" stopColor="#eaf08a" />
      <stop offset=".7" stopColor="#a9c43c" />
      <stop offset="1" stopColor="#6f8f22" />
    </radialGradient>
    <radialGradient id="paint-orchard-plum" cx=".35" cy=".3" r=".9">
      <stop offset="0" stopColor="#b58cf0" />
      <stop offset=".6" stopColor="#6d3fb5" />
      <stop offset="1" stopColor="#41217c" />
    </radialGradient>
    <radialGradient id="paint-orchard-lemon" cx=".35" cy=".3" r=".9">
      <stop offset="0" stopColor="#fff6a3" />
      <stop offset=".6" stopColor="#fbd93a" />
      <stop offset="1" stopColor="#d9a512" />
    </radialGradient>
  </>
);

export const orchardArt: Readonly<Record<string, ReactNode>> = {
  sun: (
    <>
      <g fill="#f7a823">
        {RAYS.map((turn) => (
          <path key={turn} d="M50 2l5 14H45Z" transform={`rotate(${turn} 50 42)`} />
        ))}
      </g>
      <circle cx="50" cy="42" r="25" fill="url(#paint-orchard-sun)" />
      <circle cx="42" cy="39" r="3" fill="#7a4300" />
      <circle cx="58" cy="39" r="3" fill="#7a4300" />
      <path d="M41 48c5 5 13 5 18 0" fill="none" stroke="#7a4300" strokeWidth="3.5" strokeLinecap="round" />
      {ribbon('WILD', '#c5391f', '#fff7e6')}
    </>
  ),
  basket: (
    <>
      <path d="M18 46C18 18 82 18 82 46" fill="none" stroke="#8a5327" strokeWidth="6" />
      <circle cx="36" cy="40" r="12" fill="#d92b2f" />
      <circle cx="62" cy="40" r="12" fill="#a9c43c" />
      <circle cx="49" cy="36" r="12" fill="#fbd93a" />
      <path d="M10 44h80l-9 40H19Z" fill="#c98845" />
      <path
        d="M12 54h76M14 64h72M17 74h66M26 45l5 38M42 45l3 38M58 45l-3 38M74 45l-5 38"
        fill="none"
        stroke="#8a5327"
        strokeWidth="3"
      />
      {ribbon('FREE', '#fff3d8', '#5b3210')}
    </>
  ),
  apple: (
    <>
      <path d="M50 30c-2-9 0-16 5-22" fill="none" stroke="#6b4420" strokeWidth="5" strokeLinecap="round" />
      <path d="M55 20c6-12 20-14 28-11-3 11-15 17-28 11Z" fill="#5aa53f" />
      <path
        d="M50 31c8-7 22-9 31-1 10 9 9 28 2 41-6 11-13 20-22 20-5 0-7-3-11-3s-6 3-11 3c-9 0-16-9-22-20-7-13-8-32 2-41 9-8 23-6 31 1Z"
        fill="url(#paint-orchard-apple)"
      />
      {shine('M24 48c1-6 5-10 10-11')}
    </>
  ),
  pear: (
    <>
      <path d="M52 22c-1-6 1-12 6-17" fill="none" stroke="#6b4420" strokeWidth="5" strokeLinecap="round" />
      <path d="M56 16c8-9 19-9 26-5-4 9-15 12-26 5Z" fill="#5aa53f" />
      <path
        d="M51 18c11 0 15 9 16 19 2 13 17 18 17 35 0 14-14 21-33 21s-34-7-34-21c0-17 16-22 18-35 1-10 5-19 16-19Z"
        fill="url(#paint-orchard-pear)"
      />
      {shine('M28 68c1-7 5-12 10-15')}
    </>
  ),
  plum: (
    <>
      <path d="M54 20c-1-5 1-10 5-14" fill="none" stroke="#6b4420" strokeWidth="5" strokeLinecap="round" />
      <path d="M52 20c-8-10-20-11-28-8 4 10 16 14 28 8Z" fill="#5aa53f" />
      <path d="M54 18c22-2 36 15 36 37S73 93 51 93 10 78 10 55s22-39 44-37Z" fill="url(#paint-orchard-plum)" />
      <path d="M55 20c-9 20-9 50-2 72" fill="none" stroke="#35196a" strokeWidth="3.5" strokeLinecap="round" />
      {shine('M22 52c1-9 7-16 15-19')}
    </>
  ),
  cherry: (
    <>
      <path
        d="M32 62C34 40 46 22 66 10 64 34 66 46 70 58"
        fill="none"
        stroke="#4d8a34"
        strokeWidth="4.5"
        strokeLinecap="round"
      />
      <path d="M66 10c10-4 22-1 27 6-9 7-22 5-27-6Z" fill="#5aa53f" />
      <circle cx="30" cy="73" r="19" fill="#c41f3a" />
      <circle cx="71" cy="69" r="19" fill="#dc2f48" />
      {shine('M20 70c1-5 4-8 8-9')}
      {shine('M61 66c1-5 4-8 8-9')}
    </>
  ),
  quince: (
    <>
      <path d="M70 22c4-9 13-13 22-12-1 10-9 17-19 16Z" fill="#5aa53f" />
      <path
        d="M9 78c-4 6 2 12 8 8 12 7 36 8 53-9s17-40 10-52c4-6-2-12-8-8C60 10 36 9 19 26S2 66 9 78Z"
        fill="url(#paint-orchard-lemon)"
      />
      {shine('M22 50c3-9 10-17 19-20')}
    </>
  ),
  leaf: (
    <>
      <path d="M14 88C8 46 32 12 88 10c2 54-30 82-74 78Z" fill="#4f9f4a" />
      <path d="M14 88C8 46 32 12 88 10 62 34 38 60 14 88Z" fill="#6dbb5d" />
      <path
        d="M10 93C32 62 56 38 80 18M36 63V40M36 63h24M54 45V27M54 45h20"
        fill="none"
        stroke="#2e6b33"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
    </>
  ),
  acorn: (
    <>
      <path d="M50 16V5" stroke="#5f3b19" strokeWidth="6" strokeLinecap="round" />
      <path d="M20 44h60c0 24-12 40-30 51C32 84 20 68 20 44Z" fill="#d39a4c" />
      <path d="M30 52c1 14 6 24 14 32" fill="none" stroke="#f2cd8d" strokeWidth="5" strokeLinecap="round" />
      <path d="M12 44c0-18 16-30 38-30s38 12 38 30c0 5-4 6-8 6H20c-4 0-8-1-8-6Z" fill="#7f5226" />
      <path
        d="M20 36l12-12M30 44l22-26M46 46l22-25M62 46l14-16M80 36L68 24M70 44L48 18M54 46L32 21M38 46L24 30"
        fill="none"
        stroke="#5f3b19"
        strokeWidth="2.5"
      />
    </>
  ),
  mushroom: (
    <>
      <path d="M38 52h24c0 16 2 26 6 36 1 4-8 6-18 6s-19-2-18-6c4-10 6-20 6-36Z" fill="#f3e6cf" />
      <path d="M38 54h24l1 8c-8 4-18 4-26 0Z" fill="#d8c3a0" />
      <path d="M50 10c26 0 42 18 42 36 0 7-8 10-42 10S8 53 8 46c0-18 16-36 42-36Z" fill="#c8452f" />
      <g fill="#fff2df">
        <ellipse cx="34" cy="28" rx="8" ry="6.5" />
        <ellipse cx="62" cy="24" rx="6" ry="5" />
        <ellipse cx="74" cy="40" rx="7" ry="6" />
        <ellipse cx="50" cy="43" rx="7" ry="5.5" />
        <ellipse cx="22" cy="44" rx="5" ry="4.5" />
      </g>
    </>
  ),
};
