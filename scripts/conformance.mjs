// npm run conformance: runs the public compatibility kit of A2A (a2aproject/a2a-tck) through the gateway, per version and
// binding, and prints a table. The kit is not part of this repository (docs/conformance.md):
//   npm run conformance -- --kit <checkout of 1.0-dev> [--kit-0.3 <checkout of 0.3.x>] [--python python3] [--out <folder>]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startParley } from '../bench/lib/parley.mjs';
import { CliError, runMain } from './cli-output.mjs';
import { freePort } from './processes.mjs';
import { ROOT } from './program.mjs';

const PLUGINS = path.join(ROOT, 'scripts/conformance');
/** Maximum time of one run of a kit. */
const MAX_RUN_MS = 10 * 60_000;
const SUITES_0_3 = ['mandatory', 'capabilities', 'quality', 'features'];

const { values: options } = parseArgs({
  options: {
    kit: { type: 'string' },
    'kit-0.3': { type: 'string' },
    python: { type: 'string', default: 'python3' },
    out: { type: 'string' },
  },
});

/** Starts the agent of examples/agents/conformance, whose card names `parleyUrl`. */
async function startAgent({ parley, port, more = {} }) {
  const child = spawn(process.execPath, [path.join(ROOT, 'dist/agents/conformance.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PARLEY_URL: parley.origin,
      PARLEY_CLIENT_ID: parley.app.clientId,
      PARLEY_CLIENT_SECRET: parley.app.clientSecret,
      ...more,
    },
  });
  for (let attempt = 0; attempt < 200; attempt++) {
    const ready = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (ready?.ok) return child;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new CliError('the conformance agent does not start');
}

/** Lists an agent that uses the app of the first user, and returns its slug. */
async function listAgent(parley, url) {
  const response = await fetch(`${parley.origin}/api/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${parley.accessToken}` },
    body: JSON.stringify({ url, appId: parley.app.id }),
  });
  if (!response.ok) throw new CliError(`the agent cannot be listed: ${await response.text()}`);
  return (await response.json()).slug;
}

/** Returns the results of the kit's JUnit reports in a folder. */
function readReports(folder) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.xml'))) {
    const report = readFileSync(path.join(folder, file), 'utf8');
    for (const [, attributes, body = ''] of report.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
      if (/<(?:failure|error)\b/.test(body)) {
        counts.failed += 1;
        counts.failures.push(
          `${/name="([^"]*)"/.exec(attributes)?.[1]}: ${/message="([^"]{0,200})/.exec(body)?.[1] ?? ''}`,
        );
      } else if (/<skipped\b/.test(body)) counts.skipped += 1;
      else counts.passed += 1;
    }
  }
  return counts;
}

