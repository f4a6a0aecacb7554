import { CALLS, type MatchDetails } from '@fairgame/contract';
import { useEffect } from 'react';
import { useCall } from '../../api/queries.ts';
import { useOnline } from '../../ui/online.ts';
import { Rail } from '../../ui/rail.tsx';

/**
 * The picture of a match: the frame the operator configured, or the site's own drawing of the play. Its own origin or an
 * allowed one only; sandboxed; about five seconds behind. In the rail, or `inline` where there is none.
 */
export function Picture({ match, inline = false }: { match: MatchDetails; inline?: boolean }) {
  const { data, error } = useCall(CALLS.catalog.iframeUrl, {
    params: { id: String(match.id) },
    query: {
      sportType: match.matchType,
      isTv: match.isTv ? 'true' : 'false',
      isScore: 'true',
      ...(match.beventId ? { bEventId: match.beventId } : {}),
    },
  });
  const online = useOnline();
  useEffect(() => {
    if (error) console.error('getIframeUrl failed', error.message);
  }, [error]);
  const url = error ? null : data?.tvData.iframeUrl;
  if (!match.isTv || !match.inPlay || !url) return null;
  const picture = (
    <figure className="tv panel">
      {online ? (
        <iframe
          className="tv__f"
          src={url}
          title={`Picture of ${match.title}`}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          loading="lazy"
        />
      ) : (
        // A frame without a network would show the browser's own error page.
        <p className="tv__none">The picture is off while you are offline</p>
      )}
      <figcaption className="tv__n t3 fs-11">Picture runs about 5 s behind</figcaption>
    </figure>
  );
  return inline ? picture : <Rail slot="tv">{picture}</Rail>;
}
