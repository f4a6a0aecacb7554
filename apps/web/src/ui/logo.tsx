import { cx } from './cx.ts';
import { useTheme } from './theme.ts';
import css from './header.module.css';

const WIDTH = { sm: 20, md: 24, lg: 38 } as const;

/** The mark and the wordmark. `onTurf` keeps the dark-theme bars, as on the green of the login page. */
export function Logo({ size = 'md', onTurf = false }: { size?: keyof typeof WIDTH; onTurf?: boolean }) {
  const theme = useTheme();
  const width = WIDTH[size];
  return (
    <span className={cx(css.logo, size === 'lg' && css.logoLarge)}>
      <img
        className={css.logoMark}
        src={onTurf || theme === 'dark' ? '/mark-dark.svg' : '/mark-light.svg'}
        width={width}
        height={Math.round((width * 20) / 26)}
        alt="fairGame"
      />
      <span aria-hidden="true">
        fair<b>Game</b>
      </span>
    </span>
  );
}
