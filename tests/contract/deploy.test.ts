import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readEnv } from '@/lib/platform/runtime/env';
import { renderChart } from '../support/helm-template';

const read = (file: string): string => readFileSync(`deploy/${file}`, 'utf8');
const known = new Set([...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
known.add('NODE_ENV');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const secrets = { NEXTAUTH_SECRET: 'n'.repeat(32), KEY_ENCRYPTION_KEY: 'k'.repeat(32) };
const stopSeconds = 5 + 30 + 20;

function expectKnown(names: Iterable<string>): void {
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
}

function expectPinned(image: string): void {
  expect(image, image).toMatch(/:[^:/@]*\d+\.\d+[^:/@]*(@sha256:[0-9a-f]{64})?$/);
}

describe('the container image', () => {
  const lines = read('container/Containerfile').replaceAll('\\\n', ' ').split('\n');
  const instructions = lines.filter((line) => line && !line.startsWith('#'));
  const named = (name: string): string[] => instructions.filter((line) => line.startsWith(`${name} `));

  test('has a pinned base, runs as a numeric user other than root, and starts without a shell', () => {
    const [base = ''] = named('ARG');
    expectPinned(base.replace('ARG NODE_IMAGE=', ''));
    for (const from of named('FROM')) expect(from.split(' ')[1]).toBe(['$', '{NODE_IMAGE}'].join(''));
    expect(named('USER')).toEqual(['USER 1000:1000']);
    for (const name of ['RUN', 'ENTRYPOINT', 'CMD'])
      for (const line of named(name)) expect(line).toMatch(/^\w+ \[".*"\]$/);
    expect(named('ENTRYPOINT')).toEqual(['ENTRYPOINT ["/opt/parley/bin/parley"]']);
  });

  test('contains the archive, but no other file from the build machine and no secret', () => {
    const archive = ['ADD dist/parley-$', '{VERSION}-linux-$', '{ARCH}.tar.gz /'].join('');
    expect(named('ADD')).toEqual([archive]);
    for (const line of named('COPY')) expect(line).toMatch(/^COPY --from=archive \/parley-/);
    for (const line of [...named('ENV'), ...named('ARG'), ...named('LABEL')])
      expect(line).not.toMatch(/SECRET|KEY|PASSWORD|TOKEN|(DATABASE|SMTP|NOTICES)_URL/);
  });

  test('sets only existing variables, exposes their port, and probes the liveness path in its health check', () => {
    const variables = new Map(
      named('ENV')
        .flatMap((line) => line.slice(4).trim().split(/\s+/))
        .map((pair) => pair.split('=') as [string, string]),
    );
    expectKnown(variables.keys());
    expect(named('EXPOSE')).toEqual([`EXPOSE ${variables.get('PORT')}`]);
    const [check = ''] = named('HEALTHCHECK');
    const command = JSON.parse(check.slice(check.indexOf('CMD ') + 4)) as string[];
    expect(command.slice(0, 2)).toEqual(['node', '-e']);
    expect(command[2]).toContain('/healthz');
    const server = spawnSync(process.execPath, command.slice(1), { env: { ...process.env, PORT: '1' } });
    expect(server.status).toBe(1);
  });
});

const database = ['db1', 'db2', 'db3', 'etcd-1', 'etcd-2', 'etcd-3', 'haproxy'];

describe.each([
  { file: 'compose/compose.yaml', others: ['nats', 'postgres'] },
  { file: 'patroni/compose.yaml', others: database },
])('the compose file $file', ({ file, others }) => {
  const compose = parse(read(file), { merge: true }) as {
    services: Record<
      string,
      {
        image: string;
        environment?: Record<string, string>;
        depends_on?: object;
        stop_grace_period?: string;
        read_only?: boolean;
        user?: string;
        healthcheck?: object;
      }
    >;
    volumes: object;
  };
  const { services } = compose;

  test('pins every image, starts the nodes after the migration, and gives them time to stop', () => {
    for (const { image } of Object.values(services)) expectPinned(image.replace(/^\$\{\w+:-(.*)\}$/, '$1'));
    expect(Object.keys(services).sort()).toEqual(['caddy', 'migrate', 'parley-1', 'parley-2', ...others].sort());
    for (const name of ['parley-1', 'parley-2']) {
      expect(services[name]).toMatchObject({
        read_only: true,
        depends_on: { migrate: { condition: 'service_completed_successfully' } },
      });
      expect(Number.parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(stopSeconds);
    }
    expect(services['parley-1']?.image).toContain(`:${version}}`);
  });

  test('sets only existing variables, to values that Parley accepts', () => {
    const variables = services['parley-1']?.environment ?? {};
    expectKnown(Object.keys(variables));
    const passwords = { POSTGRES_PASSWORD: 'p', PARLEY_PASSWORD: 'p' };
    const given = { DOMAIN: 'parley.example', ...passwords, ...secrets } as Record<string, string>;
    const resolved = Object.entries(variables).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_, of) => given[of] ?? ''),
    ]);
    expect(readEnv(Object.fromEntries(resolved))).toMatchObject({ APP_URL: 'https://parley.example', EVENTS_URL: [] });
  });

  test('configures Caddy to call the started nodes on their port and to check their readiness', () => {
    const caddyfile = read('compose/Caddyfile');
    expect(/reverse_proxy (.*) \{/.exec(caddyfile)?.[1]).toBe('parley-1:3000 parley-2:3000');
    expect(caddyfile).toContain('health_uri /readyz');
    expect(caddyfile).toContain('flush_interval -1');
  });
});

