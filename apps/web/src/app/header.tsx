import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Link } from '../platform/routing.tsx';
import { IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconBook2, IconMenu2, IconSearch } from '../ui/icons.ts';
import { Logo } from '../ui/logo.tsx';
import { ThemeButton } from '../ui/theme-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import type { ModalId } from './account-menu-data.ts';
import { EventSearch } from './event-search.tsx';
import { type ShellData, useShown } from './shell-data.ts';
import { WalletBox } from './wallet-box.tsx';
import controlsCss from '../ui/controls.module.css';
import css from '../ui/header.module.css';

/**
 * The header of the signed-in shell, one for all widths: full from 1200 px, compact with the two check boxes below, menu,
 * mark, search, figures and avatar on a phone. What a width does not show, the styles hide.
 */
export function Header({
  data,
  onMenu,
  onModal,
}: {
  data: ShellData;
  onMenu: () => void;
  onModal: (id: ModalId) => void;
}) {
  const [finding, setFinding] = useState(false);
  const [balanceShown, showBalance] = useShown('balance');
  const [exposureShown, showExposure] = useShown('exposure');
  return (
    <header className={css.header}>
      <IconButton icon={IconMenu2} label={t`Menu`} size={20} className={css.menu} onClick={onMenu} />
      <Link className={css.logoLink} to="/home">
        <Logo />
      </Link>
      {data.isDemo && <span className={cx(controlsCss.chip, css.demo)}>{t`Demo`}</span>}
      <EventSearch open={finding} onClose={() => setFinding(false)} />
      <IconButton icon={IconSearch} label={t`Search`} size={21} className={css.find} onClick={() => setFinding(true)} />
      <div className={css.right}>
        <div className={css.check}>
          <Checkbox checked={balanceShown} onChange={showBalance}>
            {t`Balance`}
          </Checkbox>
          <Checkbox checked={exposureShown} onChange={showExposure}>
            {t`Exposure`}
          </Checkbox>
        </div>
        <button type="button" className={css.shortcut} onClick={() => onModal('rules')}>
          <Icon of={IconBook2} size={18} />
          {t`Rules`}
        </button>
        <IconButton
          icon={IconBook2}
          label={t`Rules`}
          size={19}
          className={css.rules}
          onClick={() => onModal('rules')}
        />
        <WalletBox data={data} onExposure={() => onModal('market')} />
        <ThemeButton className={css.theme} />
        <AccountMenu data={data} onModal={onModal} />
      </div>
    </header>
  );
}
