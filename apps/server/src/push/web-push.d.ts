/** What is used of the library, which has no types of its own. */
declare module 'web-push' {
  interface Details {
    method: string;
    headers: Record<string, string | number>;
    body: Buffer | null;
    endpoint: string;
  }
  interface Options {
    vapidDetails: { subject: string; publicKey: string; privateKey: string };
    TTL: number;
    urgency: 'normal' | 'high';
    contentEncoding: 'aes128gcm';
  }
  const library: {
    generateRequestDetails(
      place: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: string,
      options: Options,
    ): Details;
  };
  export default library;
}
