import { TIME } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { signOut } from '../sign-in/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { announce } from '../ui/live-region.tsx';
import css from '../ui/panel.module.css';

/** Six hours without activity: counts from 5, then signs out; Back to Home stops the count for good (IDL-03..07, CAR-18). */
export function SessionExpired({ onHome }: { onHome?: () => void }) {
  const [left, setLeft] = useState<number>(TIME.logoutCountdownS);
  const [stopped, setStopped] = useState(false);

  useEffect(() => {
    announce(
      t`Your session has been expired. Redirected to Login in ${{ seconds: TIME.logoutCountdownS }} seconds.`,
      'assertive',
    );
  }, []);

  useEffect(() => {
    if (stopped) return;
    if (left === 0) {
      void signOut();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, stopped]);

  const home = () => {
    setStopped(true);
    onHome?.();
    // A full load: the server has ended the session by its own clock, so that /home leads to the sign-in when it has.
    window.location.assign('/home');
  };
  return (
    <main className={css.errorPage} id="main">
      <h1>{t`Your session has been expired,`}</h1>
      <p className="num">{t`Redirected to Login in ${left} seconds.`}</p>
      <Button onClick={home}>{t`Back to Home`}</Button>
    </main>
  );
}
