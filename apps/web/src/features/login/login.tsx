import { useNavigate } from '../../platform/routing.tsx';
import { SignIn } from './sign-in.tsx';

/** /login inside the client: after a sign-out. Who comes from outside meets app/entrance.tsx. */
export function Screen() {
  const navigate = useNavigate();
  return <SignIn go={async (path) => navigate(path, { replace: true })} />;
}
