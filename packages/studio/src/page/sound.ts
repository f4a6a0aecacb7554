/** Short effects made by WebAudio; off until the player switches them on, and forgotten with the page. */
import type { Effect } from './board.ts';

type Made = Effect | 'win' | 'cash';

interface Note {
  readonly at: number;
  readonly hertz: number;
  readonly to?: number;
  readonly seconds: number;
  readonly loud: number;
  readonly wave: OscillatorType;
}

const EFFECTS: Readonly<Record<Made, readonly Note[]>> = {
  tick: [{ at: 0, hertz: 1250, to: 900, seconds: 0.03, loud: 0.08, wave: 'triangle' }],
  place: [{ at: 0, hertz: 220, to: 120, seconds: 0.09, loud: 0.2, wave: 'sine' }],
  deal: [{ at: 0, hertz: 520, to: 180, seconds: 0.07, loud: 0.09, wave: 'triangle' }],
  move: [{ at: 0, hertz: 360, to: 480, seconds: 0.09, loud: 0.12, wave: 'sine' }],
  cash: [
    { at: 0, hertz: 660, seconds: 0.12, loud: 0.12, wave: 'sine' },
    { at: 0.08, hertz: 880, seconds: 0.16, loud: 0.12, wave: 'sine' },
  ],
  win: [
    { at: 0, hertz: 523, seconds: 0.18, loud: 0.12, wave: 'sine' },
    { at: 0.1, hertz: 659, seconds: 0.18, loud: 0.12, wave: 'sine' },
    { at: 0.2, hertz: 784, seconds: 0.32, loud: 0.12, wave: 'sine' },
  ],
};

export interface Sound {
  readonly on: boolean;
  /** The player's own switch; called from a press, as browsers ask for. */
  turn(on: boolean): void;
  /** The site's mute: silent as long as it lasts, whatever the switch says. It never switches sound on. */
  mute(on: boolean): void;
  play(effect: Made): void;
}

export function createSound(): Sound {
  let on = false;
  let muted = false;
  let context: AudioContext | null = null;
  return {
    get on() {
      return on;
    },
    turn(to) {
      on = to;
      if (!to) return;
      context ??= typeof AudioContext === 'undefined' ? null : new AudioContext();
      void context?.resume();
    },
    mute(to) {
      muted = to;
    },
    play(effect) {
      if (!on || muted || !context) return;
      for (const note of EFFECTS[effect]) tone(context, note);
    },
  };
}

function tone(context: AudioContext, note: Note) {
  const from = context.currentTime + note.at;
  const till = from + note.seconds;
  const voice = context.createOscillator();
  const gain = context.createGain();
  voice.type = note.wave;
  voice.frequency.setValueAtTime(note.hertz, from);
  if (note.to) voice.frequency.exponentialRampToValueAtTime(note.to, till);
  gain.gain.setValueAtTime(note.loud, from);
  gain.gain.exponentialRampToValueAtTime(0.0001, till);
  voice.connect(gain).connect(context.destination);
  voice.start(from);
  voice.stop(till);
}
