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

export class Alike {
  private readonly bodies = new Map<string, readonly Body[]>();
  private kept = 0;

  /** `name`: of what is told, to the last letter. */
  of(name: string, make: () => readonly Body[]): readonly Body[] {
    const made = this.bodies.get(name);
    if (made) return made;
    const bodies = make();
    if (this.kept > MOST_KEPT) this.forget();
    for (const { mc } of bodies) this.kept += mc.length;
    this.bodies.set(name, bodies);
    return bodies;
  }

  forget(): void {
    this.bodies.clear();
    this.kept = 0;
  }
}
