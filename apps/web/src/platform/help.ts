/** The two organisations that help with gambling problems, free and in private (FTR-11, OPN-56). */
export const HELP_ORGANISATIONS = [
  { name: 'Gambling Therapy', url: 'https://www.gamblingtherapy.org' },
  { name: 'GamCare', url: 'https://www.gamcare.org.uk' },
] as const;
