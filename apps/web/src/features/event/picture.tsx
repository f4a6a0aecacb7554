import { CALLS, type MatchDetails } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useCall } from '../../api/api.ts';
import { useOnline } from '../../platform/online.ts';
import { cx } from '../../ui/cx.ts';
import { Rail } from '../../ui/rail.tsx';
import eventCss from '../../ui/event.module.css';
import panelCss from '../../ui/panel.module.css';

/**
 * The picture of a match: the frame the operator configured, or the site's own drawing of the play; and the operator's own
 * source of the score, where there is one. Its own origin or an allowed one only; sandboxed; about five seconds behind. In the rail, or `inline` where there is none.
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
  useEffect(() => {
    if (error) console.error('getIframeUrl failed', error.message);
  }, [error]);
  if (error || !data || !match.inPlay) return null;
  const picture = match.isTv ? data.tvData.iframeUrl : null;
  // The site's own score stands on the page already; another host's is asked for by the operator.
  const score = data.scoreData.iframeUrl?.startsWith('https://') ? data.scoreData.iframeUrl : null;
  if (!picture && !score) return null;
  const frames = (
    <>
      {picture && (
        <Frame url={picture} title={t`Picture of ${{ event: match.title }}`} note={t`Picture runs about 5 s behind`} />
      )}
      {score && (
        <Frame
          url={score}
          title={t`Score of ${{ event: match.title }}`}
          note={t`Score as the operator's source tells it`}
        />
      )}
    </>
  );
  return inline ? frames : <Rail slot="tv">{frames}</Rail>;
}

function Frame({ url, title, note }: { url: string; title: string; note: string }) {
  const online = useOnline();
  return (
    <figure className={cx(eventCss.picture, panelCss.panel)}>
      {online ? (
        <iframe src={url} title={title} sandbox="allow-scripts" referrerPolicy="no-referrer" loading="lazy" />
      ) : (
        // A frame without a network would show the browser's own error page.
        <p className={eventCss.noPicture}>{t`The picture is off while you are offline`}</p>
      )}
      <figcaption className={cx(eventCss.pictureNote, 't3 fs-11')}>{note}</figcaption>
    </figure>
  );
}
