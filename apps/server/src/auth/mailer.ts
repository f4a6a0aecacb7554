import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Log } from '../db/db.ts';

export interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Delivers a message to a player. Resolves when it is handed over. */
export type Deliver = (message: Message) => Promise<void>;

/** By SMTP when it is configured; on a local site the server's log stands in for the mailbox. */
export function createMailer(config: Config, log: Log): Deliver | undefined {
  if (config.smtpUrl) {
    const transport = createTransport(config.smtpUrl);
    return async (message) => {
      await transport.sendMail({ from: config.mailFrom, ...message });
    };
  }
  if (config.profile === 'production') return undefined;
  return (message) => {
    log.warn(
      { to: message.to, subject: message.subject, text: message.text },
      'message to a player (no SMTP configured)',
    );
    return Promise.resolve();
  };
}
