/** What many subscribers are told alike in a turn is made once. */
import { lineOf } from '@fairgame/exchange-api';

/** The markets of one message: the same object for all who are told them. */
export interface Body {
  readonly mc: string;
  /** The last line that was made of it: whoever is told it in the same moment under the same id is sent the same bytes. */
  line: { head: string; bytes: Buffer } | null;
}

export const bodyOf = (mc: readonly string[]): Body => ({ mc: mc.join(), line: null });

export function bytesOf(head: string, body: Body): Buffer {
  if (body.line?.head !== head) body.line = { head, bytes: Buffer.from(lineOf(head, body.mc), 'latin1') };
  return body.line.bytes;
}

/** In a quiet hour a turn is long, and everybody may ask for something else. */
const MOST_KEPT = 16_000_000;

/** Of those who have the same markets and wish for the same of them. */
interface Group {
  bodies: Map<string, readonly Body[]>;
  /** Markets that changed and that they do not have. */
  others: readonly number[] | null;
}

export class Alike {
  private readonly groups = new Map<string, Group>();
  private kept = 0;

  /** `name`: of what is told to the group, to the last letter. */
  of(group: string, name: string, make: () => readonly Body[]): readonly Body[] {
    const made = this.groups.get(group)?.bodies.get(name);
    if (made) return made;
    const bodies = make();
    if (this.kept > MOST_KEPT) this.forget();
    for (const { mc } of bodies) this.kept += mc.length;
    this.group(group).bodies.set(name, bodies);
    return bodies;
  }

  others(group: string, find: () => readonly number[]): readonly number[] {
    const known = this.groups.get(group)?.others;
    if (known) return known;
    const others = find();
    this.group(group).others = others;
    return others;
  }

  forget(): void {
    this.groups.clear();
    this.kept = 0;
  }

  private group(name: string): Group {
    const known = this.groups.get(name);
    if (known) return known;
    const group: Group = { bodies: new Map(), others: null };
    this.groups.set(name, group);
    return group;
  }
}
