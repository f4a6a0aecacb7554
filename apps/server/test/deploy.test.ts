/** The files of deploy/: every field is one that is known, and a live site accepts the settings they give it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type Config, loadConfig } from '../src/config.ts';
import { composeFile, kubernetesObject, systemdUnit } from './deploy-shapes.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'fairgame-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What an operator puts in the place of CHANGE-ME. */
const OWN: Record<string, string> = {
  FAIRGAME_SECRET: '8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0',
  FAIRGAME_METRICS_TOKEN: 'b'.repeat(32),
};
const SETTINGS = readFileSync(join(DEPLOY, '../docs/operations.md'), 'utf8');

/** The configuration of a site with this environment; a secret that stands in a file is as one that stands in it. */
function configOf(given: Readonly<Record<string, string>>): Config {
  const env: Record<string, string> = {};
  for (const [name, text] of Object.entries(given)) {
    const plain = name.replace(/_FILE$/, '');
    expect(SETTINGS, `${plain} is a setting`).toContain(`\`${plain}\``);
    env[plain] = OWN[plain] ?? text.replace('CHANGE-ME', 'own');
  }
  // The folder is of a machine that is not this one.
  return loadConfig({ ...env, FAIRGAME_DATA: folder });
}

/** The grace before a kill must let the site end in good order. */
const outlives = (seconds: number, { hardStopMs }: Config): void => expect(seconds * 1000).toBeGreaterThan(hardStopMs);

describe('deploy/compose.yaml', () => {
  it('has the shape of a compose file, and starts a live site', () => {
    const { services, volumes, secrets } = composeFile.parse(parse(read('compose.yaml')));
    const { site, database } = services;
    const config = configOf(site!.environment);
    expect(config.profile).toBe('production');
    outlives(Number.parseInt(site!.stop_grace_period, 10), config);
    expect(site!.ports).toEqual([config, config.operatorListener!].map(({ port }) => `127.0.0.1:${port}:${port}`));
    expect(site!.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    for (const { volumes: mounts = [] } of [site!, database!])
      for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
    for (const name of site!.secrets ?? []) expect(Object.keys(secrets)).toContain(name);
  });
});

describe('deploy/kubernetes', () => {
  it('has the shapes of its objects, and starts a live site that is asked what it answers', () => {
    const objects = readdirSync(join(DEPLOY, 'kubernetes')).flatMap((file) =>
      parseAllDocuments(read(`kubernetes/${file}`)).map((document) => {
        expect(document.errors).toEqual([]);
        return kubernetesObject.parse(document.toJS());
      }),
    );
    const settings = objects.flatMap((one) =>
      one.kind === 'ConfigMap' ? [one.data] : one.kind === 'Secret' ? [one.stringData] : [],
    );
    const config = configOf(Object.assign({}, ...settings));
    expect(config.profile).toBe('production');
    const deployment = objects.find((one) => one.kind === 'Deployment')!;
    const { metadata, spec } = deployment.spec.template;
    const [site] = spec.containers;
    outlives(spec.terminationGracePeriodSeconds, config);
    expect(site!.ports.map(({ containerPort }) => containerPort)).toEqual([config.port, config.operatorListener!.port]);
    expect(site!.livenessProbe.httpGet.path).toBe('/livez');
    expect(site!.readinessProbe.httpGet.path).toBe('/readyz');
    const volumes = spec.volumes.map(({ name }) => name);
    expect(site!.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    // What points at the pods finds them, by a port they have.
    const ports = site!.ports.map(({ name }) => name);
    for (const one of objects) {
      if (one.kind === 'Service') {
        expect(one.spec.selector).toEqual(metadata.labels);
        for (const { targetPort } of one.spec.ports) expect(ports).toContain(targetPort);
      }
      if (one.kind === 'PodDisruptionBudget') expect(one.spec.selector.matchLabels).toEqual(metadata.labels);
    }
    expect(deployment.spec.selector.matchLabels).toEqual(metadata.labels);
  });
});

describe('deploy/systemd', () => {
  const files = readdirSync(join(DEPLOY, 'systemd'));
  const env = Object.fromEntries(
    read('systemd/fairgame.env')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  ) as Record<string, string>;

  it.each(files.filter((file) => !file.endsWith('.env')))('%s is a unit', (file) => {
    expect(() => systemdUnit(file, read(`systemd/${file}`))).not.toThrow();
  });

  it('starts a live site from where it is installed, with its own folder', () => {
    const config = configOf(env);
    expect(config.profile).toBe('production');
    const { Service } = systemdUnit('fairgame.service', read('systemd/fairgame.service'));
    outlives(Number(Service!.TimeoutStopSec), config);
    expect(env.FAIRGAME_ROOT).toBe(Service!.WorkingDirectory);
    expect(env.FAIRGAME_DATA).toBe(`/var/lib/${Service!.StateDirectory}`);
  });

  it('an unknown directive, section or line is no unit', () => {
    for (const text of ['[Service]\nExecStrat=/bin/true', '[Servce]\nUser=a', 'User=a', '[Service]\nUser'])
      expect(() => systemdUnit('a.service', text), text).toThrow();
  });
});
