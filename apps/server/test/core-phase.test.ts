/** The writer's table of what may follow what. */
import { describe, expect, it } from 'vitest';
import { Phase, type PhaseName, STEPS, type Step } from '../src/core/phase.ts';

const WAYS: Readonly<Record<PhaseName, readonly Step[]>> = {
  idle: [],
  flying: ['launch'],
  deciding: ['launch', 'decide'],
  fenced: ['fence'],
};

/** A phase that came where it is by the steps that lead there. */
function phaseAt(name: PhaseName): Phase<string> {
  const phase = new Phase<string>();
  for (const step of WAYS[name]) take(phase, step);
  expect(phase.is).toBe(name);
  return phase;
}

function take(phase: Phase<string>, step: Step): void {
  if (step === 'launch') phase.step(step, 'a batch');
  else phase.step(step);
}

describe('the phases of the writer', () => {
  const table: ReadonlyArray<[PhaseName, Step, PhaseName | 'never']> = [
    ['idle', 'launch', 'flying'],
    ['idle', 'decide', 'never'],
    ['idle', 'land', 'never'],
    ['idle', 'fence', 'fenced'],
    ['flying', 'launch', 'never'],
    ['flying', 'decide', 'deciding'],
    ['flying', 'land', 'idle'],
    ['flying', 'fence', 'fenced'],
    ['deciding', 'launch', 'never'],
    ['deciding', 'decide', 'never'],
    ['deciding', 'land', 'idle'],
    ['deciding', 'fence', 'fenced'],
    ['fenced', 'launch', 'never'],
    ['fenced', 'decide', 'fenced'],
    ['fenced', 'land', 'fenced'],
    ['fenced', 'fence', 'fenced'],
  ];

  it.each(table)('%s, %s: %s', (from, step, to) => {
    const phase = phaseAt(from);
    if (to === 'never') {
      expect(() => take(phase, step)).toThrow(`cannot ${step} while it is ${from}`);
      expect(phase.is).toBe(from);
    } else {
      take(phase, step);
      expect(phase.is).toBe(to);
    }
  });

  it('the table above names every phase and every step', () => {
    const steps: readonly Step[] = ['launch', 'decide', 'land', 'fence'];
    expect(table).toHaveLength(Object.keys(STEPS).length * steps.length);
  });

  it('keeps what is out until it has landed, and takes commands while nobody has to be asked what became of it', () => {
    const known = (name: PhaseName) => ({ batch: phaseAt(name).batch, takes: phaseAt(name).takes() });
    expect(known('idle')).toEqual({ batch: null, takes: true });
    expect(known('flying')).toEqual({ batch: 'a batch', takes: true });
    expect(known('deciding')).toEqual({ batch: 'a batch', takes: false });
    expect(known('fenced')).toEqual({ batch: null, takes: false });
  });

  it('who was fenced while a batch was out stays fenced, whatever becomes of the batch', () => {
    const phase = phaseAt('flying');
    for (const step of ['fence', 'decide', 'land'] as const) phase.step(step);
    expect(phase.is).toBe('fenced');
    expect(phase.takes()).toBe(false);
  });
});
