import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AgentLaunch,
  type AgentProcess,
  ensureAgent,
  isHealthy,
  originOf,
  stopAgent,
} from '@/scripts/demo/agent-process';
import { type DemoState, readDemoState, writeDemoState } from '@/scripts/demo/state';
import { freePort, isAlive } from '@/scripts/processes.mjs';
import { bundleAgents, credentialsFor } from './running-agents';

const slug = 'conformance';
const scratch = mkdtempSync(path.join(tmpdir(), 'parley-demo-'));
const logFile = path.join(scratch, 'logs', 'conformance.log');
let bundles: Awaited<ReturnType<typeof bundleAgents>>;
let launch: AgentLaunch;
const started = new Set<AgentProcess>();

beforeAll(async () => {
  bundles = await bundleAgents(slug);
  const bundle = path.join(bundles.folder, `${slug}.mjs`);
  const variables = credentialsFor('http://127.0.0.1:9');
  launch = { slug, bundle, logFile, variables, preferredPort: await freePort() };
});

afterEach(async () => {
  for (const agent of started) await stopAgent(slug, agent);
  started.clear();
});

afterAll(() => {
  bundles.remove();
  rmSync(scratch, { recursive: true });
});

async function ensure(known: AgentProcess | null = null, changes: Partial<AgentLaunch> = {}): Promise<AgentProcess> {
  const agent = await ensureAgent({ ...launch, ...changes }, known);
  started.add(agent);
  return agent;
}

async function listenOn(port: number): Promise<() => Promise<void>> {
  const server = createServer((_request, response) => response.end('{"agent":"other"}'));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

describe('a demo agent', () => {
  it('starts, reports the build it runs, and writes a log that only its owner can read', async () => {
    const agent = await ensure();
    expect(agent.port).toBe(launch.preferredPort);
    const health = await fetch(`${originOf(agent)}/healthz`);
    expect(await health.json()).toEqual({ agent: slug, build: agent.build });
    expect(agent.build).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(logFile, 'utf8')).toContain(`listening on 127.0.0.1:${agent.port}`);
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
  });

  it('is reused while it runs as configured', async () => {
    const agent = await ensure();
    expect(await ensure(agent)).toEqual(agent);
  });

  it('is restarted on its port after a crash', async () => {
    const agent = await ensure();
    await stopAgent(slug, agent);
    expect(await isHealthy(slug, agent)).toBe(false);
    const next = await ensure(agent);
    expect(next.port).toBe(agent.port);
    expect(next.mark).not.toBe(agent.mark);
  });

  it('is replaced if its bundle or variables change', async () => {
    const agent = await ensure();
    const other = path.join(bundles.folder, 'other.mjs');
    writeFileSync(other, `${readFileSync(launch.bundle, 'utf8')}\n// another build\n`);
    const rebuilt = await ensure(agent, { bundle: other });
    expect(isAlive(agent.mark)).toBe(false);
    expect(rebuilt.build).not.toBe(agent.build);
    const ensured = await ensure(rebuilt, {
      bundle: other,
      variables: { ...launch.variables, PARLEY_CLIENT_ID: 'app_2' },
    });
    expect(isAlive(rebuilt.mark)).toBe(false);
    expect(ensured.port).toBe(agent.port);
  });

  it('uses the next port if another program uses its preferred port', async () => {
    const free = await listenOn(launch.preferredPort);
    const agent = await ensure();
    expect(agent.port).toBeGreaterThan(launch.preferredPort);
    await free();
  });

  it('stays on the port in its listing, and does not start if that port is taken', async () => {
    const agent = await ensure();
    await stopAgent(slug, agent);
    const free = await listenOn(agent.port);
    await expect(ensure(agent)).rejects.toThrow(
      `port ${agent.port} of the demo agent ${slug} is taken by another program; end it, or set DEMO=0`,
    );
    await free();
  });

  it('fails with its last output if it cannot start', async () => {
    await expect(ensure(null, { variables: { ...launch.variables, PARLEY_URL: 'nowhere' } })).rejects.toThrow(
      `the demo agent ${slug} did not start: ${slug}: PARLEY_URL is "nowhere"; expected an origin`,
    );
    const broken = path.join(bundles.folder, 'broken.mjs');
    writeFileSync(broken, 'throw new Error("boom")');
    await expect(ensure(null, { bundle: broken })).rejects.toThrow('did not start: Error: boom');
  });

  it('gets only its own variables', async () => {
    const spy = path.join(bundles.folder, 'spy.mjs');
    const file = path.join(scratch, 'seen.json');
    writeFileSync(
      spy,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));\n`,
    );
    appendFileSync(spy, readFileSync(launch.bundle, 'utf8'));
    process.env.PARLEY_TEST_SECRET = 'database password';
    await ensure(null, { bundle: spy });
    const names = Object.keys(JSON.parse(readFileSync(file, 'utf8')));
    expect(names.sort()).toEqual(
      [...Object.keys(launch.variables), 'NODE_ENV', 'HOST', 'PORT', 'PUBLIC_URL', 'BUILD_ID'].sort(),
    );
  });

  it('has exited after it is stopped, and stopping it again has no effect', async () => {
    const agent = await ensure();
    await stopAgent(slug, agent);
    expect(isAlive(agent.mark)).toBe(false);
    await stopAgent(slug, agent);
  });
});

describe('the demo’s stored state', () => {
  const state: DemoState = {
    email: 'demo@parley.test',
    password: 'secret',
    server: null,
    app: null,
    agents: {},
    served: {},
    examples: [],
    merchantKey: null,
  };

  it('is read as it was written, and only its owner can read it', () => {
    const file = path.join(scratch, 'new', 'demo.json');
    expect(readDemoState(file)).toBeNull();
    writeDemoState(file, state);
    expect(readDemoState(file)).toEqual(state);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it.each(['{', '{}', '{"email":1}'])('is rejected if it is %s', (text) => {
    const file = path.join(scratch, 'bad.json');
    writeFileSync(file, text);
    expect(() => readDemoState(file)).toThrow(/bad\.json cannot be read .*; remove it and start again$/s);
  });
});
