/** A provider's program as small as it can be: list, launch, rounds, transactions, in both dialects, and ways to be unwell. */
import { createHmac, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeysA, KeysB } from './drivers.ts';

export interface Stub {
  url: string;
  /** well; refusing every launch; answering 500; signing badly; never answering; gone (the connection is cut). */
  state: 'well' | 'refuse' | 'error' | 'badSignature' | 'silent' | 'gone';
  /** Launches as they came in. */
  launches: Array<Record<string, unknown>>;
  calls: number;
  /** The list of transactions, in the words of the dialect. */
  transactions: object[];
  /** Where the launch address points; its own origin where not said. */
  launchUrl?: string;
  games: object[];
  close(): Promise<void>;
}

const GAMES = [
  ['Mines', 'mines', 'Others', 'mines', 'ACTIVE'],
  ['Plinko', 'plinko', 'Others', 'fun', 'ACTIVE'],
  ['Lotus Ways', 'lotus', 'Virtual', 'slots', 'ACTIVE'],
  ['Late Roulette', 'roulette', 'Live', 'roulette', 'MAINTENANCE'],
  ['Odd One', 'odd', 'Crash games', 'crash', 'ACTIVE'],
] as const;

export async function startStub(keys: KeysA | KeysB): Promise<Stub> {
  const dialect = 'secrets' in keys ? 'a' : 'b';
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => serve(req, res, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const stub: Stub = {
    url,
    state: 'well',
    launches: [],
    calls: 0,
    transactions: [],
    games: GAMES.map(([name, code, category, family, status]) => {
      const thumb = `/thumbs/${code}.svg`;
      return dialect === 'a'
        ? { name, code, category, family, subProvider: 'Alder Originals', thumb, status, demo: true }
        : { name, game_code: code, category, family, sub_provider: 'Beacon Originals', thumb, status, demo: true };
    }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  function serve(req: IncomingMessage, res: ServerResponse, raw: string): void {
    stub.calls += 1;
    if (stub.state === 'silent') return;
    if (stub.state === 'gone') {
      req.socket.destroy();
      return;
    }
    if (stub.state === 'error') {
      res.writeHead(500).end('{}');
      return;
    }
    const body = raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>);
    const path = (req.url ?? '').split('?', 1)[0]!;
    const what = dialect === 'a' ? path : String(body.action);
    const data = answer(what, body);
    if ('secrets' in keys) {
      const nonce = String(req.headers['x-nonce']);
      const text = JSON.stringify(data);
      const ts = String(Date.now());
      const secret = stub.state === 'badSignature' ? randomBytes(32) : keys.secrets[0]!;
      const sig = createHmac('sha256', secret).update(`${ts}.${nonce}.${text}`).digest('hex');
      res.writeHead(200, { 'x-key': 'key-1', 'x-ts': ts, 'x-nonce': nonce, 'x-sig': sig }).end(text);
    } else {
      const text = JSON.stringify({ action: body.action, ts: Date.now(), nonce: body.nonce, ...data });
      const key = stub.state === 'badSignature' ? keys.theirs[2]! : keys.theirs[0]!;
      const signature = sign(null, Buffer.from(text), key.privateKey).toString('base64');
      res.writeHead(200, { 'x-beacon-key': 'key-1', 'x-beacon-signature': signature }).end(text);
    }
  }

  function answer(what: string, body: Record<string, unknown>): object {
    const well = dialect === 'a' ? { code: 0 } : { status: 'ok' };
    switch (what) {
      case '/v1/games':
      case 'list':
        return { ...well, games: stub.games, somethingNew: { of: ['no', 'interest'] } };
      case '/v1/launch':
      case 'launch':
        stub.launches.push(body);
        if (stub.state === 'refuse') return dialect === 'a' ? { code: 43 } : { status: 'invalid_game' };
        return {
          ...well,
          url: stub.launchUrl ?? `${url}/play?ticket=${randomBytes(9).toString('hex')}`,
          expiresAt: Date.now() + 60_000,
          expires_at: Date.now() + 60_000,
        };
      case '/v1/transactions':
      case 'transactions':
        return { ...well, transactions: stub.transactions, next: null };
      default: {
        const proof = { game: 'mines', serverSeed: 'known', moves: [] };
        const round = { status: 'CLOSED', proof };
        return dialect === 'a'
          ? { ...well, round: { ...round, id: what.split('/').at(-1), stake: 500, paid: 0 } }
          : { ...well, round: { ...round, round_id: body.round_id, stake: '5.00', paid: '0.00' } };
      }
    }
  }
  return stub;
}
