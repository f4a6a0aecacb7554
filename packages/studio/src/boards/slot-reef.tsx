/** Drawings of Lantern Reef, each in a box of 100 by 100. */
import type { ReactNode } from 'react';

const ribbon = (text: string, fill: string, ink: string) => (
  <g>
    <path d="M14 77H86L80 86 86 95H14L20 86Z" fill={fill} />
    <text x="50" y="91" textAnchor="middle" fontSize="15" fontWeight="800" letterSpacing="1" fill={ink}>
      {text}
    </text>
  </g>
);

export const reefDefs: ReactNode = (
  <>
    <radialGradient id="paint-reef-glow">
      <stop offset="0" stopColor="#fff6c4" />
      <stop offset=".35" stopColor="#ffe27a" stopOpacity=".75" />
      <stop offset="1" stopColor="#ffe27a" stopOpacity="0" />
    </radialGradient>
    <radialGradient id="paint-reef-pearl" cx=".36" cy=".3" r=".8">
      <stop offset="0" stopColor="#ffffff" />
      <stop offset=".5" stopColor="#f5e6f0" />
      <stop offset="1" stopColor="#b99cc4" />
    </radialGradient>
    <linearGradient id="paint-reef-jelly" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stopColor="#ffc1e6" />
      <stop offset="1" stopColor="#d668b4" />
    </linearGradient>
    <radialGradient id="paint-reef-drop" cx=".35" cy=".3" r=".9">
      <stop offset="0" stopColor="#e8fbff" />
      <stop offset=".4" stopColor="#7fd6f2" />
      <stop offset="1" stopColor="#1f7fb0" />
    </radialGradient>
  </>
);

