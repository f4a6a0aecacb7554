import { createServer } from 'node:http';
import { fakeWallet } from './fakes.ts';
import { createHost } from '../../src/host/host.ts';
import { GAMES } from '../../src/studio.ts';
const wallet = fakeWallet({ inOneCall: false });
const host = createHost({ provider: { code: 'b', name: 'Beacon Live', look: 'b', subProvider: 'x', games: [...GAMES.keys()] },
  dialect: { wallet: () => wallet, routes: () => {} }, publicOrigin: 'http://localhost:4161', parentOrigins: ['http://localhost:4162'], dataFolder: null, pageFolder: '/tmp/kit-dist' } as never);
await host.http.listen({ port: 4161, host: '127.0.0.1' });
let n = 0;
createServer((req, res) => {
  const url = new URL(req.url!, 'http://x');
  if (url.pathname === '/launch') { const l = host.operator.launch({ mode: 'real', game: url.searchParams.get('game')!, player: 'p-1', token: 't' + ++n, currency: 'EUR', theme: 'light' } as never); res.end(JSON.stringify(l)); return; }
  res.setHeader('content-type', 'text/html');
  res.end(`<!doctype html><body style="margin:0"><iframe id=f sandbox="allow-scripts allow-same-origin" style="border:0;width:100%;height:100vh"></iframe><script>window.got=[];addEventListener('message',e=>got.push([e.origin,e.data]));fetch('/launch?game='+new URLSearchParams(location.search).get('game')).then(r=>r.json()).then(l=>f.src=l.url)</script>`);
}).listen(4162, () => console.log('up'));
