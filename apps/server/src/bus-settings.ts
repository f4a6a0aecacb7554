/** Where the site's NATS is. Secrets may stand in files: NATS_CREDS_FILE, NATS_PASSWORD_FILE, NATS_CA_FILE. */
import type { BusSettings } from './bus/bus.ts';
import type { Settings } from './settings.ts';

/** Undefined without NATS_URL: then the site is one process. */
export function readBus(
  value: Settings['value'],
  list: Settings['list'],
  number: Settings['number'],
  problems: string[],
): BusSettings | undefined {
  const servers = list('NATS_URL');
  const creds = value('NATS_CREDS');
  const user = value('NATS_USER');
  const password = value('NATS_PASSWORD');
  const ca = value('NATS_CA');
  const replicas = number('NATS_REPLICAS', 1, 1, 5);
  if (servers.length === 0) return undefined;

  for (const server of servers) {
    const url = URL.canParse(server) ? new URL(server) : undefined;
    if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '')
      problems.push('NATS_URL must be addresses as nats://host:4222 or tls://host:4222, with commas between');
    else if (url.username !== '' || url.password !== '')
      problems.push('NATS_URL must not hold a password: NATS_USER and NATS_PASSWORD, or NATS_CREDS');
  }
  if (creds !== undefined && !creds.includes('BEGIN NATS USER JWT'))
    problems.push('NATS_CREDS must be the text of a credentials file; NATS_CREDS_FILE names one');
  if (creds !== undefined && user !== undefined) problems.push('NATS_CREDS and NATS_USER exclude each other');
  if ((user === undefined) !== (password === undefined)) problems.push('NATS_USER and NATS_PASSWORD go together');
  if (ca !== undefined && !ca.includes('BEGIN CERTIFICATE'))
    problems.push('NATS_CA must be certificates (PEM); NATS_CA_FILE names a file of them');
  if (replicas % 2 === 0 || !Number.isInteger(replicas)) problems.push('NATS_REPLICAS must be 1, 3 or 5');
  return { servers: [...new Set(servers)], creds, user, password, ca, replicas };
}
