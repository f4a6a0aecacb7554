import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent, useRef } from 'react';
import css from './felt.module.css';

/** A frame that has not loaded by then is not waited for. */
const PATIENCE_MS = 10_000;

/**
 * The operator's picture of the table in a sandbox. A frame of another origin does not say when its page fails: one that
 * the content policy blocks, or that does not load in time, is given up, and `onMissing` draws the table instead.
 */
export function TablePicture({ url, name, onMissing }: { url: string; name: string; onMissing: () => void }) {
  const giveUp = useEffectEvent(onMissing);
  const timer = useRef(0);
  useEffect(() => {
    timer.current = window.setTimeout(giveUp, PATIENCE_MS);
    const blocked = (event: SecurityPolicyViolationEvent) => {
      if (event.effectiveDirective === 'frame-src' && url.startsWith(event.blockedURI)) giveUp();
    };
    document.addEventListener('securitypolicyviolation', blocked);
    return () => {
      window.clearTimeout(timer.current);
      document.removeEventListener('securitypolicyviolation', blocked);
    };
  }, [url]);
  return (
    <iframe
      className={css.full}
      src={url}
      title={t`Picture of ${name}`}
      // A page of this origin with both rights could take its own sandbox off.
      sandbox={ownOrigin(url) ? 'allow-scripts' : 'allow-scripts allow-same-origin'}
      allow="fullscreen; autoplay; encrypted-media"
      referrerPolicy="no-referrer"
      onLoad={() => window.clearTimeout(timer.current)}
    />
  );
}

const ownOrigin = (url: string): boolean => new URL(url, window.location.href).origin === window.location.origin;
