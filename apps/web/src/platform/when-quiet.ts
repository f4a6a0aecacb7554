/** Runs it when the page has loaded and has time: what nobody waits for must not be fetched beside the first screen. */
export function whenQuiet(run: () => void): void {
  const soon = () => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5000 });
    else setTimeout(run, 2000);
  };
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon, { once: true });
}
