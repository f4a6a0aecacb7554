import { Signal } from '../platform/listeners.ts';
import { device } from '../platform/storage.ts';

/** Whether the price in the slip is spoken to screen readers as it moves. Kept for this browser; on until told otherwise. */
const KEY = 'speakPrice';
const changed = new Signal();
let on = device.text(KEY) !== 'off';

export const speaks = (): boolean => on;
export const onSpeaks = changed.on;

export function setSpeaks(next: boolean): void {
  on = next;
  device.keepText(KEY, next ? 'on' : 'off');
  changed.tell();
}
