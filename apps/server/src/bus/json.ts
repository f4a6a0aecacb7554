/** Bodies of messages as JSON. */
export const pack = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
export const unpack = <T>(body: Uint8Array): T => JSON.parse(Buffer.from(body).toString()) as T;
