/** Files of deploy/ as the programs read them that they are for, where this machine has those. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findNats } from './nats-server.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const folder = mkdtempSync(join(tmpdir(), 'fairgame-deploy-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

const there = (name: string): string | undefined =>
  ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].map((at) => join(at, name)).find((path) => existsSync(path));
/** All that it says, and how it ended. */
function says(program: string, ...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
  return { status, text: `${stdout}${stderr}` };
}

const systemd = there('systemd-analyze');
describe.skipIf(!systemd)('deploy/systemd, by systemd-analyze (where it is installed)', () => {
  const units = readdirSync(join(DEPLOY, 'systemd')).filter((name) => /\.(service|timer)$/.test(name));
  /** A field that is not known is told and passed over, so that what it says counts. */
  const verify = (path: string) => says(systemd!, 'verify', '--man=no', path);

  it.each(units)('%s has nothing to be told about', (name) => {
    expect(verify(join(DEPLOY, 'systemd', name))).toEqual({ status: 0, text: '' });
  });

  it('a unit with a misspelt field has', () => {
    const path = join(folder, 'misspelt.service');
    const unit = readFileSync(join(DEPLOY, 'systemd/fairgame.service'), 'utf8');
    writeFileSync(path, unit.replace('TimeoutStopSec=', 'TimeoutStopSecs='));
    expect(verify(path).text).toContain('TimeoutStopSecs');
  });
});

const [nats, openssl] = [findNats(), there('openssl')];
describe.skipIf(!nats || !openssl)('deploy/nats.conf, by nats-server (where it and openssl are installed)', () => {
  /** With a certificate of this machine in the place of the secrets. */
  function check(change: (settings: string) => string): { status: number | null; text: string } {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=nats'.split(' ');
    execFileSync(openssl!, [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const settings = readFileSync(join(DEPLOY, 'nats.conf'), 'utf8')
      .replace('/run/secrets/nats-cert', cert)
      .replace('/run/secrets/nats-key', key);
    const path = join(folder, 'nats.conf');
    writeFileSync(path, change(settings));
    return says(nats!, '-c', path, '-t');
  }

  it('is accepted, and not with a misspelt field', () => {
    expect(check((settings) => settings)).toMatchObject({ status: 0, text: expect.stringContaining('is valid') });
    expect(check((settings) => settings.replace('ping_max', 'ping_most')).status).not.toBe(0);
  });
});
