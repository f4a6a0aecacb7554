import { Crest, crestCode } from '../ui/crest.tsx';
import { isDraw } from './market-words.ts';

/** A runner's shield beside its name. The draw is nobody's: an empty outline holds its place. */
export const RunnerCrest = ({ name }: { name: string }) => (
  <Crest code={crestCode(name)} name={isDraw(name) ? null : name} size={26} />
);
