import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { buildIndexes } from '../../scripts/concurrent-indexes.mjs';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { freePort } from '../../scripts/processes.mjs';
import { ROOT } from '../../scripts/program.mjs';
import { build, prepare } from '../../scripts/setup.mjs';
import { cardOf } from './card.mjs';
import { measurable, stopProcess } from './peer.mjs';

/** Fewer than the connections without a request that a node allows per client address. */
const tokensAtOnce = 20;

/**
 * Builds and starts Parley in production mode on a new database, with users who have access tokens; the first user has
 * an app and a listed agent.
 *
 * @param {object} [options]
 * @param {number} [options.people]
 * @param {string} [options.agentUrl] the agent to list; default: one that is never called
 * @param {string[]} [options.flags] additional Node flags
 * @param {Record<string, string>} [options.env] additional variables
 * @param {{ url: string, stop: () => Promise<void> }} [options.database] an empty database; default: a new embedded one
 * @param {(databaseUrl: string) => string | Promise<string>} [options.through] the database URL of the nodes, such as that of a proxy
 * @returns {Promise<{ pid: number, origin: string, databaseUrl: string, dataDir: string, accessToken: string, accessTokens: string[], app: { clientId: string, clientSecret: string },
 *   addApp: () => Promise<{ clientId: string, clientSecret: string }>, slug: string, handshake: () => Promise<string>, tokens: (slug?: string) => Promise<string[]>,
 *   variables: Record<string, string>, another: (extra?: Record<string, string>, root?: string) => Promise<{ pid: number, origin: string, stop: () => Promise<void> }>,
 *   list: (agentUrl: string, person?: number) => Promise<string>, stop: () => Promise<void> }>}
 *   `handshake` issues an agent token for the first user, `tokens` one for each user; `another` starts another node, with additional variables, from this or
 *   another tree; `PORT` chooses its port; `variables` are those of every node; `list` lists another agent, of the first person by default, and returns its slug
 */
export async function startParley({
  people = 1,
  agentUrl,
  flags = [],
  env = {},
  database: given,
  through = (url) => url,
} = {}) {
  await prepare();
  await build({ pages: true });
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const database = given ?? (await startEmbeddedPostgres({ dataDir }));
  await migrate(database.url);
  await buildIndexes(database.url);
  const origin = `http://localhost:${await freePort()}`;
  const variables = { ...environmentOf({ origin, dataDir, databaseUrl: await through(database.url) }), ...env };
  const agent = await startAgent();
  const nodes = [];
  const stop = async () => {
    agent.close();
    for (const node of nodes) await stopProcess(node);
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  async function addNode(port, extra = {}, root = ROOT) {
    const child = startNode({ ...variables, ...extra, PORT: String(port) }, flags, root);
    nodes.push(child);
    const at = `http://localhost:${port}`;
    await untilReady(at, child);
    return { pid: child.pid, origin: at, stop: () => stopProcess(child) };
  }
  try {
    const { pid } = await addNode(new URL(origin).port);
    const accessTokens = [];
    for (let number = 1; number <= people; number++)
      accessTokens.push(await createPerson(origin, database.url, number));
    const listed = await listAgent(origin, accessTokens[0], agentUrl ?? agent.url);
    const tokens = async (slug = listed.slug) => {
      const found = [];
      for (let at = 0; at < accessTokens.length; at += tokensAtOnce) {
        const some = accessTokens.slice(at, at + tokensAtOnce);
        found.push(...(await Promise.all(some.map((token) => requestAgentToken(origin, token, slug)))));
      }
      return found;
    };
    const another = async (extra, root) => addNode(extra?.PORT ?? (await freePort()), extra, root);
    const list = async (url, person = 0) => (await listAgent(origin, accessTokens[person], url)).slug;
    return {
      pid,
      origin,
      databaseUrl: database.url,
      dataDir,
      variables,
      ...listed,
      accessTokens,
      tokens,
      another,
      list,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startNode(env, flags, root) {
  return spawn(process.execPath, [...measurable, ...flags, path.join(root, 'scripts/serve.mjs')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
}

function environmentOf({ origin, dataDir, databaseUrl }) {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: new URL(origin).port,
    APP_URL: origin,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DEMO: '0',
    // Catalogs are filled with copies of the one listed agent.
    CONCIERGE: 'off',
    LOG_LEVEL: 'warn',
    NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
    AGENT_URL_ALLOW: 'http://127.0.0.1:*',
  };
}

async function untilReady(origin, child) {
  for (let attempt = 0; attempt < 2_400; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`Parley exited with ${child.exitCode ?? child.signalCode}`);
    const ready = await fetch(`${origin}/readyz`).catch(() => null);
    if (ready?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('Parley was not ready within a minute');
}

/** Inserts a signed-in user into the database, because signing up requires email. */
async function createPerson(origin, databaseUrl, number) {
  const cookie = randomBytes(32).toString('base64url');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const id = (prefix) => `${prefix}_${String(number).padStart(20, '0')}`;
  await client.query('INSERT INTO "user" (id, email, name) VALUES ($1, $2, $3)', [
    id('usr'),
    `bench-${number}@parley.test`,
    'Bench',
  ]);
  await client.query(`INSERT INTO session (id, session_token, user_id, expires) VALUES ($1, $2, $3, now() + '1 day')`, [
    id('ses'),
    createHash('sha256').update(cookie).digest('hex'),
    id('usr'),
  ]);
  await client.end();
  const headers = { cookie: `parley=${cookie}`, origin };
  const { token } = await post(`${origin}/api/auth/access-tokens`, { name: 'bench' }, headers);
  return token;
}

async function listAgent(origin, accessToken, url) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const addApp = () => post(`${origin}/api/apps`, { name: 'bench' }, headers);
  const app = await addApp();
  const { slug } = await post(`${origin}/api/agents`, { url, appId: app.id }, headers);
  return { accessToken, app, addApp, slug, handshake: () => requestAgentToken(origin, accessToken, slug) };
}

async function requestAgentToken(origin, accessToken, slug) {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await post(`${origin}/api/auth/handshake`, { agentSlug: slug }, headers)).token;
}

async function post(url, body, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Starts an agent with a card, which is never called. */
async function startAgent() {
  const server = createServer((_request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(cardOf({ name: 'Bench', port: server.address().port, streaming: true })));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
