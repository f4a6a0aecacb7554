import { Outlet } from '../platform/routing.tsx';
import { PublicFrame } from './public-frame.tsx';

/** The public screens inside the client. */
export function PublicShell() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  );
}
