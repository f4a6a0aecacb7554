#!/usr/bin/env node
// Stands where the driver expects Firefox: starts it and passes on what both say. The driver always asks for media
// features to be emulated, which Firefox ESR does not know; that one command is answered here, as done.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const UNKNOWN = 'emulation.setMediaFeaturesOverride';

const firefox = spawn(process.env.FIREFOX_PATH, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('error', (error) => {
  console.error(String(error));
  process.exit(1);
});
firefox.on('exit', (code) => process.exit(code ?? 1));

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const address = /(?<=WebDriver BiDi listening on )ws:\/\/\S+/.exec(line)?.[0];
  if (!address) return console.error(line);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('listening', () => console.error(line.replace(address, `ws://127.0.0.1:${server.address().port}`)));
  server.on('connection', (driver, request) => join(driver, new WebSocket(address + request.url)));
});

function join(driver, browser) {
  const waiting = [];
  browser.on('open', () => {
    for (const text of waiting.splice(0)) browser.send(text);
  });
  driver.on('message', (data) => {
    const text = String(data);
    if (text.includes(UNKNOWN)) {
      const { id, method } = JSON.parse(text);
      if (method === UNKNOWN) return driver.send(JSON.stringify({ type: 'success', id, result: {} }));
    }
    if (browser.readyState === WebSocket.OPEN) browser.send(text);
    else waiting.push(text);
  });
  browser.on('message', (data) => driver.send(String(data)));
  browser.on('close', () => driver.close());
  driver.on('close', () => browser.close());
  for (const side of [driver, browser]) side.on('error', () => side.terminate());
}