test('the compose file runs NATS with JetStream in a volume, to which EVENTS_URL may point', () => {
  const { services, volumes } = parse(read('compose/compose.yaml'), { merge: true }) as {
    services: Record<string, { command?: string[]; volumes?: string[]; environment?: Record<string, string> }>;
    volumes: object;
  };
  expect(services.nats).toMatchObject({ command: ['--jetstream', '--store_dir=/data'], volumes: ['nats:/data'] });
  expect(volumes).toHaveProperty('nats');
  expect(services['parley-2']?.environment).toMatchObject({ EVENTS_URL: ['$', '{EVENTS_URL:-}'].join('') });
  const flags = spawnSync('nats-server', ['--help'], { encoding: 'utf8' }).stdout ?? '';
  if (flags) for (const flag of ['--jetstream', '--store_dir']) expect(flags).toContain(flag);
});

describe('the database servers under Patroni', () => {
  const { services } = parse(read('patroni/compose.yaml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  const configuration = parse(read('patroni/patroni.yml')) as {
    bootstrap: {
      dcs: Record<'ttl' | 'loop_wait' | 'retry_timeout', number> &
        Record<'synchronous_mode' | 'synchronous_mode_strict', boolean>;
    };
  };

  test('replicate synchronously, and renew the lock of the primary before it expires', () => {
    const { dcs } = configuration.bootstrap;
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl);
  });

  test('are the ones that the nodes and HAProxy connect to, each under its own name', () => {
    const url = services['parley-1']?.environment?.DATABASE_URL ?? '';
    for (const name of ['db1', 'db2', 'db3']) {
      expect(url).toContain(`${name}:5432`);
      expect(read('patroni/haproxy.cfg')).toContain(`server ${name} ${name}:5432 check port 8008`);
      expect(services[name]?.environment).toMatchObject({
        PATRONI_NAME: name,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
      });
    }
  });
});

