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
export type Chosen = keyof typeof LANGUAGES;

/** `en-XA`: English with accents, and longer, by which tests of layout find what is not translated. Nobody can choose it. */
export type Language = Chosen | 'en-XA';
