import type { ReactNode } from 'react';
import { Link } from '../platform/routing.tsx';
import { buttonClass, type Look } from './button.tsx';
import { Icon } from './icon.tsx';

/** A link that looks like a button. */
export function LinkButton({ to, icon, children, ...look }: Look & { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={buttonClass(look)}>
      {icon && <Icon of={icon} size={16} />}
      {children}
    </Link>
  );
}