/** Runs pytest of a kit and returns its counts. */
async function runKit({ kit, args, variables, name }) {
  const folder = mkdtempSync(path.join(options.out ?? tmpdir(), `parley-kit-${name}-`));
  const child = spawn(
    options.python,
    [
      '-m',
      'pytest',
      ...args,
      '-q',
      '--tb=line',
      '-p',
      'no:cacheprovider',
      '-p',
      'parley_kit',
      `--junitxml=${folder}/junit.xml`,
    ],
    {
      cwd: kit,
      env: { ...process.env, PYTHONPATH: `${kit}:${PLUGINS}`, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_RUN_MS);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  if (!existsSync(path.join(folder, 'junit.xml')))
    throw new CliError(`pytest ended with ${code}: ${output.slice(-2_000)}`);
  return readReports(folder);
}

/**
 * Starts a server whose card is that of the agent with other members, and which forwards every call to the agent, except
 * that for the extended card and those without a required extension.
 */
async function startVariant(agentPort, capabilities) {
  const agentUrl = `http://127.0.0.1:${agentPort}`;
  const serve = async (request, response) => {
    const send = (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (request.method === 'GET') {
      const card = await (await fetch(`${agentUrl}${request.url}`)).json();
      const own = JSON.stringify(card).replaceAll(agentUrl, `http://127.0.0.1:${server.address().port}`);
      const changed = JSON.parse(own);
      return send({ ...changed, capabilities: { ...changed.capabilities, ...capabilities } });
    }
    const body = await readAll(request);
    const { id, method } = JSON.parse(body.toString());
    const extensions = request.headers['a2a-extensions'] ?? '';
    if (capabilities.extensions?.some(({ uri, required }) => required && !extensions.includes(uri)))
      return send({
        jsonrpc: '2.0',
        id,
        error: { code: -32008, message: 'The caller does not support the extension' },
      });
    if (method === 'GetExtendedAgentCard') {
      const card = await (await fetch(`${agentUrl}/.well-known/agent-card.json`)).json();
      return send({ jsonrpc: '2.0', id, result: { ...card, description: 'The extended card' } });
    }
    const answer = await fetch(`http://127.0.0.1:${variant.agentPort}${request.url}`, {
      method: 'POST',
      headers: forwarded(request.headers),
      body,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    for await (const chunk of answer.body) response.write(chunk);
    response.end();
  };
  const server = createServer((request, response) => {
    // The agent is stopped at the end of a run, when calls may still be in progress.
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const variant = {
    /** Receives the calls. */
    agentPort,
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return variant;
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function forwarded({
  authorization,
  'content-type': type,
  accept,
  'a2a-version': version,
  'a2a-extensions': extensions,
}) {
  const all = { authorization, 'content-type': type, accept, 'a2a-version': version, 'a2a-extensions': extensions };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Agents besides the plain one, with the tests that concern them. */
const VARIANTS = {
  'extended card': { capabilities: { extendedAgentCard: true }, only: ['-k', 'CARD or Extended or agent_card'] },
  'required extension': {
    capabilities: { extensions: [{ uri: 'urn:a2a:tck:required-extension', required: true }] },
    only: ['-k', 'extension'],
  },
};

/** Runs the kit of A2A 0.3. */
async function runEarlierKit({ base, add, variablesOf }) {
  for (const suite of SUITES_0_3)
    for (const binding of ['jsonrpc', 'rest'])
      add(
        `0.3 ${suite}`,
        binding,
        await runKit({
          kit: options['kit-0.3'],
          name: `${suite}-${binding}`,
          args: [
            suite === 'mandatory' ? 'tests/mandatory' : `tests/optional/${suite}`,
            ...(suite === 'mandatory' ? ['-m', `mandatory_${binding} or mandatory_protocol`] : []),
            `--sut-url=${base}/a2a/${binding}`,
            '--test-scope=all',
            `--transports=${binding}`,
          ],
          variables: {
            ...(await variablesOf()),
            PARLEY_CARD_VERSION: '',
            PARLEY_CARD_URL: `${base}/.well-known/agent-card.json`,
          },
        }),
      );
}

async function runAll() {
  if (!(options.kit || options['kit-0.3'])) throw new CliError('expected --kit or --kit-0.3; see docs/conformance.md');
  const [agentPort, grpcPort] = [await freePort(), await freePort()];
  // The kit's webhooks use random ports.
  const env = {
    GRPC_PORT: String(grpcPort),
    AGENT_URL_ALLOW: 'http://127.0.0.1:*,http://localhost:*',
    EMBEDDINGS: 'off',
  };
  const parley = await startParley({ env });
  const agent = await startAgent({ parley, port: agentPort });
  try {
    const slug = await listAgent(parley, `http://127.0.0.1:${agentPort}`);
    const base = `${parley.origin}/agents/${slug}`;
    const rows = [];
    const add = (kit, binding, counts) => {
      rows.push({ kit, binding, passed: counts.passed, failed: counts.failed, skipped: counts.skipped });
      for (const failure of counts.failures) console.log(`  ${kit} ${binding}: ${failure}`);
    };
    const variablesOf = async (agentSlug = slug) => ({
      PARLEY_ORIGIN: parley.origin,
      PARLEY_TOKEN: (await parley.tokens(agentSlug))[0],
      PARLEY_CARD_VERSION: '1.0',
      TCK_STREAMING_TIMEOUT: '2',
    });
    const bindings = ['jsonrpc', 'http_json', 'grpc'];
    const runOn = async (agentSlug, name, args) =>
      runKit({
        kit: options.kit,
        name,
        args: ['tests/compatibility/', `--sut-host=${parley.origin}/agents/${agentSlug}`, ...args],
        variables: await variablesOf(agentSlug),
      });
    if (options.kit) {
      for (const binding of bindings) add('1.0', binding, await runOn(slug, binding, [`--transport=${binding}`]));
      add('1.0', 'all together', await runOn(slug, 'all', [`--transport=${bindings}`]));
      for (const [name, { capabilities, only }] of Object.entries(VARIANTS)) {
        const variant = await startVariant(agentPort, capabilities);
        const listed = await listAgent(parley, variant.url);
        // An agent accepts the tokens of its own callers only.
        variant.agentPort = await freePort();
        const own = await startAgent({ parley, port: variant.agentPort, more: { PARLEY_AGENT: listed } });
        add(`1.0, ${name}`, 'all together', await runOn(listed, 'variant', [`--transport=${bindings}`, ...only]));
        variant.stop();
        own.kill();
      }
    }
    if (options['kit-0.3']) await runEarlierKit({ base, add, variablesOf });
    console.table(rows);
  } finally {
    agent.kill();
    await parley.stop();
  }
}

await runMain(runAll);
