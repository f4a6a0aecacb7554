/** The shapes of the files of deploy/: of compose, Kubernetes and systemd what we use, and nothing else. */
import { z } from 'zod';

const text = z.string().min(1);
const texts = z.record(text, text);
const seconds = z.string().regex(/^\d+s$/);

/** What our own programs run in: no file that they could change but those of their volumes, and no rights. */
const shut = {
  read_only: z.literal(true),
  tmpfs: z.tuple([z.literal('/tmp')]),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
};
const common = {
  environment: texts,
  depends_on: z.record(text, z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  volumes: z.array(z.string().regex(/^[a-z0-9-]+:\/[\w/]+$/)).optional(),
  secrets: z.array(text).optional(),
};
const server = {
  ...common,
  restart: z.literal('unless-stopped'),
  healthcheck: z.strictObject({
    test: z.tuple([z.literal('CMD')], text),
    interval: seconds,
    timeout: seconds,
    retries: z.int().positive(),
  }),
  stop_grace_period: seconds,
};
const site = z.strictObject({
  ...server,
  ...shut,
  build: z.strictObject({ context: text, dockerfile: text }),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
});
/** A program of others. */
const other = z.strictObject({ ...server, image: text, command: z.array(text) });
/** Not started with the rest: a command of its own, when somebody runs it. */
const errand = z.strictObject({
  ...common,
  ...shut,
  profiles: z.tuple([z.literal('tools')]),
  build: z.strictObject({ context: text, dockerfile: text, target: text }),
});
export const composeFile = z.strictObject({
  name: text,
  // Said once and used by several services.
  'x-site': texts.optional(),
  'x-ready': server.healthcheck.optional(),
  'x-shut': z.strictObject(shut).optional(),
  services: z.object({ database: other, nats: other.optional(), tools: errand }).catchall(site),
  volumes: z.record(text, z.null()),
  secrets: z.record(text, z.strictObject({ file: text })),
});

const metadata = z.strictObject({ name: text, labels: texts.optional() });
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/livez', '/readyz']), port: text }),
  periodSeconds: z.int().positive(),
  timeoutSeconds: z.int().positive().optional(),
  failureThreshold: z.int().positive(),
});
const named = z.strictObject({ name: text });
const amount = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const container = z.strictObject({
  name: text,
  image: text,
  env: z.array(z.strictObject({ name: text, value: text })).optional(),
  envFrom: z.array(z.union([z.strictObject({ configMapRef: named }), z.strictObject({ secretRef: named })])),
  ports: z.array(z.strictObject({ name: text, containerPort: z.int().min(1).max(65_535) })),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  resources: z.strictObject({
    requests: z.strictObject({ cpu: amount, memory: amount }),
    limits: z.strictObject({ memory: amount }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: text, mountPath: text })),
});
const pod = z.strictObject({
  terminationGracePeriodSeconds: z.int().positive(),
  topologySpreadConstraints: z
    .array(
      z.strictObject({
        maxSkew: z.int().positive(),
        topologyKey: z.literal('kubernetes.io/hostname'),
        whenUnsatisfiable: z.literal('ScheduleAnyway'),
        labelSelector: z.strictObject({ matchLabels: texts }),
      }),
    )
    .optional(),
  enableServiceLinks: z.literal(false),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().positive(),
    runAsGroup: z.int().positive(),
    fsGroup: z.int(),
    // `Always`, which is said by saying nothing, opens the data folder to the group at each start.
    fsGroupChangePolicy: z.literal('OnRootMismatch'),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.array(container).length(1),
  volumes: z.array(
    z.union([
      z.strictObject({ name: text, persistentVolumeClaim: z.strictObject({ claimName: text }) }),
      z.strictObject({ name: text, emptyDir: z.strictObject({}) }),
    ]),
  ),
});
const one = { apiVersion: z.literal('v1'), metadata };
export const kubernetesObject = z.discriminatedUnion('kind', [
  z.strictObject({ ...one, kind: z.literal('ConfigMap'), data: texts }),
  z.strictObject({ ...one, kind: z.literal('Secret'), stringData: texts }),
  z.strictObject({
    ...one,
    kind: z.literal('PersistentVolumeClaim'),
    spec: z.strictObject({
      accessModes: z.tuple([z.literal('ReadWriteOnce')]),
      resources: z.strictObject({ requests: z.strictObject({ storage: amount }) }),
    }),
  }),
  z.strictObject({
    ...one,
    kind: z.literal('Service'),
    spec: z.strictObject({
      selector: texts,
      ports: z.array(z.strictObject({ name: text, port: z.int().min(1).max(65_535), targetPort: text })),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('Deployment'),
    metadata,
    spec: z.strictObject({
      replicas: z.int().positive().optional(),
      strategy: z.strictObject({ type: z.enum(['Recreate', 'RollingUpdate']) }),
      selector: z.strictObject({ matchLabels: texts }),
      template: z.strictObject({ metadata: z.strictObject({ labels: texts }), spec: pod }),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.literal('PodDisruptionBudget'),
    metadata,
    spec: z.strictObject({ minAvailable: z.literal(1), selector: z.strictObject({ matchLabels: texts }) }),
  }),
  z.strictObject({
    apiVersion: z.literal('autoscaling/v2'),
    kind: z.literal('HorizontalPodAutoscaler'),
    metadata,
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: z.literal('apps/v1'), kind: z.literal('Deployment'), name: text }),
      minReplicas: z.int().positive(),
      maxReplicas: z.int().positive(),
      metrics: z.array(
        z.discriminatedUnion('type', [
          z.strictObject({
            type: z.literal('Resource'),
            resource: z.strictObject({
              name: z.literal('cpu'),
              target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: z.int().positive() }),
            }),
          }),
          z.strictObject({
            type: z.literal('Pods'),
            pods: z.strictObject({
              metric: named,
              target: z.strictObject({ type: z.literal('AverageValue'), averageValue: amount }),
            }),
          }),
        ]),
      ),
      behavior: z.strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: z.int().positive() }) }),
    }),
  }),
]);

