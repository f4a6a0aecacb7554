import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';

/** What stands around a public screen: the way to its content, and the footer. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="auth">
      <a className="skip" href="#main">
        Skip to content
      </a>
      {children}
      <Footer plain />
    </div>
  );
}
