/** Two short tones. Browsers allow them after the first press on the page; before it nothing is heard. */
let context: AudioContext | undefined;

const TONES = [
  { hertz: 880, at: 0 },
  { hertz: 1175, at: 0.14 },
];
const LENGTH_S = 0.22;

export function chime(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const { hertz, at } of TONES) tone(context, hertz, context.currentTime + at);
  } catch {
    // A machine without sound: the words stand on the page.
  }
}

/** News come to all pages of a player at the same time: one of those that may be heard sounds for all. */
export function chimeOnce(): void {
  const { locks, userActivation } = navigator;
  if (!locks || !userActivation) chime();
  else if (userActivation.hasBeenActive)
    void locks.request('fairgame-chime', { ifAvailable: true }, async (mine) => {
      if (!mine) return;
      chime();
      await new Promise((resolve) => setTimeout(resolve, LENGTH_S * 2000));
    });
}

function tone(on: AudioContext, hertz: number, at: number): void {
  const [source, volume] = [on.createOscillator(), on.createGain()];
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + LENGTH_S);
  source.connect(volume).connect(on.destination);
  source.start(at);
  source.stop(at + LENGTH_S);
}
