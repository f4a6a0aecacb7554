/** A push service of the test's own, on this machine, and a browser that reads what comes. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export async function makePushService() {
  const came: Pushed[] = [];
  const answers = new Map<string, number>();
  const server = createServer((req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('end', () => {
      came.push({ path: req.url!, headers: req.headers, body: Buffer.concat(pieces) });
      res.writeHead(answers.get(req.url!) ?? 201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    came,
    origin,
    answer: (path: string, status: number) => void answers.set(path, status),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** What a browser makes when a page subscribes, and how it opens what is sent to it (RFC 8291, section 3.4; RFC 8188). */
export function makeBrowser(endpoint: string) {
  const pair = createECDH('prime256v1');
  const own = pair.generateKeys();
  const secret = randomBytes(16);
  return {
    subscription: { endpoint, p256dh: own.toString('base64url'), auth: secret.toString('base64url') },
    read(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const idLength = body[20]!;
      const sender = body.subarray(21, 21 + idLength);
      const shared = pair.computeSecret(sender);
      const about = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]);
      const key = Buffer.from(hkdfSync('sha256', shared, secret, about, 32));
      const derive = (what: string, length: number) =>
        Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${what}\0`, length));
      const sealed = body.subarray(21 + idLength);
      const opening = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      opening.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
      // The padding ends with a 2 in the last record.
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
    },
  };
}

/** The claims of a VAPID header (RFC 8292), after its signature by the site's key; throws where that is not good. */
export function readVapid(header: string, siteKey: string): { aud: string; exp: number; sub: string } {
  const [, token, key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
  if (key !== siteKey) throw new Error('signed by another key');
  const point = Buffer.from(siteKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  const good = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!good) throw new Error('the signature is not good');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}
