import { COUNT, CodedError, DEFAULT_BUTTONS } from '@fairgame/contract';

const MOST_CHARS = 10;
const MOST_VALUE = 100_000_000;
const HOSTILE = new Set(['__proto__', 'constructor', 'prototype']);
/** One pair of a flat JSON object. Read by hand, since JSON.parse silently drops the first of two equal labels. */
const PAIR =
  /\s*("(?:[^"\\]|\\.)*")\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\]|\\.)*"|null|true|false)\s*(,|$)/y;

/**
 * Reads stake buttons: JSON text mapping 1 to 8 labels of 1 to 10 characters to whole numbers from 1 to 100,000,000, no
 * label twice (OPN-19, CAR-31). Gives the text to keep, pairs in their order. Throws BAD_INPUT or BUTTON_LABEL_TWICE.
 */
export function readButtons(text: string): string {
  const body = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
  if (body === undefined) throw bad('Buttons are a list of labels and values.');
  const pairs: Array<[string, number]> = [];
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < body.length || pairs.length === 0) {
    const match = PAIR.exec(body);
    if (!match) throw bad('Buttons are a list of labels and values.');
    pairs.push([labelOf(match[1]!), wholeOf(match[2]!)]);
    if (match[3] === '') break;
    if (PAIR.lastIndex >= body.length) throw bad('Buttons are a list of labels and values.');
  }
  if (pairs.length > COUNT.buttonRows) throw bad(`At most ${COUNT.buttonRows} buttons.`);
  const labels = new Set(pairs.map(([label]) => label));
  if (labels.size < pairs.length) throw new CodedError('BUTTON_LABEL_TWICE', { field: 'value' });
  return toText(pairs);
}

export const defaultButtons = (): string => toText(Object.entries(DEFAULT_BUTTONS).sort((a, b) => a[1] - b[1]));

function toText(pairs: ReadonlyArray<readonly [string, number]>): string {
  return `{${pairs.map(([label, value]) => `${JSON.stringify(label)}:${value}`).join(',')}}`;
}

function labelOf(json: string): string {
  let label: string;
  try {
    label = (JSON.parse(json) as string).trim();
  } catch {
    throw bad('A label is not valid.');
  }
  const length = Array.from(label).length;
  if (length < 1 || length > MOST_CHARS || /\p{C}/u.test(label) || HOSTILE.has(label)) {
    throw bad(`A label has 1 to ${MOST_CHARS} characters.`);
  }
  return label;
}

function wholeOf(json: string): number {
  const value = /^\d+$/.test(json) ? Number(json) : Number.NaN;
  if (!Number.isInteger(value) || value < 1 || value > MOST_VALUE)
    throw bad('A value is a whole number from 1 to 100,000,000.');
  return value;
}

const bad = (message: string): CodedError => new CodedError('BAD_INPUT', { field: 'value', message });
