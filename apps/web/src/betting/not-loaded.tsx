import { t } from '@lingui/core/macro';
import { ApiError, errorText } from '../api/api.ts';
import { EVENT_TYPES, typePath } from '../platform/links.ts';
import { sportName } from '../platform/sports.ts';
import { IconCalendar } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { EmptyState, ErrorNote } from '../ui/note.tsx';
import css from '../ui/panel.module.css';

/** In the place of an event or a race that did not load; one that is not there has other ways on than trying again. */
export function NotLoaded({
  what,
  type,
  error,
  onRetry,
}: {
  what: 'event' | 'race' | 'market';
  /** Its event type, as far as the address tells. */
  type: string;
  /** Null where the address is none of an event. */
  error: unknown;
  onRetry: () => void;
}) {
  if (error === null || (error instanceof ApiError && error.status === 404))
    return (
      <section className={css.panel}>
        <EmptyState
          icon={IconCalendar}
          title={what === 'race' ? t`There is no such race` : t`There is no such event`}
          action={
            <span className="row g-3">
              {type in EVENT_TYPES && (
                <LinkButton to={typePath(type)}>{t`More ${{ sport: sportName(type) }}`}</LinkButton>
              )}
              <LinkButton to="/home">{t`Home`}</LinkButton>
            </span>
          }
        >
          {t`Its address may be wrong or old. Bets on it stand in your reports.`}
        </EmptyState>
      </section>
    );
  return (
    <ErrorNote title={what === 'race' ? t`The race did not load.` : t`The event did not load.`} onRetry={onRetry}>
      {errorText(error)} {t`Nothing was placed.`}
    </ErrorNote>
  );
}
