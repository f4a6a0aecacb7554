import type { Chosen } from './languages.ts';

/** The languages players may choose: those that `npm run languages` calls whole. With English alone there is no choice to see. */
export const OFFERED: readonly Chosen[] = ['en', 'hi', 'bn', 'ta', 'te', 'mr', 'pt-BR', 'es', 'ur'];
