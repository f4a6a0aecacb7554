/** The files of deploy/: every field is one that is known, and a live site accepts the settings they give it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type Config, loadConfig } from '../src/config.ts';
import { ROLES } from '../src/roles.ts';
import { alertRules, composeFile, dashboard, kubernetesObject, systemdUnit } from './deploy-shapes.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'fairgame-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What an operator puts in the place of CHANGE-ME. */
const OWN: Record<string, string> = {
  FAIRGAME_SECRET: '8f1d2c3b4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff0',
  FAIRGAME_METRICS_TOKEN: 'b'.repeat(32),
  NATS_PASSWORD: 'c'.repeat(32),
  NATS_CA: '-----BEGIN CERTIFICATE-----',
  FAIRGAME_OPERATOR_PASSWORD: 'violet-kettle-37-march',
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

/** An instruction a line, without comments. */
const dockerfile = read('Dockerfile')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const after = (word: string): string[] =>
  dockerfile.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe('deploy/Dockerfile', () => {
  it('installs by the lists of all workspaces before it copies a source, and ships no source and no root', () => {
    const lists = (
      JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8')) as { workspaces: string[] }
    ).workspaces
      .flatMap((place) => {
        const [room, isRoom] = place.split('/');
        return isRoom ? readdirSync(join(DEPLOY, '..', room!)).map((name) => `${room}/${name}`) : [room!];
      })
      .sort();
    const copied = after('COPY').flatMap((line) => /^(\S+)\/package\.json \1\/$/.exec(line)?.[1] ?? []);
    expect(copied.sort()).toEqual(lists);
    const at = (start: string) => dockerfile.findIndex((line) => line.startsWith(start));
    expect(at('RUN npm ci')).toBeGreaterThan(at('COPY package.json package-lock.json'));
    expect(at('COPY . .')).toBeGreaterThan(at('RUN npm ci'));
    const stages = after('FROM').map((line) => line.split(' AS '));
    // What is built where no target is named.
    expect(stages.at(-1)).toEqual(['site']);
    const site = dockerfile.slice(at('FROM node:24-trixie-slim AS site'), at('FROM site AS tools'));
    expect(site.filter((line) => line.startsWith('COPY'))).toEqual([
      'COPY --from=runtime /app ./',
      'COPY --from=build /app/LICENSE ./',
      'COPY --from=build /app/apps/web/dist apps/web/dist',
      'COPY --from=build /app/apps/server/dist apps/server/dist',
    ]);
    expect(after('RUN').filter((line) => line.includes('npm ci'))[1]).toContain('--omit=dev');
    for (const stage of [site, dockerfile.slice(at('FROM site AS tools'))])
      expect(stage.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER 1000:1000');
  });

  it.each(['compose.yaml', 'compose-roles.yaml'])('has what %s builds, with the programs of its PostgreSQL', (file) => {
    const { services } = composeFile.parse(parse(read(file), { merge: true }));
    expect(after('FROM').map((line) => line.split(' AS ')[1])).toContain(services.tools.build.target);
    const [, major] = services.database.image.split(':');
    expect(after('RUN').join()).toContain(` postgresql-client-${major} `);
  });
});

describe('deploy/compose.yaml', () => {
  it('has the shape of a compose file, and starts a live site', () => {
    const { services, volumes, secrets } = composeFile.parse(parse(read('compose.yaml')));
    const { database, tools, ...sites } = services;
    const { site } = sites;
    const config = configOf(site!.environment);
    expect(config.profile).toBe('production');
    outlives(Number.parseInt(site!.stop_grace_period, 10), config);
    expect(site!.ports).toEqual([config, config.operatorListener!].map(({ port }) => `127.0.0.1:${port}:${port}`));
    expect(site!.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    for (const { volumes: mounts = [] } of [site!, database, tools])
      for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
    for (const name of [...site!.secrets!, ...tools.secrets!]) expect(Object.keys(secrets)).toContain(name);
    expect(tools.environment.DATABASE_URL).toBe(site!.environment.DATABASE_URL);
  });
});

describe('deploy/compose-roles.yaml', () => {
  it('has the shape of a compose file: two cores, two gateways and the rest, each with its own folder, over one database and one bus', () => {
    const { services, volumes, secrets } = composeFile.parse(parse(read('compose-roles.yaml'), { merge: true }));
    const { database, nats, tools, ...sites } = services;
    const ports: string[] = [];
    const folders: string[] = [];
    const roles = Object.values(sites).map((site) => {
      const config = configOf(site.environment);
      expect(config.profile).toBe('production');
      expect(config.bus?.servers).toEqual(['tls://nats:4222']);
      outlives(Number.parseInt(site.stop_grace_period, 10), config);
      expect(site.depends_on).toEqual({
        database: { condition: 'service_healthy' },
        nats: { condition: 'service_healthy' },
      });
      const [data] = site.volumes!;
      folders.push(data!);
      expect(config.dataDir.startsWith(folder) && data!.endsWith(':/data')).toBe(true);
      // Only who serves players is reached from outside, at the ports where it listens.
      const inside = (site.ports ?? []).map((port) => Number(port.split(':').at(-1)));
      expect(inside).toEqual(config.roles.includes('gateway') ? [config.port, config.operatorListener!.port] : []);
      ports.push(...(site.ports ?? []));
      return config.roles.join();
    });
    for (const { secrets: named = [] } of [...Object.values(sites), nats!, tools])
      for (const name of named) expect(Object.keys(secrets)).toContain(name);
    expect(roles).toEqual(['core', 'core', 'gateway', 'gateway', 'feed,tables,desk']);
    expect(new Set(ports.map((port) => port.split(':')[1])).size).toBe(4);
    expect(new Set(folders).size).toBe(5);
    expect(tools.environment.DATABASE_URL).toBe(sites['core-1']!.environment.DATABASE_URL);
    for (const { volumes: mounts = [] } of [...Object.values(sites), database, nats!, tools])
      for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
  });
});

describe('deploy/kubernetes-roles', () => {
  it('has the shapes of its objects: two of each role, kept apart, probed and scaled by what they serve', () => {
    const documents = ['site.yaml', 'secret.yaml'].flatMap((file) =>
      parseAllDocuments(read(`kubernetes-roles/${file}`)),
    );
    const objects = documents.map((document) => {
      expect(document.errors).toEqual([]);
      return kubernetesObject.parse(document.toJS());
    });
    const settings = objects.flatMap((one) =>
      one.kind === 'ConfigMap' ? [one.data] : one.kind === 'Secret' ? [one.stringData] : [],
    );
    const deployments = objects.flatMap((one) => (one.kind === 'Deployment' ? [one] : []));
    const scaled = new Set(
      objects.flatMap((one) => (one.kind === 'HorizontalPodAutoscaler' ? [one.spec.scaleTargetRef.name] : [])),
    );
    const podsOf = new Map(deployments.map(({ spec }) => [JSON.stringify(spec.template.metadata.labels), spec]));
    const roles = deployments.flatMap(({ metadata, spec }) => {
      const [site] = spec.template.spec.containers;
      const own = Object.fromEntries(site!.env!.map(({ name, value }) => [name, value]));
      const config = configOf(Object.assign({}, ...settings, own));
      expect(config.profile).toBe('production');
      outlives(spec.template.spec.terminationGracePeriodSeconds, config);
      expect(site!.ports.map(({ containerPort }) => containerPort)).toEqual([
        config.port,
        config.operatorListener!.port,
      ]);
      expect([site!.livenessProbe, site!.readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
        '/livez',
        '/readyz',
      ]);
      // A number beside an autoscaler would be back at each apply.
      expect(spec.replicas).toBe(scaled.has(metadata.name) ? undefined : 2);
      // The leader alone changes tables, and a program of another version does not stand by.
      expect(spec.strategy.type).toBe(config.roles.includes('core') ? 'Recreate' : 'RollingUpdate');
      const { labels } = spec.template.metadata;
      expect([spec.selector.matchLabels, metadata.labels]).toEqual([labels, labels]);
      for (const { labelSelector } of spec.template.spec.topologySpreadConstraints!)
        expect(labelSelector.matchLabels).toEqual(labels);
      return config.roles;
    });
    expect(roles).toEqual([...ROLES]);
    const kept = objects.flatMap((one) => (one.kind === 'PodDisruptionBudget' ? [one.spec.selector.matchLabels] : []));
    expect(kept.map((labels) => JSON.stringify(labels)).sort()).toEqual([...podsOf.keys()].sort());
    for (const one of objects) {
      if (one.kind === 'Service') expect(podsOf.has(JSON.stringify(one.spec.selector))).toBe(true);
      if (one.kind === 'HorizontalPodAutoscaler')
        expect(deployments.map(({ metadata }) => metadata.name)).toContain(one.spec.scaleTargetRef.name);
    }
  });
});

describe('deploy/prometheus and deploy/grafana', () => {
  it('ask for figures that the program gives, and each alert stands in the table of operations', () => {
    const { groups } = alertRules.parse(parse(read('prometheus/alerts.yaml')));
    const { panels } = dashboard.parse(JSON.parse(read('grafana/fairgame.json')));
    const room = join(import.meta.dirname, '../src/ops');
    const ops = readdirSync(room)
      .filter((file) => file.endsWith('metrics.ts'))
      .map((file) => readFileSync(join(room, file), 'utf8'));
    const given = (name: string) => ops.some((text) => text.includes(`'${name.replace(/_(bucket|sum|count)$/, '')}'`));
    const alerts = groups.flatMap(({ rules }) => rules);
    const asked = [
      ...alerts.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const names = new Set(asked.flatMap((expr) => expr.match(/\b(xch|pg|wal)_[a-z0-9_]+/g) ?? []));
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((name) => !given(name))).toEqual([]);
    for (const { expr } of alerts)
      for (const name of expr.match(/\b(xch|pg|wal)_[a-z0-9_]+/g) ?? []) expect(SETTINGS).toContain(name);
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
    const backup = systemdUnit('fairgame-backup.service', read('systemd/fairgame-backup.service')).Service!;
    expect(backup.ReadWritePaths).toBe(/ --out (\S+) /.exec(backup.ExecStart!)![1]);
  });

  it('runs what a build makes', () => {
    const build = readFileSync(join(DEPLOY, '../apps/server/build.mjs'), 'utf8');
    const run = [
      ...files.map((file) => `systemd/${file}`),
      'Dockerfile',
      'compose.yaml',
      'compose-roles.yaml',
      'README.md',
    ];
    const programs = run.flatMap((file) => read(file).match(/apps\/server\/dist\/[a-z]+(?=\.js)/g) ?? []);
    expect(programs.length).toBeGreaterThan(5);
    for (const program of programs) expect(build).toMatch(new RegExp(`\\b${program.split('/').at(-1)}\\b`));
  });

  it('starts the roles of a live site, each with its folder and its ports', () => {
    const { Service } = systemdUnit('fairgame@.service', read('systemd/fairgame@.service'));
    const configs = ['core', 'gateway', 'rest'].map((name) => {
      const own = Object.fromEntries(
        read(`systemd/${name}.env`)
          .trim()
          .split('\n')
          .map((line) => line.split('=') as [string, string]),
      );
      expect(own.FAIRGAME_DATA).toBe(`/var/lib/${Service!.StateDirectory!.replace('%i', name)}`);
      return configOf({ ...env, ...own });
    });
    outlives(Number(Service!.TimeoutStopSec), configs[0]!);
    expect(configs.flatMap((config) => config.roles)).toEqual([...ROLES]);
    const ports = configs.flatMap((config) => [config.port, config.operatorListener!.port]);
    expect(new Set(ports).size).toBe(6);
  });

  it('an unknown directive, section or line is no unit', () => {
    for (const text of ['[Service]\nExecStrat=/bin/true', '[Servce]\nUser=a', 'User=a', '[Service]\nUser'])
      expect(() => systemdUnit('a.service', text), text).toThrow();
  });
});
