import { t } from '@lingui/core/macro';
import { useNavigate } from '../../../platform/routing.tsx';
import { cx } from '../../../ui/cx.ts';
import { Icon, type IconShape } from '../../../ui/icon.tsx';
import { IconBroadcast } from '../../../ui/icons.ts';
import { Strip } from '../../../ui/tabs.tsx';
import { CATEGORY_ICONS, categoryName } from '../categories.ts';
import { IconLayoutGrid } from '../icons.ts';
import panelCss from '../../../ui/panel.module.css';
import lobbyCss from '../lobby.module.css';
import css from '../not-open.module.css';

const KINDS = Object.entries(CATEGORY_ICONS) as Array<[string, IconShape]>;

/** No provider is connected: what will stand here, told plainly, with the tables that are open below. */
export function NotOpen({ category }: { category: string | null }) {
  const navigate = useNavigate();
  const named = KINDS.find(([name]) => name.toLowerCase() === category?.toLowerCase())?.[0];
  return (
    <section className={cx('stack', lobbyCss.part)} aria-label={t`Live games`}>
      <Strip
        label={t`Categories of live games`}
        value={named ?? 'all'}
        onChange={(id) =>
          void navigate(id === 'all' ? '/live-casino' : `/live-casino?category=${encodeURIComponent(id)}`)
        }
        items={[
          { id: 'all', label: t`All`, icon: IconLayoutGrid },
          ...KINDS.map(([name, icon]) => ({ id: name, label: categoryName(name), icon })),
        ]}
      />
      <div className={cx(panelCss.panel, css.notOpen)}>
        <div className={css.art} aria-hidden="true">
          {KINDS.map(([name, icon]) => (
            <span key={name} className={name === named ? 'is-on' : undefined}>
              <Icon of={icon} size={26} />
            </span>
          ))}
        </div>
        <div className={css.text}>
          <h2 className="row g-4">
            <Icon of={IconBroadcast} size={20} />
            {named ? t`${{ category: categoryName(named) }} is not open yet` : t`Live games are not open yet`}
          </h2>
          <p className="t2">
            {t`Games of outside studios open here once a provider is connected. Until then the tables below are dealt by this site, and every round can be checked.`}
          </p>
        </div>
      </div>
    </section>
  );
}
