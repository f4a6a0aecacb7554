import { t } from '@lingui/core/macro';
import { formatMoney, formatSigned } from '../platform/format.ts';
import { say } from '../platform/language.ts';
import { useNavigate } from '../platform/routing.tsx';
import { signOut } from '../sign-in/sign-in.ts';
import { Count } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconChevronRight, IconLogout, IconX } from '../ui/icons.ts';
import { type MenuItem, MenuList } from '../ui/menu-list.tsx';
import { ThemeButton } from '../ui/theme-button.tsx';
import { type AccountEntry, accountEntries, type ModalId } from './account-menu-data.ts';
import { SessionNet } from './player-care.tsx';
import { SessionClock } from './session-clock.tsx';
import { initial, type ShellData, useShown } from './shell-data.ts';
import css from '../ui/account-menu.module.css';
import controlsCss from '../ui/controls.module.css';
import dataCss from '../ui/data.module.css';
import sideNavCss from '../ui/side-nav.module.css';

type Props = { data: ShellData; onModal: (id: ModalId) => void; close: () => void };

/** The entries of the menu under the name. */
export function AccountList({ data, onModal, close }: Props) {
  const entries = accountEntries({ demo: data.isDemo, mobile: false });
  const items: MenuItem[] = entries.map((entry) => ({
    id: entry.id,
    label: say(entry.label),
    ...(entry.icon && { icon: entry.icon }),
    to: entry.to,
    onPress: entry.modal && (() => onModal(entry.modal!)),
    end: entry.id === 'bets' && data.openBets > 0 ? <Count n={data.openBets} /> : undefined,
  }));
  items.push({ id: 'out', label: t`SignOut`, icon: IconLogout, apart: true, onPress: () => void signOut() });
  return (
    <MenuList
      label={t`Account`}
      items={items}
      head={
        <>
          <span className="row g-4">
            <span className={css.avatar}>{initial(data.name)}</span>
            <b>{data.name}</b>
          </span>
          <SessionTime />
        </>
      }
      close={close}
    />
  );
}

/** What the sheet of a phone has: the entries, and the figures among them. */
export function AccountSheet({ data, onModal, close }: Props) {
  const navigate = useNavigate();
  const entries = accountEntries({ demo: data.isDemo, mobile: true });
  const press = (entry: AccountEntry) => {
    close();
    if (entry.modal) onModal(entry.modal);
    else if (entry.to) void navigate(entry.to);
  };
  const before = entries.filter((entry) => !entry.figure && !entry.beside);
  const after = entries.filter((entry) => entry.beside);
  return (
    <>
      <div className={css.head}>
        <span className={cx(css.avatar, css.avatarLarge)}>{initial(data.name)}</span>
        <div className="grow">
          <b className="fs-15">{data.name}</b>
          <SessionTime />
        </div>
        <ThemeButton />
        <IconButton icon={IconX} label={t`Close`} size={20} onClick={close} />
      </div>
      <ul className={css.list}>
        {before.map((entry) => (
          <Row key={entry.id} entry={entry} data={data} onPress={press} />
        ))}
      </ul>
      <Figures data={data} />
      <ul className={css.list}>
        {after.map((entry) => (
          <Row key={entry.id} entry={entry} data={data} onPress={press} />
        ))}
        <li>
          <button type="button" className={sideNavCss.entry} onClick={() => void signOut()}>
            <Icon of={IconLogout} size={20} />
            {t`SignOut`}
          </button>
        </li>
      </ul>
    </>
  );
}

function Row({
  entry,
  data,
  onPress,
}: {
  entry: AccountEntry;
  data: ShellData;
  onPress: (entry: AccountEntry) => void;
}) {
  const body = (
    <>
      {entry.icon && <Icon of={entry.icon} size={20} />}
      <span className="clip">{say(entry.label)}</span>
      {entry.id === 'bets' && data.openBets > 0 && <Count n={data.openBets} />}
      <Icon of={IconChevronRight} size={16} />
    </>
  );
  return (
    <li>
      {entry.to ? (
        <a
          className={sideNavCss.entry}
          href={entry.to}
          onClick={(event) => {
            event.preventDefault();
            onPress(entry);
          }}
        >
          {body}
        </a>
      ) : (
        <button type="button" className={sideNavCss.entry} onClick={() => onPress(entry)}>
          {body}
        </button>
      )}
    </li>
  );
}

/** Balance and Exposure as display items, with the boxes that show them in the header. */
function Figures({ data }: { data: ShellData }) {
  const [balanceShown, showBalance] = useShown('balance');
  const [exposureShown, showExposure] = useShown('exposure');
  const exposure = data.exposureMinor ?? 0;
  return (
    <div className={cx(dataCss.figures, css.figures)}>
      <div className={dataCss.figure}>
        <span>{t`Balance`}</span>
        <b>{data.balanceMinor === null ? '\u2013' : formatMoney(data.balanceMinor)}</b>
        <Checkbox checked={balanceShown} onChange={showBalance}>
          {t`Show in header`}
        </Checkbox>
      </div>
      <div className={dataCss.figure}>
        <span>{t`Exposure`}</span>
        <b dir="ltr" className={exposure ? controlsCss.loss : 't2'}>
          {data.exposureMinor === null ? '\u2013' : formatSigned(-exposure)}
        </b>
        <Checkbox checked={exposureShown} onChange={showExposure}>
          {t`Show in header`}
        </Checkbox>
      </div>
      <div className={dataCss.figure}>
        <span>{t`Available`}</span>
        <b>{data.availableMinor === null ? '\u2013' : formatMoney(data.availableMinor)}</b>
      </div>
      {data.heldMinor > 0 && (
        <div className={dataCss.figure}>
          <span title={t`Winnings of a market in which another player's debt is not covered yet`}>{t`Held back`}</span>
          <b>{formatMoney(data.heldMinor)}</b>
        </div>
      )}
    </div>
  );
}

function SessionTime() {
  return (
    <span className="fs-12 t3 num">
      {t`Session`} <SessionClock /> <SessionNet className="nowrap" />
    </span>
  );
}