describe('the systemd units', () => {
  const units = readdirSync('deploy/systemd');

  test.each(units)(
    '%s sets only existing variables, runs as a dynamic user and can write only to its state directory',
    (name) => {
      const unit = read(`systemd/${name}`);
      const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '));
      expectKnown(variables.map((pair) => pair.split('=')[0] ?? ''));
      for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'StateDirectory=parley'])
        expect(unit.split('\n')).toContain(line);
    },
  );

  test('give the node time to stop', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('systemd/parley.service'))?.[1])).toBeGreaterThanOrEqual(
      stopSeconds,
    );
  });

  test('are accepted by systemd, which rates the node’s exposure as low', ({ skip }) => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) skip('systemd-analyze is missing');
    const verified = spawnSync('systemd-analyze', ['verify', ...units.map((name) => `deploy/systemd/${name}`)], {
      encoding: 'utf8',
    });
    const complaints = verified.stderr
      .split('\n')
      .filter((line) => line && !/bin\/parley is not executable/.test(line));
    expect(complaints).toEqual([]);
    const rated = spawnSync('systemd-analyze', ['security', '--offline=yes', 'deploy/systemd/parley.service'], {
      encoding: 'utf8',
    });
    expect(Number(/exposure level .*: ([\d.]+)/.exec(rated.stdout)?.[1])).toBeLessThan(2.5);
  });
});

