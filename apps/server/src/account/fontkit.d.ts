/** What the yearly statement takes of it. */
declare module 'fontkit' {
  export interface Shaped {
    glyphs: ReadonlyArray<{ path: { toSVG(): string } }>;
    positions: ReadonlyArray<{ xAdvance: number; xOffset: number; yOffset: number }>;
    advanceWidth: number;
  }
  export interface Font {
    unitsPerEm: number;
    /** `features`: of the font, by their tags. */
    layout(text: string, features?: Readonly<Record<string, boolean>>): Shaped;
  }
  export function openSync(path: string): Font;
}