/** Rules of Prometheus: groups of alerts. */
export const alertRules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: text,
      rules: z.array(
        z.strictObject({
          alert: text,
          expr: text,
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: text }),
        }),
      ),
    }),
  ),
});

/** A dashboard of Grafana, so far as it is ours: panels with their expressions. */
export const dashboard = z.strictObject({
  uid: text,
  title: text,
  schemaVersion: z.int(),
  refresh: text,
  time: z.strictObject({ from: text, to: text }),
  templating: z.strictObject({
    list: z.array(z.strictObject({ name: text, type: z.literal('datasource'), query: z.literal('prometheus') })),
  }),
  panels: z.array(
    z.strictObject({
      id: z.int(),
      type: z.enum(['timeseries', 'stat']),
      title: text,
      datasource: z.strictObject({ type: z.literal('prometheus'), uid: text }),
      gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.strictObject({ refId: text, expr: text, legendFormat: text })),
      fieldConfig: z.strictObject({ defaults: z.strictObject({ unit: text }), overrides: z.tuple([]) }),
    }),
  ),
});

const EXEC = ['User', 'WorkingDirectory', 'EnvironmentFile', 'StateDirectory', 'StateDirectoryMode', 'LimitNOFILE'];
const PROTECT = 'System Home KernelTunables KernelModules KernelLogs ControlGroups Clock Hostname Proc'.split(' ');
const RESTRICT = ['AddressFamilies', 'Namespaces', 'Realtime', 'SUIDSGID'];
const CALLS = ['SystemCallArchitectures', 'SystemCallFilter', 'SystemCallErrorNumber'];
const SANDBOX = [
  'NoNewPrivileges',
  'PrivateTmp',
  'PrivateDevices',
  'ReadWritePaths',
  'CapabilityBoundingSet',
  'UMask',
].concat(
  'LockPersonality',
  PROTECT.map((what) => `Protect${what}`),
  RESTRICT.map((what) => `Restrict${what}`),
  CALLS,
);
const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  Unit: ['Description', 'Documentation', 'Wants', 'After'],
  Service: ['Type', 'ExecStart', 'Restart', 'RestartSec', 'TimeoutStopSec', ...EXEC, ...SANDBOX],
  Timer: ['OnCalendar', 'Persistent'],
  Install: ['WantedBy'],
};

/** The directives of a unit by section. Throws on a line that is none, on what we do not know, and where the main part is missing. */
export function systemdUnit(name: string, unit: string): Record<string, Record<string, string>> {
  const sections: Record<string, Record<string, string>> = {};
  let section = '';
  for (const line of unit.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const head = /^\[(\w+)\]$/.exec(line);
    if (head) {
      section = head[1]!;
      if (!DIRECTIVES[section]) throw new Error(`${name}: unknown section ${section}`);
      sections[section] = {};
      continue;
    }
    const [, key = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? /^(CapabilityBoundingSet)=($)/.exec(line) ?? [];
    if (!DIRECTIVES[section]?.includes(key)) throw new Error(`${name}: ${line} is no directive of ${section}`);
    sections[section]![key] = value;
  }
  const main = name.endsWith('.timer') ? sections.Timer?.OnCalendar : sections.Service?.ExecStart;
  if (!main) throw new Error(`${name} does nothing`);
  return sections;
}
