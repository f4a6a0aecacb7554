import { type Frame, type LiveImages, liveDataEvent, RECONNECT } from '@fairgame/contract';
import { io, type Socket } from 'socket.io-client';
import { socketBase } from '../api/hosts.ts';
import { readSession } from '../session/session.ts';
import { onPace, pace, SLOW_MS } from './pace.ts';
import * as store from './store.ts';

/**
 * The second socket: prices and scores of the matches on the screen. Several parts of a page may watch; what the server
 * is asked for is the union. Nothing is drawn while the tab is hidden: on return images are asked for.
 */
let socket: Socket | null = null;
let asked = '';
let pending = false;
const watches = new Set<{ ids: readonly number[]; mode: 'full' | 'head' }>();
const depths = new Map<string, { marketId: number; runnerId: number; count: number }>();
let lastFrameAt = 0;
let silence: ReturnType<typeof setInterval> | null = null;

/** No frame for this long means that prices are old: the server sends at least an empty one every 2 s. */
const SILENT_MS = 5000;
const MAX_MATCHES = 60;

export function watchMatches(ids: readonly number[], mode: 'full' | 'head'): () => void {
  const watch = { ids, mode };
  watches.add(watch);
  renew();
  return () => {
    watches.delete(watch);
    renew();
  };
}

export function watchDepth(marketId: number, runnerId: number): () => void {
  const id = `${marketId}.${runnerId}`;
  const held = depths.get(id) ?? { marketId, runnerId, count: 0 };
  held.count += 1;
  depths.set(id, held);
  if (held.count === 1) socket?.emit('depth', { marketId, runnerId, on: true });
  return () => {
    held.count -= 1;
    if (held.count > 0) return;
    depths.delete(id);
    store.forgetDepth(marketId, runnerId);
    socket?.emit('depth', { marketId, runnerId, on: false });
  };
}

/** Leaves and forgets everything: at sign-out. */
export function closeMatchSocket(): void {
  socket?.disconnect();
  socket = null;
  asked = '';
  if (silence) clearInterval(silence);
  silence = null;
  store.setHealth('lost');
  store.clear();
}

function wanted(): { full: number[]; head: number[] } {
  const full = new Set<number>();
  const head = new Set<number>();
  for (const { ids, mode } of watches) for (const id of ids) (mode === 'full' ? full : head).add(id);
  for (const id of full) head.delete(id);
  return { full: [...full].slice(0, MAX_MATCHES), head: [...head].slice(0, MAX_MATCHES) };
}

/** One message for all changes of a turn: a screen leaving and the next one coming are one change. */
function renew(): void {
  if (pending) return;
  pending = true;
  queueMicrotask(() => {
    pending = false;
    const want = wanted();
    const text = JSON.stringify(want);
    if (text === asked) return;
    const before = asked === '' ? { full: [], head: [] } : (JSON.parse(asked) as { full: number[]; head: number[] });
    asked = text;
    if (want.full.length + want.head.length === 0) {
      for (const matchId of before.full) socket?.emit('disconnectCricketData', { matchId });
      socket?.emit('leaveAll');
      return;
    }
    if (!socket) return connect(want);
    for (const matchId of before.full)
      if (!want.full.includes(matchId)) socket.emit('disconnectCricketData', { matchId });
    listen(want);
    if (socket.connected) socket.emit('watch', want);
  });
}

function connect(want: { full: number[]; head: number[] }): void {
  const token = readSession()?.token;
  if (!token) return;
  const ids = [...want.full, ...want.head].slice(0, MAX_MATCHES);
  socket = io(`${socketBase()}/match`, {
    ...RECONNECT,
    transports: ['websocket', 'polling'],
    auth: (give) => give({ token: readSession()?.token ?? token }),
    query: { matchIdArray: ids.join(','), roleName: 'user', frames: '1' },
    forceNew: true,
  });
  listen(want);
  socket.on('connect', () => {
    lastFrameAt = Date.now();
    store.setHealth('live');
    socket?.emit('watch', wanted());
    for (const { marketId, runnerId } of depths.values()) socket?.emit('depth', { marketId, runnerId, on: true });
  });
  socket.on('disconnect', () => store.setHealth('lost'));
  socket.on('frame', (frame: Frame) => {
    lastFrameAt = Date.now();
    take(frame);
  });
  silence ??= setInterval(() => {
    if (socket?.connected && Date.now() - lastFrameAt > SILENT_MS) store.setHealth('late');
  }, 1000);
}

const listening = new Set<number>();
function listen(want: { full: number[]; head: number[] }): void {
  if (!socket) return;
  const now = new Set([...want.full, ...want.head]);
  for (const id of listening) {
    if (now.has(id)) continue;
    socket.off(liveDataEvent(id));
    listening.delete(id);
  }
  for (const id of now) {
    if (listening.has(id) && socket.hasListeners(liveDataEvent(id))) continue;
    listening.add(id);
    socket.on(liveDataEvent(id), (message: LiveImages) => {
      lastFrameAt = Date.now();
      store.setHealth('live');
      // Frozen figures stay as they stand; what was never shown may come.
      if (pace() !== 'frozen' || store.marketIds(message.id).length === 0) store.takeImages(message);
    });
  }
}

/** Frames that wait for the next beat of slow prices. */
const waiting: Frame[] = [];
let beat: ReturnType<typeof setInterval> | undefined;

function take(frame: Frame): void {
  if (pace() === 'live') play(frame);
  else if (pace() === 'slow') {
    waiting.push(frame);
    // A market that closes or opens does not wait; nor does a row of frames that only grows.
    const urgent = frame.m.some(({ d, gone }) => gone || d?.status !== undefined);
    if (urgent || waiting.length > 200) playWaiting();
  }
  // Frozen: thrown away. When prices run again their images are asked for.
}

function play(frame: Frame): void {
  for (const matchId of store.takeFrame(frame)) socket?.emit('resync', { matchId });
}

function playWaiting(): void {
  for (const frame of waiting.splice(0)) play(frame);
}

function beatWhileSlow(): void {
  clearInterval(beat);
  beat = pace() === 'slow' ? setInterval(playWaiting, SLOW_MS) : undefined;
}
beatWhileSlow();
onPace((next, before) => {
  if (before === 'slow') playWaiting();
  beatWhileSlow();
  if (before === 'frozen' && next !== 'frozen') askForImages();
});

function askForImages(): void {
  if (!socket?.connected) return;
  const { full, head } = wanted();
  for (const matchId of [...full, ...head]) socket.emit('resync', { matchId });
}

// Back from a hidden tab: what was missed is not played back, it is replaced.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && pace() !== 'frozen') askForImages();
});
