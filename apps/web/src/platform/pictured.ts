/** The most that the client waits for its first picture. */
const PICTURE_MS = 500;

/**
 * Once the page has drawn its first picture (#splash), or at once in a tab that nobody sees: it draws none. The client is
 * fetched meanwhile and runs behind it: a slow phone would show nothing until it has.
 */
export function pictured(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((done) => {
    setTimeout(done, PICTURE_MS);
    requestAnimationFrame(() => setTimeout(done));
  });
}
