/** Suit shapes on a 24 by 24 field, as on the playing cards: never a font's glyphs. */
export const SUIT_PATHS = {
  S: 'M12 2C12 2 3.2 9 3.2 14a4.3 4.3 0 0 0 7.4 3c-.1 2-.9 3.7-2.1 5h7c-1.2-1.3-2-3-2.1-5a4.3 4.3 0 0 0 7.4-3C20.8 9 12 2 12 2Z',
  H: 'M12 21.5S3 14.6 3 8.7A4.9 4.9 0 0 1 12 6a4.9 4.9 0 0 1 9 2.7C21 14.6 12 21.5 12 21.5Z',
  D: 'M12 1.8L19.6 12 12 22.2 4.4 12Z',
  C: 'M12 2a4.4 4.4 0 0 0-3.9 6.5 4.4 4.4 0 1 0 2.6 7.9c-.2 2.2-1 4.1-2.2 5.6h7c-1.2-1.5-2-3.4-2.2-5.6a4.4 4.4 0 1 0 2.6-7.9A4.4 4.4 0 0 0 12 2Z',
} as const;
export type SuitLetter = keyof typeof SUIT_PATHS;
