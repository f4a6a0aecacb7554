import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMailer } from '../src/auth/mailer.ts';
import { loadConfig } from '../src/config.ts';
import { silent } from '../src/db/db.ts';

let server: Server;
let port: number;
let received = '';
beforeAll(async () => {
  // Just enough of SMTP to take one message.
  server = createServer((socket) => {
    let inData = false;
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (inData) {
        received += text;
        if (received.endsWith('\r\n.\r\n')) {
          inData = false;
          socket.write('250 taken\r\n');
        }
        return;
      }
      if (text.startsWith('DATA')) {
        inData = true;
        socket.write('354 go on\r\n');
      } else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => server.close());

it('[OPN-23] sends codes by SMTP when it is configured; a live site without it cannot', async () => {
  const config = loadConfig({
    FAIRGAME_DATA: '/tmp/fairgame-mail',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'fairGame <site@play.example>',
    FAIRGAME_SECRET: '8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0',
    FAIRGAME_OPERATOR_PASSWORD: 'chief-of-the-house-1',
  });
  await createMailer(config, silent)!({
    to: 'anna@example.org',
    subject: 'Your security code',
    text: 'Your security code is 123456.',
  });
  expect(received).toContain('From: fairGame <site@play.example>');
  expect(received).toContain('To: anna@example.org');
  expect(received).toContain('Your security code is 123456.');
  expect(createMailer({ ...config, smtpUrl: undefined, profile: 'production' }, silent)).toBeUndefined();
});
