import { ScriptedWorker, type WorkerOptions } from '../fakes/scripted-worker';
import { type Connection, connectTo, createPerson, type Person, send } from '../support/fixtures';
import type { Parley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

/** An agent that connects to Parley, its owner with a token for workers, and a caller's connection. */
export interface HubAgent {
  slug: string;
  owner: Person;
  token: string;
  caller: Connection;
  worker: (options?: Partial<WorkerOptions>) => Promise<ScriptedWorker>;
}

/** Lists an agent without an address. */
export async function listHubAgent(
  { url }: Pick<Parley, 'url'>,
  {
    slug = `hub-${Math.random().toString(36).slice(2, 10)}`,
    ...more
  }: { slug?: string; visibility?: string; card?: object } = {},
): Promise<HubAgent> {
  const owner = await createPerson(url, 'Hubert');
  const listed = await send(`${url}/api/agents`, { body: { hub: true, slug, ...more }, bearer: owner.accessToken });
  if (listed.status !== 201) throw new Error(`register: ${listed.status} ${await listed.text()}`);
  const token = await serveToken(url, owner);
  const caller = await connectTo(url, owner, slug);
  const worker = (options: Partial<WorkerOptions> = {}) =>
    ScriptedWorker.connect({ url, token, agent: slug, ...options });
  return { slug, owner, token, caller, worker };
}

/** An access token with which the person's programs may serve agents. */
export async function serveToken(url: string, person: Person, scopes = ['agents:serve']): Promise<string> {
  const created = await send(`${url}/api/auth/access-tokens`, {
    body: { name: 'workers', scopes },
    cookie: person.cookie,
    origin: url,
  });
  return ((await created.json()) as { token: string }).token;
}

/** Limits of the agent, as its owner sets them. */
export async function setCallLimits(
  { url }: Pick<Parley, 'url'>,
  { slug, owner }: HubAgent,
  callLimits: object,
): Promise<void> {
  const changed = await send(`${url}/api/agents/${slug}`, {
    method: 'PATCH',
    body: { callLimits },
    bearer: owner.accessToken,
  });
  if (changed.status !== 200) throw new Error(`limits: ${changed.status} ${await changed.text()}`);
}

/** A worker connects and leaves: the agent has been online, and is not now. */
export async function comeAndGo({ slug, worker }: HubAgent): Promise<void> {
  await (await worker()).close();
  const connected =
    'SELECT w.id FROM hub_worker w JOIN agent a ON a.id = w.agent_id WHERE a.slug = $1 AND w.left_at IS NULL';
  await waitFor(async () => (await query('test-hub-workers', connected, [slug])).length === 0, { what: 'no worker' });
}
