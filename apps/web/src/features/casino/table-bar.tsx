import { t } from '@lingui/core/macro';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Link } from '../../platform/routing.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconArrowLeft, IconBook2, IconCards, IconDeviceTv, IconHistory } from '../../ui/icons.ts';
import { IconLayoutColumns, IconMaximize, IconMinimize, IconVolume, IconVolumeOff } from './icons.ts';
import { switchSound } from './sound.ts';
import { useTablePrefs } from './table-prefs.ts';
import buttonCss from '../../ui/button.module.css';
import css from './felt.module.css';

interface TableBarProps {
  name: string;
  roundNo: number;
  /** The picture is on the screen; null: the table has none. */
  video: boolean | null;
  full: FullScreen;
  /** Among other tables: what else can be done with this one, instead of leaving it. */
  ends: ReactNode;
  onVideo: (on: boolean) => void;
  onRounds: () => void;
  onRules: () => void;
  onAdd: () => void;
}

/** The line over the felt: the way out, the table's name, and what can be done with it. */
export function TableBar({ name, roundNo, video, full, ends, onVideo, onRounds, onRules, onAdd }: TableBarProps) {
  return (
    <>
      {!ends && (
        <Link className={buttonCss.icon} to="/casino" aria-label={t`Leave the table`} title={t`Leave the table`}>
          <Icon of={IconArrowLeft} size={18} />
        </Link>
      )}
      <span className={css.title}>
        <b className="clip">{name}</b>
        <span className="num nowrap">{t`Round ${roundNo}`}</span>
      </span>
      {!ends && <SoundSwitch />}
      {!ends && <IconButton icon={IconLayoutColumns} label={t`Add a table`} size={17} onClick={onAdd} />}
      {video !== null && (
        <IconButton
          icon={video ? IconCards : IconDeviceTv}
          label={video ? t`Show the drawn table` : t`Show the picture`}
          size={17}
          onClick={() => onVideo(!video)}
        />
      )}
      <IconButton icon={IconHistory} label={t`Rounds of this table`} size={17} onClick={onRounds} />
      <IconButton icon={IconBook2} label={t`Rules`} size={17} onClick={onRules} />
      {document.fullscreenEnabled && (
        <IconButton
          icon={full.on ? IconMinimize : IconMaximize}
          label={full.on ? t`Leave full screen` : t`Full screen`}
          size={17}
          onClick={full.toggle}
        />
      )}
      {ends}
    </>
  );
}

export function SoundSwitch() {
  const { sound } = useTablePrefs();
  return (
    <IconButton
      icon={sound ? IconVolume : IconVolumeOff}
      label={t`Sound of the table`}
      size={17}
      aria-pressed={sound}
      onClick={() => switchSound(!sound)}
    />
  );
}

export interface FullScreen {
  readonly on: boolean;
  readonly toggle: () => void;
}

export function useFullScreen(frame: RefObject<HTMLElement | null>): FullScreen {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const listener = () => setOn(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', listener);
    return () => document.removeEventListener('fullscreenchange', listener);
  }, [frame]);
  const toggle = () => {
    const change = document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen();
    // The browser may refuse; the table stays as it is.
    change?.catch(() => undefined);
  };
  return { on, toggle };
}
