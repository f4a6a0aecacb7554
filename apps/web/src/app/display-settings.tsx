import { t } from '@lingui/core/macro';
import { setPace, usePace } from '../live/live.ts';
import { later } from '../platform/later.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { IconAdjustments, IconPlayerPause } from '../ui/icons.ts';
import { Banner } from '../ui/note.tsx';
import { Popover } from '../ui/popover.tsx';
import controlsCss from '../ui/controls.module.css';
import shellCss from '../ui/shell.module.css';

const DisplayChoices = later(async () => (await import('./display-choices.tsx')).DisplayChoices);

/** The way to the choices of display. */
export function DisplaySettings() {
  return (
    <Popover
      label={t`Display`}
      title={t`Display`}
      className={controlsCss.displayPopover}
      trigger={<IconButton icon={IconAdjustments} label={t`Display`} size={15} />}
    >
      <DisplayChoices />
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
