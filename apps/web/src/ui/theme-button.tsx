import { t } from '@lingui/core/macro';
import { IconButton } from './button.tsx';
import { IconSunMoon } from './icons.ts';
import { toggleTheme, useTheme } from './theme.ts';

/** Dark or light. */
export function ThemeButton({ className }: { className?: string }) {
  const theme = useTheme();
  return (
    <IconButton
      icon={IconSunMoon}
      size={19}
      label={theme === 'dark' ? t`Switch to the light theme` : t`Switch to the dark theme`}
      className={className ?? ''}
      onClick={toggleTheme}
    />
  );
}
