// Agents that connect to Parley: CPU of a message and its response, compared with an agent behind an address, and memory
// of idle workers. Goals: at most 1.3 times the CPU; at most 20 KB per idle worker.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { compare } from './lib/compare.mjs';
import { fillCatalog } from './lib/fill-catalog.mjs';
import { load } from './lib/load.mjs';
import { messageTo, text } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { memoryOf, startPeer } from './lib/peer.mjs';

/** The limit per user is ten messages a second, with a burst of a hundred. */
const people = 200;
const count = 4_000;
const connections = 96;
const goalRatio = 1.3;
const agents = 500;
const workersPerAgent = 20;
const goalKb = 20;

const agent = await startPeer('unary-agent');
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });
const folder = mkdtempSync(path.join(tmpdir(), 'parley-workers-'));
const stops = [parley.stop, agent.stop];

/** Starts workers in a process of their own. */
async function startWorkers(name, list) {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(list));
  const workers = await startPeer('hub-worker', [parley.origin, file]);
  stops.unshift(workers.stop);
  return workers;
}

function sendingTo(slug, tokens) {
  const request = (index) => ({
    method: 'POST',
    path: `/agents/${slug}/a2a/jsonrpc`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[index % tokens.length]}` },
    body: messageTo(index),
  });
  const target = { pid: parley.pid, origin: parley.origin };
  return () => load({ target, count, connections, request, isRight: (body) => body.includes(text) });
}

/** Lists agents without an address in the database: the API limits registrations. */
async function listHubAgents() {
  await fillCatalog(parley.databaseUrl, agents);
  const client = new pg.Client({ connectionString: parley.databaseUrl });
  await client.connect();
  await client.query("UPDATE agent SET url = 'ws-agent://' || slug WHERE slug LIKE 'agent-%'");
  // The server may have cached them.
  await client.query(
    "SELECT pg_notify('parley', '* agent ' || id || ',' || slug) FROM agent WHERE slug LIKE 'agent-%'",
  );
  await client.end();
  return Array.from({ length: agents }, (_, index) => `agent-${index + 1}`);
}

async function serveTokenFor(slug) {
  const { clientId, clientSecret } = parley.app;
  const form = {
    grant_type: 'client_credentials',
    scope: 'agent:serve',
    resource: `${parley.origin}/agents/${slug}/hub`,
  };
  const response = await fetch(`${parley.origin}/api/auth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams(form),
  });
  const { access_token: token } = await response.json();
  if (!token) throw new Error(`no token for ${slug}: HTTP ${response.status}`);
  return token;
}

try {
  const [served, ...idle] = await listHubAgents();
  await startWorkers('served', [{ agent: served, token: await serveTokenFor(served), workers: 2, capacity: 100 }]);
  const ratioMet = await compare({
    name: 'hub',
    rounds: 5,
    warmUps: 3,
    targets: [
      { name: 'agent behind an address', measure: sendingTo(parley.slug, await parley.tokens()) },
      { name: 'agent that connects', measure: sendingTo(served, await parley.tokens(served)), goal: goalRatio },
    ],
  });
  const before = await memoryOf(parley.pid);
  const list = [];
  for (const slug of idle)
    list.push({ agent: slug, token: await serveTokenFor(slug), workers: workersPerAgent, capacity: 1 });
  const { info } = await startWorkers('idle', list);
  const eachKb = ((await memoryOf(parley.pid)) - before) / info.connections / 1024;
  console.log(`${info.connections} idle workers: ${eachKb.toFixed(1)} KB each; goal <= ${goalKb}`);
  process.exitCode = ratioMet && eachKb <= goalKb ? 0 : 1;
} finally {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
}
