/** The names of classes that are there, as one: `cx('tile', open && 'is-open', className)`. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
