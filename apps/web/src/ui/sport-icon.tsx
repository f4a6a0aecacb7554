import { later } from '../platform/later.tsx';
import { Icon, type IconShape } from './icon.tsx';
import * as I from './icons.ts';

const SHAPES: Readonly<Record<string, IconShape>> = {
  politics: I.IconBuildingBank,
  cricket: I.IconCricket,
  football: I.IconBallFootball,
  tennis: I.IconBallTennis,
  kabaddi: I.IconUsersGroup,
  soccer: I.IconBallFootball,
  horseRacing: I.IconHorse,
  greyHound: I.IconDog,
  casino: I.IconCards,
  liveCasino: I.IconBroadcast,
};

type Look = { sport: string; size?: number; className?: string | undefined };

const RareIcon = later<Look>(
  async () => {
    const { SHAPES: RARE } = await import('./sport-shapes.ts');
    return ({ sport, size, className }) => <Icon of={RARE[sport] ?? I.IconTrophy} size={size} className={className} />;
  },
  // Its place, so that nothing moves when it comes.
  ({ size, className }) => <Icon of={Nothing} size={size} className={className} />,
);

const Nothing: IconShape = ({ size, stroke: _stroke, ...rest }) => <svg {...rest} width={size} height={size} />;

/** The icon of a match type (sports.ts); an unknown one gets the trophy. */
export function SportIcon({ sport, size = 18, className }: Look) {
  const shape = SHAPES[sport];
  return shape ? (
    <Icon of={shape} size={size} className={className} />
  ) : (
    <RareIcon sport={sport} size={size} className={className} />
  );
}
