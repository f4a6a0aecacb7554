import { t } from '@lingui/core/macro';
import { useParams } from '../../platform/routing.tsx';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconDeviceTv } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/note.tsx';
import { frameSource } from './source.ts';
import css from './frames.module.css';

/** A full-screen embedded frame of a stream (FRM-01..03). For signed-in players; the picture runs about five seconds late. */
export function Screen() {
  return <Frame kind="stream" title={t`Live picture`} />;
}

/** The same of a scoreboard (FRM-04). */
export function ScoreScreen() {
  return <Frame kind="score" title={t`Scoreboard`} />;
}

function Frame({ kind, title }: { kind: 'stream' | 'score'; title: string }) {
  const { vidId = '', sportId, sportsId } = useParams();
  const session = useSession();
  const source = frameSource(kind, vidId, sportId ?? sportsId);
  if (!session || source === null) {
    return (
      <main className={css.page} id="main">
        <EmptyState
          icon={IconDeviceTv}
          title={session ? t`This picture is not available` : t`Sign in to watch`}
          action={<Button onClick={() => window.location.assign('/login')}>{session ? t`Back` : t`Login`}</Button>}
        >
          {session ? t`The address does not name a picture of this site.` : t`Pictures are for signed-in players.`}
        </EmptyState>
      </main>
    );
  }
  return (
    <main className={css.page} id="main">
      <iframe
        className={css.frame}
        src={source.url}
        title={title}
        // Scripts of another origin keep their own origin; our own page needs none and gets none.
        sandbox={source.own ? 'allow-scripts' : 'allow-scripts allow-same-origin'}
        allow="fullscreen; autoplay; encrypted-media"
        referrerPolicy="no-referrer"
      />
      {kind === 'stream' && <p className={cx(css.note, 'fs-12')}>{t`Pictures run about 5 s behind`}</p>}
    </main>
  );
}
