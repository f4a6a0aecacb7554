import { Outlet } from 'react-router';
import { Footer } from './footer.tsx';

/** The public screens: the screen and the footer. */
export function PublicShell() {
  return (
    <div className="auth">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Outlet />
      <Footer plain />
    </div>
  );
}
