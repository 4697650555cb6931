import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { fillCatalog } from './fill-catalog.mjs';
import { startPeer } from './peer.mjs';

/**
 * Lists agents that connect to Parley, in the database: the API limits registrations.
 *
 * @param {{ databaseUrl: string }} parley
 * @param {number} count
 * @returns {Promise<string[]>} their slugs
 */
export async function listHubAgents({ databaseUrl }, count) {
  await fillCatalog(databaseUrl, count);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("UPDATE agent SET url = 'ws-agent://' || slug WHERE slug LIKE 'agent-%'");
  // The server may have cached the agents.
  await client.query(
    "SELECT pg_notify('parley', '* agent ' || id || ',' || slug) FROM agent WHERE slug LIKE 'agent-%'",
  );
  await client.end();
  return Array.from({ length: count }, (_, index) => `agent-${index + 1}`);
}

/**
 * Starts workers in a separate process; see `peers/hub-worker.mjs`.
 *
 * @param {{ origin: string, app: { clientId: string, clientSecret: string } }} parley
 * @param {{ slugs: string[], workers: number, capacity: number, origins?: string[] }} plan per agent; `origins`:
 *   Parley's
 *   nodes, in the order in which the workers try them
 * @returns {Promise<{ info: { port: number, connections: number }, stop: () => Promise<void> }>}
 */
export async function startWorkers(parley, { slugs, workers, capacity, origins = [parley.origin] }) {
  const list = [];
  for (const slug of slugs) list.push({ agent: slug, token: await serveTokenFor(parley, slug), workers, capacity });
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-workers-'));
  try {
    const file = path.join(folder, 'workers.json');
    writeFileSync(file, JSON.stringify(list));
    return await startPeer('hub-worker', [origins.join(','), file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns a token to serve an agent of the app.
 *
 * @param {{ origin: string, app: { clientId: string, clientSecret: string } }} parley
 * @param {string} slug
 * @returns {Promise<string>}
 */
export async function serveTokenFor({ origin, app: { clientId, clientSecret } }, slug) {
  const form = {
    grant_type: 'client_credentials',
    scope: 'agent:serve',
    resource: `${origin}/agents/${slug}/hub`,
  };
  const response = await fetch(`${origin}/api/auth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams(form),
  });
  const { access_token: token } = await response.json();
  if (!token) throw new Error(`no token for ${slug}: HTTP ${response.status}`);
  return token;
}
