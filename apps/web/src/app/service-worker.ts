import { notices } from '../platform/notices.ts';
import { whenQuiet } from '../platform/when-quiet.ts';
import { onSession } from '../session/session.ts';

const PATH = '/sw.js';

/**
 * Registers the service worker of a production build, when the page has loaded and has time. A browser
 * that obeys the Clear-Site-Data of the sign-out wipes the worker too: it is registered again afterwards.
 */
export function startServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const begin = () => whenQuiet(() => void register());
  begin();
  onSession((session, reason) => {
    if (session) return;
    if (reason === 'signedOut' && !notices().keep) void endPush().catch(() => undefined);
    setTimeout(begin, 3000);
  });
}

/**
 * Who signs out here is told here no more. The server ends its part with the session; where the network is away it hears of neither,
 * and would go on telling whoever sits here next.
 */
async function endPush(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register(scriptUrl() as string);
  } catch (error) {
    // Private windows and full disks refuse it: the product works without, it only does not start offline.
    console.info('No offline start:', error);
  }
}

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}
let made: { createScriptURL(url: string): unknown } | undefined;

/** The content policy demands trusted script addresses; the one policy of the client allows this one address. */
function scriptUrl(): unknown {
  const types = (globalThis as { trustedTypes?: Policies }).trustedTypes;
  if (!types) return PATH;
  made ??= types.createPolicy('fairgame-worker', {
    createScriptURL(url) {
      if (url !== PATH) throw new TypeError('Only the service worker is loaded by address.');
      return url;
    },
  });
  return made.createScriptURL(PATH);
}
