import { CALLS, type ProtectionStatus } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { refreshStanding } from './breaks.tsx';
import { dayText, momentText } from './words.ts';

/** Why betting is off and what can be done about it; nothing when it is on. */
export function Standing({ status }: { status: ProtectionStatus }) {
  const { standing, restriction, state } = status;
  if (!standing) return null;
  return (
    <Note
      tone="warn"
      action={
        state === 'inactive' ? (
          <Act send={() => api(CALLS.protection.wake, { body: {} })}>{t`Use my account again`}</Act>
        ) : restriction && canRevoke(restriction) ? (
          <Act send={() => api(CALLS.protection.revoke, { body: {} })}>{t`Ask to end it`}</Act>
        ) : undefined
      }
    >
      <b>{standing.text}</b> {restriction && <Ending restriction={restriction} />}
    </Note>
  );
}

type Restriction = NonNullable<ProtectionStatus['restriction']>;

function canRevoke({ endsAt, revocableFrom }: Restriction): boolean {
  return endsAt === null && revocableFrom !== null && Date.parse(revocableFrom) <= Date.now();
}

function Ending({ restriction }: { restriction: Restriction }) {
  const { endsAt, revocableFrom, revokedFrom } = restriction;
  if (revokedFrom) {
    const end = momentText(revokedFrom);
    return t`You asked to end it; it ends on ${end}.`;
  }
  if (endsAt) {
    const end = momentText(endsAt);
    return t`It ends by itself on ${end}.`;
  }
  if (revocableFrom === null) return t`Support can end it after its period; contact support then.`;
  if (canRevoke(restriction)) return t`You can ask to end it now; it ends 7 days after you ask.`;
  const day = dayText(revocableFrom);
  return t`You can ask to end it from ${day}.`;
}

function Act({ send, children }: { send: () => Promise<unknown>; children: ReactNode }) {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    await send().catch(() => null);
    setBusy(false);
    refreshStanding();
  };
  return (
    <Button size="sm" busy={busy} onClick={() => void go()}>
      {children}
    </Button>
  );
}
