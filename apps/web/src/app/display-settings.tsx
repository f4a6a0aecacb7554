import { t } from '@lingui/core/macro';
import { setPace, setSpeaks, usePace, useSpeaks } from '../live/live.ts';
import { later } from '../platform/later.tsx';
import { OFFERED } from '../platform/offered.ts';
import { useSession } from '../session/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { setDensity, useDensity } from '../ui/density.ts';
import { IconAdjustments, IconPlayerPause } from '../ui/icons.ts';
import { Banner } from '../ui/note.tsx';
import { Popover } from '../ui/popover.tsx';
import { Switch } from '../ui/switch.tsx';
import { Choice } from '../ui/tabs.tsx';
import { setTheme, useTheme } from '../ui/theme.ts';
import { keepLanguage } from './own-language.ts';
import controlsCss from '../ui/controls.module.css';
import fieldCss from '../ui/field.module.css';
import shellCss from '../ui/shell.module.css';

const LanguageChoice = later(async () => (await import('../ui/language-choice.tsx')).LanguageChoice);
const ZoneChoice = later(async () => (await import('./zone-choice.tsx')).ZoneChoice);

/** Theme, density, language, clock and how prices move, on every page of the shell. */
export function DisplaySettings() {
  const theme = useTheme();
  const density = useDensity();
  const pace = usePace();
  const speaks = useSpeaks();
  return (
    <Popover
      label={t`Display`}
      title={t`Display`}
      className={controlsCss.displayPopover}
      trigger={<IconButton icon={IconAdjustments} label={t`Display`} size={15} />}
    >
      <div className={controlsCss.display}>
        {OFFERED.length > 1 && <LanguageChoice onChosen={keepLanguage} />}
        {useSession() && <ZoneChoice />}
        <Choice label={t`Theme`} value={theme} onChange={setTheme} items={{ dark: t`Dark`, light: t`Light` }} />
        <Choice
          label={t`Rows`}
          value={density}
          onChange={setDensity}
          items={{ comfortable: t`Comfortable`, compact: t`Compact` }}
        />
        <Choice
          label={t`Prices`}
          value={pace}
          onChange={setPace}
          items={{ live: t`Live`, slow: t`Every 5 s`, frozen: t`Frozen` }}
        />
        <Switch checked={speaks} onChange={setSpeaks}>
          <span className="grow">
            {t`Speak the price in the slip`}
            <span className={fieldCss.help}>{t`For screen readers, at most every 5 seconds`}</span>
          </span>
        </Switch>
      </div>
    </Popover>
  );
}

/** Above everything while prices stand still, with the way back. */
export function FrozenBanner() {
  if (usePace() !== 'frozen') return null;
  return (
    <Banner tone="warn" icon={IconPlayerPause}>
      {t`Prices are frozen`}
      <span className={shellCss.offlineMore}>{t`You cannot bet until they run again.`}</span>
      <Button size="sm" onClick={() => setPace('live')}>
        {t`Run prices`}
      </Button>
    </Banner>
  );
}
