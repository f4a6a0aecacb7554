import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';

/** The last minutes before the session ends by itself (IDL-01, IDL-02). */
export function IdleWarning({ expiresAt, onStay }: { expiresAt: number; onStay: () => void }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  return (
    <Modal
      open
      onClose={onStay}
      title={t`Are you still here?`}
      width="s"
      footer={
        <Button kind="pri" onClick={onStay}>
          {t`Stay signed in`}
        </Button>
      }
    >
      <p>
        <Trans>
          You have not been active for a long time. Your session ends in{' '}
          <b className="num">{ph({ time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })}</b>.
        </Trans>
      </p>
    </Modal>
  );
}
