import { t } from '@lingui/core/macro';
import { formatMoney, formatSigned } from '../platform/format.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconChevronDown } from '../ui/icons.ts';
import { COMPACT, useMedia } from '../ui/media.ts';
import { type ShellData, useShown } from './shell-data.ts';
import controlsCss from '../ui/controls.module.css';
import walletCss from '../ui/wallet.module.css';

/**
 * Balance, exposure and, where there is room, what is left to bet with. The exposure list opens only when there is exposure (SHL-13, SHL-14). In the compact header each can
 * be hidden by its check box.
 */
export function WalletBox({ data, onExposure }: { data: ShellData; onExposure: () => void }) {
  const compact = useMedia(COMPACT);
  const [balanceShown] = useShown('balance');
  const [exposureShown] = useShown('exposure');
  const { balanceMinor, exposureMinor, availableMinor } = data;
  const balance = balanceMinor === null ? '\u2013' : formatMoney(balanceMinor);
  const some = (exposureMinor ?? 0) !== 0;
  const exposure = exposureMinor === null ? '\u2013' : formatSigned(-exposureMinor);
  const showBalance = balanceShown || !compact;
  const showExposure = exposureShown || !compact;
  if (!showBalance && !showExposure) return null;
  return (
    <div className={walletCss.wallet}>
      {showBalance && (
        <div>
          <span>
            {t`Balance`}
            {data.currency && <small> {data.currency}</small>}
          </span>
          <b className="num">{balance}</b>
        </div>
      )}
      {showExposure && (
        <button
          type="button"
          aria-label={some ? t`Exposure ${exposure}, open the list` : t`Exposure ${exposure}`}
          aria-disabled={!some || undefined}
          onClick={some ? onExposure : undefined}
        >
          <span className={walletCss.exposure}>
            {t`Exposure`}
            {some && <Icon of={IconChevronDown} size={12} />}
          </span>
          <b dir="ltr" className={some ? cx('num', controlsCss.loss) : 'num t2'}>
            {exposure}
          </b>
        </button>
      )}
      {!compact && (
        <div>
          <span>{t`Available`}</span>
          <b className="num">{availableMinor === null ? '\u2013' : formatMoney(availableMinor)}</b>
        </div>
      )}
    </div>
  );
}
