import { setTablePrefs, tablePrefs } from './table-prefs.ts';

/**
 * The sounds of a table, made of filtered noise: chips and cards are no tones. Off until the player switches them on; the
 * end of a round sounds the same whatever it brought.
 */
export type Effect = 'chip' | 'card' | 'tick' | 'closed' | 'result';

/** A burst of noise: when, how long, around which pitch, how narrow, how loud. */
interface Burst {
  readonly at: number;
  readonly seconds: number;
  readonly hertz: number;
  readonly narrow: number;
  readonly loud: number;
}

const EFFECTS: Readonly<Record<Effect, readonly Burst[]>> = {
  chip: [
    { at: 0, seconds: 0.03, hertz: 4200, narrow: 9, loud: 0.5 },
    { at: 0.045, seconds: 0.025, hertz: 5200, narrow: 12, loud: 0.32 },
  ],
  card: [{ at: 0, seconds: 0.14, hertz: 1700, narrow: 0.8, loud: 0.16 }],
  tick: [{ at: 0, seconds: 0.02, hertz: 2400, narrow: 22, loud: 0.4 }],
  closed: [{ at: 0, seconds: 0.09, hertz: 260, narrow: 2, loud: 0.7 }],
  result: [
    { at: 0, seconds: 0.3, hertz: 660, narrow: 40, loud: 0.8 },
    { at: 0.14, seconds: 0.4, hertz: 880, narrow: 46, loud: 0.7 },
  ],
};

/** Not a player's: the browser's own. */
let context: AudioContext | null = null;
/** Not a player's: made once. */
let noise: AudioBuffer | null = null;

/** The player's own switch; called from a press, as browsers ask for. */
export function switchSound(on: boolean): void {
  setTablePrefs({ sound: on });
  if (on) {
    ready();
    playSound('chip');
  }
}

/** A browser may want a press before it sounds: until then it is silent. */
export function playSound(effect: Effect): void {
  if (!tablePrefs().sound || document.visibilityState === 'hidden') return;
  const audio = ready();
  if (!audio || audio.state !== 'running') return;
  for (const burst of EFFECTS[effect]) sound(audio, burst);
}

function ready(): AudioContext | null {
  if (typeof AudioContext === 'undefined') return null;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

function sound(audio: AudioContext, { at, seconds, hertz, narrow, loud }: Burst): void {
  noise ??= whiteNoise(audio);
  const from = audio.currentTime + at;
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  const gain = audio.createGain();
  source.buffer = noise;
  band.type = 'bandpass';
  band.frequency.value = hertz;
  band.Q.value = narrow;
  gain.gain.setValueAtTime(loud, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + seconds);
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(from, Math.random() * 0.5, seconds);
}

function whiteNoise(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
