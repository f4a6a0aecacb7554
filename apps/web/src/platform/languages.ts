/** The languages of the client, each by its own name. English is the source of all messages. */
export const LANGUAGES = {
  en: 'English',
  hi: 'हिन्दी',
  bn: 'বাংলা',
  ta: 'தமிழ்',
  te: 'తెలుగు',
  mr: 'मराठी',
  'pt-BR': 'Português (Brasil)',
  es: 'Español',
  ur: 'اردو',
} as const;
type Chosen = keyof typeof LANGUAGES;

/** Which of them players may choose: those that `npm run languages` calls whole. With English alone there is no choice to see. */
export const OFFERED: readonly Chosen[] = ['en'];

/** `en-XA`: English with accents, and longer, by which tests of layout find what is not translated. Nobody can choose it. */
export type Language = Chosen | 'en-XA';
export const isLanguage = (text: string | null): text is Language =>
  text === 'en-XA' || (text !== null && Object.hasOwn(LANGUAGES, text));
