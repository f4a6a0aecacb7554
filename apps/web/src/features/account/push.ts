import { CALLS } from '@fairgame/contract';
import { api } from '../../api/api.ts';
import { language } from '../../platform/language.ts';

/** Web push needs the service worker, which only a built client has. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && import.meta.env.PROD;

/** This browser is told also when no page is open. Throws where browser, push service or site refuse. */
export async function startPush(keep: boolean): Promise<void> {
  const worker = await navigator.serviceWorker.ready;
  const { key } = await api(CALLS.alerts.pushKey, {}, { quiet: true });
  const subscription = await subscribed(worker, key);
  const { endpoint, keys } = subscription.toJSON();
  const spoken = language();
  const body = {
    endpoint: endpoint ?? '',
    p256dh: keys?.p256dh ?? '',
    auth: keys?.auth ?? '',
    keep,
    ...(spoken !== 'en-XA' && { language: spoken }),
  };
  await api(CALLS.alerts.subscribe, { body }, { quiet: true });
}

export async function endPush(): Promise<void> {
  const subscription = await current();
  if (!subscription) return;
  await api(CALLS.alerts.unsubscribe, { body: { endpoint: subscription.endpoint } }, { quiet: true });
  await subscription.unsubscribe();
}

/** Whether the browser still has a subscription, and the site a browser of the player. */
export async function isPushed(): Promise<boolean> {
  try {
    if (!(await current())) return false;
    return (await api(CALLS.alerts.pushKey, {}, { quiet: true })).places > 0;
  } catch {
    // Not known now: as it was.
    return true;
  }
}

const current = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker?.getRegistration())?.pushManager.getSubscription()) ?? null;

/** One of another key of the site, from before its keys were made anew, is of no use. */
async function subscribed(worker: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await worker.pushManager.subscribe(wanted);
  } catch (error) {
    const old = await worker.pushManager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return worker.pushManager.subscribe(wanted);
  }
}