describe('the Helm chart', () => {
  const folder = 'deploy/helm/parley';
  const values = parse(read('helm/parley/values.yaml'));
  const schema = z.fromJSONSchema(JSON.parse(read('helm/parley/values.schema.json')));
  const render = (extra: object = {}): Map<string, unknown> => renderChart(folder, { ...values, ...extra });
  const pod = 'spec.template.spec';
  const container = `${pod}.containers.0`;

  test('has a schema that accepts the defaults, and rejects the tag "latest", a URL path and unknown values', () => {
    expect(schema.safeParse(values).error).toBeUndefined();
    const tag = { image: { ...values.image, tag: 'latest' } };
    for (const wrong of [tag, { appUrl: 'https://a.example/x' }, { replicaCount: 3 }])
      expect(schema.safeParse({ ...values, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
  });

  test('has schema patterns in RE2, which supports neither lookaround nor backreferences', () => {
    const patterns = [...read('helm/parley/values.schema.json').matchAll(/"pattern": (".*")/g)].map(([, text = '']) =>
      String(JSON.parse(text)),
    );
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((pattern) => /\(\?|\\[1-9]/.test(pattern))).toEqual([]);
  });

  test('has the same version as Parley', () => {
    expect(parse(read('helm/parley/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  test('runs nodes as an unprivileged user in a read-only tree, with existing probe paths and time to stop', () => {
    const all = render();
    const capabilities = { drop: ['ALL'] };
    expect(at(all, 'deployment.yaml', container)).toMatchObject({
      image: `parley:${version}`,
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
    });
    const user = { runAsNonRoot: true, runAsUser: 1000 };
    expect(at(all, 'deployment.yaml', `${pod}.securityContext`)).toMatchObject(user);
    expect(at(all, 'deployment.yaml', `${pod}.terminationGracePeriodSeconds`)).toBe(stopSeconds);
    const image = read('container/Containerfile');
    expect(image).toContain(`EXPOSE ${at(all, 'deployment.yaml', `${container}.ports.0.containerPort`)}\n`);
    expect(image).toContain(`DATA_DIR=${at(all, 'deployment.yaml', `${container}.volumeMounts.0.mountPath`)} `);
  });

  test('has matching selectors, names and references', () => {
    const all = render({ networkPolicy: { ...values.networkPolicy, enabled: true } });
    const labels = at(all, 'deployment.yaml', 'spec.template.metadata.labels');
    expect(labels).toMatchObject({ 'app.kubernetes.io/component': 'node' });
    expect(at(all, 'deployment.yaml', 'spec.selector.matchLabels')).toEqual(labels);
    expect(at(all, 'service.yaml', 'spec.selector')).toEqual(labels);
    expect(at(all, 'pdb.yaml', 'spec.selector.matchLabels')).toEqual(labels);
    expect(at(all, 'networkpolicy.yaml', 'spec.podSelector.matchLabels')).toEqual(labels);
    expect(at(all, 'migrate-job.yaml', 'spec.template.metadata.labels')).not.toEqual(labels);
    const service = at(all, 'service.yaml', 'metadata.name');
    expect(at(all, 'ingress.yaml', 'spec.rules.0.http.paths.0.backend.service.name')).toBe(service);
    const config = at(all, 'configmap.yaml', 'metadata.name');
    expect(at(all, 'deployment.yaml', `${pod}.containers.0.envFrom.0.configMapRef.name`)).toBe(config);
    const data = z.record(z.string(), z.string()).parse(at(all, 'configmap.yaml', 'data'));
    expectKnown(Object.keys(data));
    const complete = { ...data, ...secrets, DATABASE_URL: 'postgresql://db/parley' };
    expect(readEnv(complete)).toMatchObject({ DRAIN_SECONDS: 30 });
  });

  test('migrates before a new version’s pods start, and can omit the ingress and the network policy', () => {
    const all = render({ ingress: { ...values.ingress, enabled: false } });
    expect(at(all, 'migrate-job.yaml', 'metadata.annotations')).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    });
    expect(at(all, 'migrate-job.yaml', `${pod}.containers.0.args`)).toEqual(['migrate']);
    expect(all.get('ingress.yaml')).toBeNull();
    expect(all.get('networkpolicy.yaml')).toBeNull();
  });

  const workloads = ['deployment.yaml', 'migrate-job.yaml'];
  const full = {
    ...values,
    image: { ...values.image, digest: `sha256:${'a'.repeat(64)}` },
    imagePullSecrets: [{ name: 'registry' }],
    extraEnv: [{ name: 'SMTP_URL', valueFrom: { secretKeyRef: { name: 'smtp', key: 'url' } } }],
    extraVolumes: [{ name: 'ca', configMap: { name: 'company-ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/parley/ca', readOnly: true }],
    podAnnotations: { 'example.com/team': 'a' },
    podLabels: { team: 'a' },
    nodeSelector: { pool: 'web' },
    tolerations: [{ key: 'web', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    service: { annotations: { 'example.com/scope': 'internal' }, labels: { scope: 'internal' } },
    metrics: {
      enabled: true,
      port: 9464,
      serviceMonitor: { enabled: true, interval: '30s', labels: { release: 'p' } },
    },
    networkPolicy: { enabled: true, ingressNamespace: 'ingress', monitoringNamespace: 'monitoring' },
  };

  test('has a schema that accepts every setting, but not invalid digests, unnamed volumes or relative mounts', () => {
    expect(schema.safeParse(full).error).toBeUndefined();
    const digest = { image: { ...values.image, digest: 'sha256:abc' } };
    const unnamed = { extraVolumes: [{ emptyDir: {} }] };
    const relative = { extraVolumeMounts: [{ name: 'ca', mountPath: 'ca' }] };
    for (const wrong of [digest, unnamed, relative])
      expect(schema.safeParse({ ...values, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
  });

  test.each(workloads)('%s uses the image, variables, files and placement from the values', (file) => {
    const all = render(full);
    expect(at(all, file, container)).toMatchObject({
      image: `parley:${version}@${full.image.digest}`,
      env: full.extraEnv,
      envFrom: [{ configMapRef: {} }, { secretRef: { name: values.secretName } }],
      volumeMounts: expect.arrayContaining(full.extraVolumeMounts),
    });
    const { imagePullSecrets, nodeSelector, tolerations } = full;
    expect(at(all, file, pod)).toMatchObject({
      ...{ imagePullSecrets, nodeSelector, tolerations },
      volumes: expect.arrayContaining(full.extraVolumes),
    });
    expect(at(all, file, 'spec.template.metadata')).toMatchObject({
      labels: full.podLabels,
      annotations: full.podAnnotations,
    });
  });

  test.each(workloads)('%s makes the root file system read-only, and mounts volumes for the writable paths', (file) => {
    const all = render();
    expect(at(all, file, `${container}.securityContext.readOnlyRootFilesystem`)).toBe(true);
    const mounts = z
      .array(z.object({ name: z.string(), mountPath: z.string() }))
      .parse(at(all, file, `${container}.volumeMounts`));
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual(['/var/lib/parley', '/tmp']);
    const volumes = z.array(z.looseObject({ name: z.string() })).parse(at(all, file, `${pod}.volumes`));
    expect(volumes.map(({ name }) => name)).toEqual(mounts.map(({ name }) => name));
    expect(volumes.every((volume) => 'emptyDir' in volume)).toBe(true);
  });

  test('passes the nodes’ variables to the migration, in a ConfigMap that is created first', () => {
    const all = render({ env: { DATABASE_POOL_SIZE: '5' } });
    expect(at(all, 'migrate-configmap.yaml', 'data')).toEqual(at(all, 'configmap.yaml', 'data'));
    expect(at(all, 'migrate-job.yaml', `${container}.envFrom.0.configMapRef.name`)).toBe(
      at(all, 'migrate-configmap.yaml', 'metadata.name'),
    );
    const hooks = ['migrate-configmap.yaml', 'migrate-job.yaml'].map((file) =>
      z.record(z.string(), z.string()).parse(at(all, file, 'metadata.annotations')),
    );
    expect(hooks[0]?.['helm.sh/hook']).toBe(hooks[1]?.['helm.sh/hook']);
    expect(Number(hooks[0]?.['helm.sh/hook-weight'])).toBeLessThan(Number(hooks[1]?.['helm.sh/hook-weight'] ?? 0));
  });

  test('passes the settings of the event stream to nodes and migration', () => {
    const env = { ...values.env, EVENTS_URL: 'nats://nats-0:4222,nats://nats-1:4222', EVENTS_REPLICAS: '3' };
    expect(schema.safeParse({ ...values, env }).error).toBeUndefined();
    const all = render({ env });
    for (const file of ['configmap.yaml', 'migrate-configmap.yaml']) {
      const data = z.record(z.string(), z.string()).parse(at(all, file, 'data'));
      expect(readEnv({ ...data, ...secrets, DATABASE_URL: 'postgresql://db/parley' })).toMatchObject({
        EVENTS_URL: ['nats://nats-0:4222', 'nats://nats-1:4222'],
        EVENTS_REPLICAS: 3,
      });
    }
  });

  test('replaces pods only if a variable, the Secret or a pod annotation changes', () => {
    const annotationsOf = (extra: object, secret: string): unknown =>
      at(
        renderChart(folder, { ...values, ...extra }, { [values.secretName]: { data: { DATABASE_URL: secret } } }),
        'deployment.yaml',
        'spec.template.metadata.annotations',
      );
    const before = annotationsOf({}, 'a');
    expect(annotationsOf({ replicas: 3 }, 'a')).toEqual(before);
    expect(annotationsOf({}, 'b')).not.toEqual(before);
    expect(annotationsOf({ env: { LOG_LEVEL: 'debug' } }, 'a')).not.toEqual(before);
    expect(annotationsOf({ podAnnotations: { revision: '2' } }, 'a')).not.toEqual(before);
    const ignored = { rollOnSecretChange: false };
    expect(annotationsOf(ignored, 'b')).toEqual(annotationsOf(ignored, 'a'));
  });

  test('has gRPC off by default, on a port that the service and the policy open', () => {
    const grpc = { enabled: true, port: 50051, url: 'grpc.parley.example:443' };
    const all = render({ ...full, grpc });
    expect(at(all, 'deployment.yaml', `${container}.ports.2`)).toEqual({ name: 'grpc', containerPort: 50051 });
    expect(at(all, 'service.yaml', 'spec.ports.2')).toMatchObject({ name: 'grpc', targetPort: 'grpc' });
    expect(at(all, 'networkpolicy.yaml', 'spec.ingress.0.ports')).toEqual([{ port: 'http' }, { port: 'grpc' }]);
    const data = z.record(z.string(), z.string()).parse(at(all, 'configmap.yaml', 'data'));
    const complete = { ...data, ...secrets, DATABASE_URL: 'postgresql://db/parley', METRICS_TOKEN: 't'.repeat(32) };
    expect(readEnv(complete)).toMatchObject({ GRPC_PORT: 50051, GRPC_URL: grpc.url });
    expect(at(render(), 'configmap.yaml', 'data')).not.toHaveProperty('GRPC_PORT');
  });

  test('has metrics off by default, on a port that matches the monitor and is open only to Prometheus', () => {
    const all = render(full);
    expect(at(all, 'deployment.yaml', `${container}.ports.1`)).toEqual({ name: 'metrics', containerPort: 9464 });
    expect(at(all, 'service.yaml', 'spec.ports.1')).toMatchObject({ name: 'metrics', targetPort: 'metrics' });
    expect(at(all, 'configmap.yaml', 'data')).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' });
    const monitor = 'servicemonitor.yaml';
    expect(at(all, monitor, 'spec.endpoints.0')).toMatchObject({
      ...{ port: 'metrics', interval: '30s' },
      authorization: { credentials: { name: values.secretName, key: 'METRICS_TOKEN' } },
    });
    const selected = z.record(z.string(), z.string()).parse(at(all, monitor, 'spec.selector.matchLabels'));
    expect(at(all, 'service.yaml', 'metadata.labels')).toMatchObject({ ...selected, ...full.service.labels });
    const label = String(at(all, monitor, 'spec.jobLabel'));
    expect(Object(at(all, 'service.yaml', 'metadata.labels'))[label]).toBe('parley');
    expect(at(all, 'networkpolicy.yaml', 'spec.ingress.1')).toMatchObject({ ports: [{ port: 'metrics' }] });
    expect(at(all, 'networkpolicy.yaml', 'spec.ingress.0.ports')).toEqual([{ port: 'http' }]);
    const data = z.record(z.string(), z.string()).parse(at(all, 'configmap.yaml', 'data'));
    const complete = { ...data, ...secrets, DATABASE_URL: 'postgresql://db/parley', METRICS_TOKEN: 't'.repeat(32) };
    expect(readEnv(complete)).toMatchObject({ METRICS_PORT: 9464 });
    const off = render();
    expect(off.get(monitor)).toBeNull();
    expect(at(off, 'service.yaml', 'spec.ports')).toHaveLength(1);
  });

  test('restarts a node only after minutes without a response, but marks it as not ready within seconds', () => {
    const all = render();
    const probe = z.object({ periodSeconds: z.number(), timeoutSeconds: z.number(), failureThreshold: z.number() });
    const secondsOf = (name: string): number => {
      const { periodSeconds, failureThreshold } = probe.parse(at(all, 'deployment.yaml', `${container}.${name}`));
      return periodSeconds * failureThreshold;
    };
    expect(secondsOf('livenessProbe')).toBeGreaterThanOrEqual(180);
    expect(secondsOf('readinessProbe')).toBeLessThanOrEqual(5);
  });
});

/** The member of a manifest at a path such as `spec.ports.0`. */
function at(all: Map<string, unknown>, file: string, members: string): unknown {
  return members.split('.').reduce<unknown>((value, name) => Object(value)[name], all.get(file));
}

test('every YAML file in deploy is valid and has no duplicate keys', () => {
  const files = readdirSync('deploy', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.ya?ml$/.test(name) && !name.includes('templates'),
  );
  for (const file of files)
    for (const document of parseAllDocuments(read(file), { merge: true })) expect(document.errors, file).toEqual([]);
});
