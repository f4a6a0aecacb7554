import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { IconChevronDown } from '../ui/icons.ts';
import { PHONE, useMedia } from '../ui/media.ts';
import { Menu } from '../ui/menu.tsx';
import { Sheet } from '../ui/sheet.tsx';
// Not behind the first screen: the way out is there without a network, too.
import { AccountList, AccountSheet } from './account-choices.tsx';
import type { ModalId } from './account-menu-data.ts';
import { initial, type ShellData } from './shell-data.ts';
import css from '../ui/account-menu.module.css';

type Props = { data: ShellData; onModal: (id: ModalId) => void };

/** The user menu: a menu under the name, on a phone a sheet with the figures. One list of entries for both (MNU). */
export function AccountMenu(props: Props) {
  return useMedia(PHONE) ? <PhoneAccount {...props} /> : <DesktopAccount {...props} />;
}

function DesktopAccount({ data, onModal }: Props) {
  return (
    <Menu
      trigger={
        <button type="button" className={css.user} aria-label={t`Account of ${{ name: data.name }}`}>
          <span className={css.avatar}>{initial(data.name)}</span>
          <span className={css.name}>{data.name}</span>
          <Icon of={IconChevronDown} size={15} className="t3" />
        </button>
      }
    >
      {(close) => <AccountList data={data} onModal={onModal} close={close} />}
    </Menu>
  );
}

function PhoneAccount({ data, onModal }: Props) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className={css.user}
        aria-label={t`Account of ${{ name: data.name }}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className={css.avatar}>{initial(data.name)}</span>
      </button>
      <Sheet open={open} onClose={close} label={t`Account`}>
        <AccountSheet data={data} onModal={onModal} close={close} />
      </Sheet>
    </>
  );
}
