import { t } from '@lingui/core/macro';
import { setPace, setSpeaks, usePace, useSpeaks } from '../live/live.ts';
import { OFFERED } from '../platform/offered.ts';
import { useSession } from '../session/session.ts';
import { setDensity, useDensity } from '../ui/density.ts';
import { LanguageChoice } from '../ui/language-choice.tsx';
import { Switch } from '../ui/switch.tsx';
import { Choice } from '../ui/tabs.tsx';
import { setTheme, useTheme } from '../ui/theme.ts';
import { keepLanguage } from './own-language.ts';
import { ZoneChoice } from './zone-choice.tsx';
import controlsCss from '../ui/controls.module.css';
import fieldCss from '../ui/field.module.css';

/** Theme, density, language, clock and how prices move, on every page of the shell. */
export function DisplayChoices() {
  const theme = useTheme();
  const density = useDensity();
  const pace = usePace();
  const speaks = useSpeaks();
  const signedIn = useSession() !== null;
  return (
    <div className={controlsCss.display}>
      {OFFERED.length > 1 && <LanguageChoice onChosen={keepLanguage} />}
      {signedIn && <ZoneChoice />}
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
  );
}
