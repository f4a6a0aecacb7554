import { useEffect, useState } from 'react';
import { serverNow } from './clock.ts';

/** The server's time, ms, renewed every so often while the page is seen: for what counts down or says how long. */
export function useServerNow(everyMs = 1000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const renew = () => {
      if (document.visibilityState === 'visible') setNow(serverNow());
    };
    const timer = setInterval(renew, everyMs);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [everyMs]);
  return now;
}
