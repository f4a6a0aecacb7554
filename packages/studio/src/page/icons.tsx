import ownBetsCss from './own-bets.module.css';
import css from './page.module.css';

/** Drawings of the buttons of the top line; decorative, the buttons carry the words. */
const PATHS = {
  sound: 'M4 9.5h3l4.5-4v13L7 14.5H4ZM15 9a4 4 0 0 1 0 6M17.5 6.5a7.5 7.5 0 0 1 0 11',
  silent: 'M4 9.5h3l4.5-4v13L7 14.5H4ZM15.5 9.5l5 5M20.5 9.5l-5 5',
  rules:
    'M4 5.5c3-1.2 5.500-.8 8 1 2.500-1.800 5-2.200 8-1v13c-3-1.200-5.500-.8-8 1-2.500-1.800-5-2.200-8-1ZM12 6.500v13',
  fair: 'M12 3.500l7.500 2.500v5.500c0 4.500-3 7.500-7.500 9-4.500-1.500-7.500-4.500-7.500-9V6ZM8.500 12l2.500 2.500 4.500-5',
  history: 'M4 12a8 8 0 1 1 2.500 5.800M4 12v5.500M4 17.500h5M12 7.500V12l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M14 6l-6 6 6 6',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  pause: 'M8 6v12M16 6v12',
  clock: 'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17ZM12 7.500V12l3 2',
  info: 'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17ZM12 11v5M12 8v.1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The two studios' marks: an alder leaf, and a light over the sea. */
export function Mark({ look }: { look: 'a' | 'b' }) {
  return look === 'a' ? (
    <svg className={ownBetsCss.mark} viewBox="0 0 24 24" aria-hidden="true">
      <path
        className={css.markFill}
        d="M12 2.500c5.500 2 8 5.500 8 9.500 0 4.500-3.500 7.500-8 7.500S4 16.500 4 12c0-4 2.500-7.500 8-9.500Z"
      />
      <path className={css.markCut} d="M12 7v14.500M12 12l4-2.500M12 12L8 9.500M12 16l4-2.500M12 16l-4-2.500" />
    </svg>
  ) : (
    <svg className={ownBetsCss.mark} viewBox="0 0 24 24" aria-hidden="true">
      <path className={css.markFill} d="M9.500 9h5l1.500 12H8Z" />
      <path className={css.markFill} d="M9 4.500h6V8H9Z" />
      <path
        className={css.markLine}
        d="M17.500 5.500l4-1.500M17.500 7.500l4 1.500M6.500 5.500l-4-1.500M6.500 7.500l-4 1.500"
      />
    </svg>
  );
}
