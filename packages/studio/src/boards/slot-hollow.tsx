/** Stones of Quartz Hollow, each of its own cut, in a box of 100 by 100. */
import type { ReactNode } from 'react';

/** A stone of facets: the outline in the middle tone, light and dark facets over it, a glint. */
const stone = (outline: string, tones: readonly [string, string, string], light: string, dark: string) => (
  <>
    <path d={outline} fill={tones[1]} stroke={tones[2]} strokeWidth="2.5" strokeLinejoin="round" />
    <path d={light} fill={tones[0]} />
    <path d={dark} fill={tones[2]} opacity=".75" />
  </>
);

export const hollowArt: Readonly<Record<string, ReactNode>> = {
  // Octagon.
  ruby: (
    <>
      {stone(
        'M33 8H67L92 33V67L67 92H33L8 67V33Z',
        ['#ff8d8d', '#e23b4c', '#9c1730'],
        'M33 8H67L60 26H40L26 40 8 33Z',
        'M92 67L67 92H33L40 74H60L74 60Z',
      )}
      <path d="M40 26H60L74 40V60L60 74H40L26 60V40Z" fill="#ef5562" />
      <path d="M40 26H60L50 50ZM26 40L40 26 50 50Z" fill="#ffb3ae" opacity=".8" />
    </>
  ),
  // Triangle.
  topaz: (
    <>
      {stone(
        'M50 8L94 84 88 90H12L6 84Z',
        ['#ffe9a0', '#f5b53a', '#b8761a'],
        'M50 8L50 34 28 74 6 84Z',
        'M12 90H88L72 74H28Z',
      )}
      <path d="M50 34L72 74H28Z" fill="#ffd268" />
      <path d="M50 34L50 62 28 74Z" fill="#fff2c2" opacity=".85" />
    </>
  ),
  // Step-cut rectangle.
  emerald: (
    <>
      {stone(
        'M28 8H72L84 20V80L72 92H28L16 80V20Z',
        ['#9ff0b8', '#2fb163', '#11703b'],
        'M28 8H72L64 22H36L30 28V72L16 80V20Z',
        'M84 80L72 92H28L36 78H64L70 72V28L84 20Z',
      )}
      <path d="M36 22H64L70 28V72L64 78H36L30 72V28Z" fill="#45c97a" />
      <path d="M38 30H50L38 62Z" fill="#c9f8d6" opacity=".85" />
    </>
  ),
  // Round.
  sapphire: (
    <>
      <circle cx="50" cy="50" r="43" fill="#2f6fd8" stroke="#173f94" strokeWidth="2.5" />
      <path d="M50 7a43 43 0 0 0-43 43l20 0 23-23Z" fill="#8fbcff" />
      <path d="M93 50a43 43 0 0 1-43 43V73l23-23Z" fill="#173f94" opacity=".75" />
      <path d="M50 25L68 32 75 50 68 68 50 75 32 68 25 50 32 32Z" fill="#4b8cf0" />
      <path d="M50 25L50 50 32 32ZM32 32L50 50H25Z" fill="#cfe2ff" opacity=".85" />
    </>
  ),
  // Upright rhomb.
  amethyst: (
    <>
      {stone(
        'M50 4L88 50 50 96 12 50Z',
        ['#e0bcff', '#9a55d8', '#5d2794'],
        'M50 4L50 26 30 50H12Z',
        'M88 50L50 96V74L70 50Z',
      )}
      <path d="M50 26L70 50 50 74 30 50Z" fill="#b275ea" />
      <path d="M50 26V50H30Z" fill="#f0ddff" opacity=".85" />
    </>
  ),
  // Two crystals.
  quartz: (
    <>
      <path d="M60 30L74 20 90 36V88H60Z" fill="#9db4be" stroke="#5c7480" strokeWidth="2.5" strokeLinejoin="round" />
      <path d="M74 20L76 38V88H60V30Z" fill="#c3d6de" />
      <path d="M14 34L40 6 66 34V92H14Z" fill="#b7cdd6" stroke="#5c7480" strokeWidth="2.5" strokeLinejoin="round" />
      <path d="M14 34L40 6 32 38V92H14Z" fill="#eef7fa" />
      <path d="M66 34L40 6 50 38V92H66Z" fill="#8ba5b1" />
    </>
  ),
};
