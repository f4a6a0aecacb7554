/** Markets and runners that every feed names alike. All others keep the name that came: nobody translates a team. */
export const FEED_NAMES = [
  'Match Odds',
  'Bookmaker',
  'The Draw',
  'Win',
  'Winner',
  'To Be Placed',
  'Correct Score',
  'Both Teams To Score',
  'Tied Match',
  'Completed Match',
  'Odd',
  'Even',
] as const;
