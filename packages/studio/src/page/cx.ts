/** The names of classes that are there, as one: `cx(css.tile, open && 'is-open')`. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
