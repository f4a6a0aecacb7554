import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { useHold } from '../../platform/routing.tsx';
import { readSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';

/** While there are changes that are not kept: asks before they are left, whichever way. A page that goes is asked by the browser. */
export function Unkept() {
  const hold = useHold();
  const [asked, setAsked] = useState<{ answer: (leaves: boolean) => void } | null>(null);
  useEffect(() => {
    let open: { answer: (leaves: boolean) => void; said: Promise<boolean> } | null = null;
    const letGo = hold(() => {
      // Without a session nothing can be kept any more.
      if (!readSession()) return Promise.resolve(true);
      if (!open) {
        let answer: (leaves: boolean) => void = () => {};
        const said = new Promise<boolean>((resolve) => {
          answer = (leaves) => {
            open = null;
            setAsked(null);
            resolve(leaves);
          };
        });
        open = { answer, said };
        setAsked(open);
      }
      return open.said;
    });
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => {
      letGo();
      removeEventListener('beforeunload', ask);
      // Whoever waits for an answer stays where he is.
      open?.answer(false);
    };
  }, [hold]);
  if (!asked) return null;
  return (
    <Modal
      open
      width="s"
      title={t`Leave without keeping?`}
      onClose={() => asked.answer(false)}
      footer={
        <>
          <Button block onClick={() => asked.answer(true)}>
            {t`Leave`}
          </Button>
          <Button block kind="pri" onClick={() => asked.answer(false)}>
            {t`Stay`}
          </Button>
        </>
      }
    >
      <p>{t`What you changed in this workspace is lost.`}</p>
    </Modal>
  );
}
