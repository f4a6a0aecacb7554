import { describe, expect, it } from 'vitest';
import { FRAME_ERRORS, frameMessage, siteMessage } from '../src/frame.ts';

describe('messages through the edge of a frame', () => {
  it('[PRV-14] takes the six messages of a game', () => {
    for (const message of [
      { v: 1, type: 'ready', game: 'mines' },
      { v: 1, type: 'roundStart', roundId: 'A.r-1:2' },
      { v: 1, type: 'roundEnd', roundId: 'A.r-1:2' },
      { v: 1, type: 'balanceChanged' },
      { v: 1, type: 'exit' },
      ...FRAME_ERRORS.map((code) => ({ v: 1, type: 'error', code })),
    ])
      expect(frameMessage(message)).toEqual(message);
  });

  it.each([
    null,
    undefined,
    'exit',
    42,
    [],
    [{ v: 1, type: 'exit' }],
    {},
    { type: 'exit' },
    { v: 2, type: 'exit' },
    { v: '1', type: 'exit' },
    { v: 1, type: 'EXIT' },
    { v: 1, type: 'toString' },
    { v: 1, type: 'exit', to: 'https://elsewhere.test' },
    { v: 1, type: 'balanceChanged', balanceMinor: 99_999_999 },
    { v: 1, type: 'ready' },
    { v: 1, type: 'ready', game: 7 },
    { v: 1, type: 'ready', game: '<img src=x onerror=alert(1)>' },
    { v: 1, type: 'ready', game: 'x'.repeat(81) },
    { v: 1, type: 'roundEnd', roundId: 'r1', balanceMinor: 5 },
    { v: 1, type: 'roundEnd', roundId: { id: 'r1' } },
    { v: 1, type: 'error', code: 'SOMETHING_ELSE' },
    { v: 1, type: 'error', code: 'NO_FUNDS', text: 'words' },
    { v: 1, type: 'error' },
  ])('[PRV-14] takes nothing of any other shape: %j', (data) => {
    expect(frameMessage(data)).toBeNull();
  });

  it('takes the five messages of the site, and nothing else', () => {
    for (const message of [
      { v: 1, type: 'pause' },
      { v: 1, type: 'resume' },
      { v: 1, type: 'mute', on: true },
      { v: 1, type: 'realityCheck' },
      { v: 1, type: 'theme', theme: 'light' },
    ])
      expect(siteMessage(message)).toEqual(message);
    for (const data of [
      { v: 1, type: 'mute', on: 'yes' },
      { v: 1, type: 'theme', theme: 'blue' },
      { v: 1, type: 'pause', for: 5 },
      { v: 1, type: 'ready', game: 'mines' },
      { v: 0, type: 'pause' },
      null,
    ])
      expect(siteMessage(data)).toBeNull();
  });
});
