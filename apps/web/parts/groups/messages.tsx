import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../src/ui/button.tsx';
import { IconCards, IconWifiOff } from '../../src/ui/icons.ts';
import { Menu } from '../../src/ui/menu.tsx';
import { MenuList } from '../../src/ui/menu-list.tsx';
import { Modal } from '../../src/ui/modal.tsx';
import { Banner, EmptyState, ErrorNote, Note } from '../../src/ui/note.tsx';
import { Popover } from '../../src/ui/popover.tsx';
import { Sheet } from '../../src/ui/sheet.tsx';
import { Skeleton } from '../../src/ui/skeleton.tsx';
import type { Part } from '../parts.ts';

const nothing = () => undefined;

export const MESSAGES: readonly Part[] = [
  {
    name: 'note',
    wide: true,
    also: ['phone'],
    states: {
      plain: (say) => <Note>{say('Prices are those of the exchange.')}</Note>,
      warning: (say) => <Note tone="warn">{say('The market is about to go in play.')}</Note>,
      error: (say) => <Note tone="err">{say('This bet was refused.')}</Note>,
      'did not load': (say) => (
        <ErrorNote title={say('The market did not load.')} onRetry={nothing}>
          Nothing was placed.
        </ErrorNote>
      ),
      'tries again': () => <ErrorNote title="The market did not load." busy onRetry={nothing} />,
      empty: (say) => (
        <EmptyState icon={IconCards} title={say('No tables here')} action={<Button size="sm">All tables</Button>}>
          {say('Take a filter away.')}
        </EmptyState>
      ),
      offline: (say) => <Banner icon={IconWifiOff}>{say('You are currently offline')}</Banner>,
      'site notice': (say) => (
        <Banner icon={IconWifiOff} tone="warn">
          {say('Prices are slow at the moment')}
        </Banner>
      ),
      loading: () => <Skeleton w={180} h={14} />,
    },
  },
  {
    name: 'modal',
    over: true,
    also: ['long', 'rtl', 'phone'],
    states: {
      open: (say) => (
        <Modal
          open
          width="s"
          title={say('Cancel this bet?')}
          onClose={nothing}
          footer={
            <>
              <Button>{say('Keep')}</Button>
              <Button kind="danger">{say('Cancel bet')}</Button>
            </>
          }
        >
          {say('What is matched stays matched.')}
        </Modal>
      ),
    },
  },
  {
    name: 'drawer',
    over: true,
    also: ['rtl'],
    states: {
      open: (say) => (
        <Sheet open side="right" label={say('Bet slip')} onClose={nothing}>
          <p>{say('India, back 2.18')}</p>
        </Sheet>
      ),
    },
  },
  {
    name: 'menu',
    over: true,
    also: ['long', 'rtl'],
    states: {
      open: (say) => (
        <Opened>
          <Menu trigger={<Button>{say('Account')}</Button>}>
            {(close) => (
              <MenuList
                label="Account"
                close={close}
                items={[
                  { id: 'statement', label: say('Account statement'), to: '/' },
                  { id: 'bets', label: say('Open bets'), to: '/', end: '3' },
                  { id: 'out', label: say('Sign out'), onPress: nothing, apart: true },
                ]}
              />
            )}
          </Menu>
        </Opened>
      ),
    },
  },
  {
    name: 'popover',
    over: true,
    states: {
      open: (say) => (
        <Opened>
          <Popover label="Exposure" title={say('Exposure')} trigger={<Button>{say('Exposure')}</Button>}>
            <p>{say('No open bets.')}</p>
          </Popover>
        </Opened>
      ),
    },
  },
];

/** Presses its first button once it is there. */
function Opened({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.click(), []);
  return (
    <div className="gal__opened" ref={box}>
      {children}
    </div>
  );
}
