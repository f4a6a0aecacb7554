import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import css from '../ui/auth.module.css';

/** What stands around a public screen: the way to its content, and the footer. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className={css.auth}>
      <a className="skip" href="#main">
        {t`Skip to content`}
      </a>
      {children}
      <Footer plain />
    </div>
  );
}