export const reefArt: Readonly<Record<string, ReactNode>> = {
  lantern: (
    <>
      <circle cx="52" cy="19" r="22" fill="url(#paint-reef-glow)" />
      <path d="M36 44C33 27 41 18 51 19" fill="none" stroke="#8ea3d8" strokeWidth="4" strokeLinecap="round" />
      <circle cx="52" cy="19" r="7.5" fill="#fff4b8" />
      <path
        d="M10 55C10 39 26 29 45 29c17 0 29 8 33 18l14-8c2 10 2 23 0 33l-14-9c-4 10-16 18-33 18C26 81 10 71 10 55Z"
        fill="#4a4fb0"
      />
      <path d="M12 60c12 8 44 9 66 2-4 11-17 19-33 19C27 81 15 72 12 60Z" fill="#6d74dd" />
      <path d="M12 57c11 6 27 6 38 0" fill="none" stroke="#191b4d" strokeWidth="4.5" strokeLinecap="round" />
      <path d="M17 60l3.5 7 3.5-6 4 6.5 4-6 3.5 5.5 3.5-6.5Z" fill="#fff" />
      <circle cx="34" cy="44" r="7.5" fill="#fff" />
      <circle cx="33" cy="45" r="4" fill="#191b4d" />
      <path d="M54 53c9-4 16 0 16 7-7 4-14 2-16-7Z" fill="#363a8c" />
      {ribbon('WILD', '#ffd95e', '#2a1d02')}
    </>
  ),
  pearl: (
    <>
      <path d="M50 8c24 0 40 15 40 34 0 8-4 14-9 18H19c-5-4-9-10-9-18C10 23 26 8 50 8Z" fill="#e58aa9" />
      <path
        d="M50 9v50M34 12l6 47M66 12l-6 47M20 22l12 37M80 22L68 59"
        fill="none"
        stroke="#b95a7e"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <ellipse cx="50" cy="62" rx="36" ry="15" fill="#8c3b60" />
      <circle cx="50" cy="53" r="17" fill="url(#paint-reef-pearl)" />
      <path d="M12 60c6 8 20 13 38 13s32-5 38-13c1 12-12 24-38 24S11 72 12 60Z" fill="#f3a9c0" />
      {ribbon('FREE', '#fdf3f8', '#5e1d3d')}
    </>
  ),
  jelly: (
    <>
      <path
        d="M28 52c-6 14 6 20 0 36M42 54c-5 14 6 22 1 38M58 54c5 14-6 22-1 38M72 52c6 14-6 20 0 36"
        fill="none"
        stroke="#ef9ad2"
        strokeWidth="5.5"
        strokeLinecap="round"
      />
      <path
        d="M50 8c24 0 36 18 36 38 0 7-5 10-11 8-5-2-8-2-12 1-5 4-8 4-13 0-5 4-8 4-13 0-4-3-7-3-12-1-6 2-11-1-11-8C14 26 26 8 50 8Z"
        fill="url(#paint-reef-jelly)"
      />
      <path d="M27 34c2-9 8-15 17-17" fill="none" stroke="#fff" strokeWidth="5" strokeLinecap="round" opacity=".75" />
      <circle cx="40" cy="40" r="4" fill="#5d1749" />
      <circle cx="60" cy="40" r="4" fill="#5d1749" />
      <path d="M44 47c4 3 8 3 12 0" fill="none" stroke="#5d1749" strokeWidth="3" strokeLinecap="round" />
    </>
  ),
  turtle: (
    <>
      <path
        d="M28 34C16 22 8 22 5 30c2 10 12 16 22 14ZM72 34c12-12 20-12 23-4-2 10-12 16-22 14ZM31 70c-9 6-11 15-6 20 8 0 14-7 15-15ZM69 70c9 6 11 15 6 20-8 0-14-7-15-15Z"
        fill="#7cc48b"
      />
      <path d="M50 4c9 0 13 7 13 14 0 6-5 11-13 11s-13-5-13-11C37 11 41 4 50 4Z" fill="#8fd49c" />
      <circle cx="44.5" cy="14" r="2.5" fill="#153824" />
      <circle cx="55.5" cy="14" r="2.5" fill="#153824" />
      <ellipse cx="50" cy="55" rx="30" ry="34" fill="#2f7d55" />
      <ellipse cx="50" cy="54" rx="25" ry="29" fill="#3f9a69" />
      <path
        d="M50 38l13 8v16l-13 8-13-8V46ZM50 38V25M63 46l11-6M63 62l11 7M50 70v13M37 62l-11 7M37 46l-11-6"
        fill="#57b683"
        stroke="#226344"
        strokeWidth="3"
        strokeLinejoin="round"
      />
    </>
  ),
  fish: (
    <>
      <path d="M68 50L94 26c3 16 3 32 0 48Z" fill="#e8742c" />
      <path d="M30 26c10-14 26-16 36-8l-6 14ZM34 76c8 10 20 12 28 6l-4-12Z" fill="#d9611f" />
      <path d="M6 51C12 32 28 22 46 22c18 0 30 14 34 28-4 16-16 30-34 30C28 80 12 70 6 51Z" fill="#f8913d" />
      <path
        d="M30 25c8 16 8 36 0 52 5 2 9 3 14 3 6-18 6-40 0-58-5 0-10 1-14 3ZM62 27c6 14 6 32 0 47 4-2 8-6 11-11 2-9 2-17 0-26-3-4-7-8-11-10Z"
        fill="#fff7ec"
      />
      <circle cx="20" cy="44" r="5.5" fill="#fff" />
      <circle cx="19" cy="45" r="3" fill="#2a1204" />
      <path d="M8 56c5 3 9 3 12 1" fill="none" stroke="#8f3a0d" strokeWidth="3" strokeLinecap="round" />
    </>
  ),
  star: (
    <>
      <path
        d="M50 7c5 0 7 5 9 13l4 12 16-1c9 0 15 1 16 6s-4 8-10 12L72 58l6 15c3 8 5 14 1 17s-9 0-15-5L50 74 36 85c-6 5-11 8-15 5s-2-9 1-17l6-15-13-9C9 45 4 42 5 37s7-6 16-6l16 1 4-12c2-8 4-13 9-13Z"
        fill="#f25f6b"
      />
      <path d="M50 17l6 22 22-2-17 13 8 22-19-13-19 13 8-22-17-13 22 2Z" fill="#ff8a86" />
      <g fill="#ffd0c4">
        <circle cx="50" cy="49" r="5" />
        <circle cx="50" cy="31" r="3.5" />
        <circle cx="67" cy="44" r="3.5" />
        <circle cx="61" cy="63" r="3.5" />
        <circle cx="39" cy="63" r="3.5" />
        <circle cx="33" cy="44" r="3.5" />
      </g>
    </>
  ),
  shell: (
    <>
      <path d="M50 10c24 0 40 18 40 38 0 12-14 24-26 32H36C24 72 10 60 10 48 10 28 26 10 50 10Z" fill="#f4c59a" />
      <path
        d="M50 12v66M33 15l9 63M67 15l-9 63M18 28l18 50M82 28L64 78"
        fill="none"
        stroke="#c98a58"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path d="M34 78h32l6 12H28Z" fill="#dba06c" />
    </>
  ),
  coral: (
    <>
      <path
        d="M50 90V52M50 66L30 50V28M30 42L16 32V20M50 58l20-14V22M70 38l14-8V18M50 52V14"
        fill="none"
        stroke="#c2417f"
        strokeWidth="12"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="M50 88V52M50 66L30 50V28M30 42L16 32V20M50 58l20-14V22M70 38l14-8V18M50 52V14"
        fill="none"
        stroke="#ee7bb0"
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <ellipse cx="50" cy="92" rx="26" ry="5" fill="#c2417f" />
    </>
  ),
  anchor: (
    <>
      <g fill="none" stroke="#7489a3" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="50" cy="18" r="9" strokeWidth="7" />
        <path d="M50 28v58M32 40h36M14 58c2 18 16 29 36 29s34-11 36-29" strokeWidth="9" />
      </g>
      <path d="M14 46L4 66l20-2ZM86 46l10 20-20-2Z" fill="#7489a3" />
      <path d="M47 30v52M34 38h12" fill="none" stroke="#c7d5e4" strokeWidth="2.5" strokeLinecap="round" />
    </>
  ),
  drop: (
    <>
      <path d="M50 8c14 20 28 34 28 52a28 28 0 0 1-56 0C22 42 36 28 50 8Z" fill="url(#paint-reef-drop)" />
      <path d="M33 58c0 9 5 16 13 18" fill="none" stroke="#fff" strokeWidth="5" strokeLinecap="round" opacity=".8" />
    </>
  ),
};
