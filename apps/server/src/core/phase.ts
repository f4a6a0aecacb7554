/** Where the writer stands with the batch it has sent. One table of what may follow what: any other step is a fault of the program. */

/**
 * Idle: nothing is out. Flying: a batch was sent, its outcome is not known yet. Deciding: the line broke, and the database is
 * asked what became of the batch. Fenced: the end.
 */
export type PhaseName = 'idle' | 'flying' | 'deciding' | 'fenced';
export type Step = 'launch' | 'decide' | 'land' | 'fence';

export const STEPS: Readonly<Record<PhaseName, Partial<Record<Step, PhaseName>>>> = {
  idle: { launch: 'flying', fence: 'fenced' },
  flying: { decide: 'deciding', land: 'idle', fence: 'fenced' },
  deciding: { land: 'idle', fence: 'fenced' },
  // What was out when it ended still comes back.
  fenced: { decide: 'fenced', land: 'fenced', fence: 'fenced' },
};

export class Phase<Batch> {
  private name: PhaseName = 'idle';
  /** The one that was sent, until it has landed. */
  private out: Batch | null = null;

  get is(): PhaseName {
    return this.name;
  }

  /** What is out, and may still commit. */
  get batch(): Batch | null {
    return this.out;
  }

  /** Throws at a step that cannot follow. */
  step(step: 'launch', batch: Batch): void;
  step(step: Exclude<Step, 'launch'>): void;
  step(step: Step, batch?: Batch): void {
    const next = STEPS[this.name][step];
    if (next === undefined) throw new Error(`the writer cannot ${step} while it is ${this.name}`);
    this.name = next;
    if (next === 'idle' || next === 'fenced') this.out = null;
    else this.out = batch ?? this.out;
  }

  /** Whether commands are taken into the queue. */
  takes(): boolean {
    return this.name === 'idle' || this.name === 'flying';
  }
}
