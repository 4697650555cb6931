import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchPage } from '@/lib/discovery/schema';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import type { ProbeView } from '@/lib/probes/schema';
import { FlapsAgent } from '../fakes/network-flaps';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

const interval = 2;
/** The clocks of the agent and of Parley are read at different times. */
const slackMs = 400;

describe('probes from two nodes with one database', () => {
  let nodes: Parley[] = [];
  let url: string;
  let flaps: FlapsAgent;
  let ada: Person;
  let eve: Person;
  let slug: string;

  beforeAll(async () => {
    const env = {
      AGENT_URL_ALLOW: 'http://127.0.0.1:*',
      PROBE_INTERVAL_SECONDS: String(interval),
      PROBE_RUN_INTERVAL_SECONDS: '5',
    };
    nodes = [await startParley({ env }), await startParley({ env })];
    url = nodes[0]?.url ?? '';
    flaps = await FlapsAgent.start();
    [ada, eve] = [await createPerson(url, 'Ada'), await createPerson(url, 'Eve')];
    slug = await listAgent(url, ada, { url: flaps.url });
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await flaps?.stop();
  });

  async function standing(of = slug): Promise<AgentRanking> {
    return (await (await fetch(`${url}/api/agents/${of}/standing`)).json()) as AgentRanking;
  }

  async function probes(by: Person = ada): Promise<ProbeView[]> {
    const response = await send(`${url}/api/agents/${slug}/probes?failed=1`, { bearer: by.accessToken });
    return ((await response.json()) as { items: ProbeView[] }).items;
  }

  async function found(): Promise<SearchPage['items'][number] | undefined> {
    const page = (await (await fetch(`${url}/api/agents?q=flaps`)).json()) as SearchPage;
    return page.items.find((item) => item.slug === slug);
  }

  function mails(): string[] {
    return nodes.flatMap(({ dataDir }) => {
      const folder = join(dataDir, 'outbox');
      try {
        return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
      } catch {
        return [];
      }
    });
  }

  const mailsAbout = (words: string): string[] =>
    mails().filter((mail) => mail.includes(`To: ${ada.email}`) && mail.includes(words));

  const turnsTo = (health: AgentRanking['health']): Promise<AgentRanking> =>
    waitFor(async () => ((await standing()).health === health ? standing() : null), {
      timeout: 15_000,
      what: `the health ${health}`,
    });

  it('find a listed agent healthy, and show each check’s time, kind and frequency', async () => {
    const view = await turnsTo('healthy');
    expect(view.checked?.at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(['reach', 'run']).toContain(view.checked?.by);
    expect(view.intervals).toEqual({ reachSeconds: interval, runSeconds: 5 });
    expect(view.uptime).toMatchObject({ share: 1, days: 30 });
  });

  it('have their own identity, which is not a user and may only call agents', () => {
    const token = flaps.agent.received[0]?.headers.authorization?.split('.')[1] ?? '';
    const claims = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>;
    expect(claims).toMatchObject({ client_id: 'parley-probe', scope: 'agent:call', token_use: 'upstream' });
    expect(claims).not.toHaveProperty('email');
  });

  it('run an example of a skill as a task without a user', async () => {
    const run = await waitFor(() => flaps.agent.calls('message/send')[0], { what: 'a run' });
    expect(run.params.message?.parts).toEqual([{ kind: 'text', text: 'How do you feel today?' }]);
    expect(run.params).toMatchObject({ metadata: { 'parley.probe': 'skill-example' } });
    expect(await query('test-tasks', 'SELECT id FROM task')).toEqual([]);
    const log = await query('test-calls', 'SELECT id FROM agent_call');
    expect(log).toEqual([]);
  });

  it('update the badge within two intervals, lower the score, and show the owner the masked failure', async () => {
    await waitFor(async () => (await found())?.standing.score, { what: 'a score' });
    const before = await found();
    flaps.isWell = false;
    const turned = Date.now();
    const view = await turnsTo('down');
    expect(Date.now() - turned).toBeLessThan(2 * interval * 1000 + 3_000);
    expect(view.failingSince).not.toBeNull();
    await waitFor(async () => (await found())?.standing.health === 'down', {
      what: 'the search to show the agent as down',
    });
    expect((await found())?.standing.score).toBeLessThan(before?.standing.score ?? 0);

    await waitFor(() => mailsAbout('Subject: flaps is down').length > 0, { what: 'a mail to the owner' });
    // The run of its examples may have failed since.
    const isReach = ({ failure }: ProbeView): boolean => failure?.wire?.request.body.includes('tasks/get') === true;
    const failed = (await probes()).find(isReach);
    expect(failed?.failure?.wire?.answer).toMatchObject({ status: 500 });
    expect(failed?.failure?.wire?.answer?.body).toContain('out of order');
    expect(JSON.stringify(failed)).not.toContain('hidden-from-everybody');
    expect(JSON.stringify(failed)).not.toMatch(/eyJ/);
  });

  it('are visible only to the team', async () => {
    const path = `${url}/api/agents/${slug}/probes`;
    expect((await send(path, {})).status).toBe(401);
    expect((await send(path, { bearer: eve.accessToken })).status).toBe(404);
  });

  async function secondsToNext(): Promise<number> {
    const text = 'SELECT extract(epoch FROM next_reach_at - now())::float8 AS seconds FROM probe_state';
    return (await query<{ seconds: number }>('test-next', text))[0]?.seconds ?? 0;
  }

  /** Simulates the pause between two checks. */
  async function letPass(): Promise<void> {
    const text = 'UPDATE probe_state SET next_reach_at = least(next_reach_at, now() + make_interval(secs => $1))';
    await query('test-let-pass', text, [interval]);
  }

  it('mark an agent that is down as under maintenance, hide it from search, and run less often', async () => {
    const since = async (days: number): Promise<void> => {
      const text = 'UPDATE probe_state SET failing_since = now() - make_interval(hours => $1)';
      await query('test-down-since', text, [days * 24 + 1]);
      await letPass();
    };
    await since(1);
    await waitFor(async () => (await standing()).rung === 'maintenance', { what: 'maintenance' });
    expect(mailsAbout('Subject: flaps is shown as under maintenance')).toHaveLength(1);
    await waitFor(async () => (await found())?.standing.isUnderMaintenance, { what: 'search to rank it last' });
    await waitFor(async () => (await secondsToNext()) > 3_000, { what: 'the next check to be in an hour' });

    await since(14);
    await waitFor(async () => (await found()) === undefined, { what: 'search to omit it' });
    expect(mailsAbout('Subject: flaps was removed from search')).toHaveLength(1);
    expect((await fetch(`${url}/agents/${slug}`)).status).toBe(200);
    await waitFor(async () => (await secondsToNext()) > 80_000, { what: 'the next check to be in a day' });
  }, 30_000);

  it('restore an agent after its first success, within two intervals', async () => {
    flaps.isWell = true;
    await letPass();
    const turned = Date.now();
    const view = await waitFor(async () => ((await standing()).rung === 'listed' ? standing() : null), {
      what: 'recovery',
    });
    expect(Date.now() - turned).toBeLessThan(2 * interval * 1000 + 3_000);
    expect(view.failingSince).toBeNull();
    expect(await waitFor(found, { what: 'search to find it again' })).toMatchObject({ slug });
  });

  it('never run more often than published, across both nodes', () => {
    for (const [method, seconds] of [
      ['tasks/get', interval],
      ['message/send', 5],
    ] as const) {
      const times = flaps.timesOf(method);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...gaps, Number.POSITIVE_INFINITY)).toBeGreaterThan(seconds * 1000 - slackMs);
    }
  });

  it('distinguish an agent whose tasks fail from one that does not respond', async () => {
    await turnsTo('healthy');
    flaps.failsTasks = true;
    await waitFor(async () => (await probes())[0]?.kind === 'run', { timeout: 15_000, what: 'a run that fails' });
    const view = await turnsTo('degraded');
    expect(view.failingSince).toBeNull();
    expect((await probes())[0]).toMatchObject({ kind: 'run', failure: { code: 'agent_misbehaved' } });
    flaps.failsTasks = false;
    await turnsTo('healthy');
  }, 40_000);

  it('skip a hidden agent, and resume once it is shown again, whatever its age', async () => {
    const shy = await ScriptedAgent.start({ name: 'Shy' });
    const shySlug = await listAgent(url, ada, { url: shy.url });
    await waitFor(() => shy.received.length > 0, { what: 'a first check' });
    const setVisibility = (visibility: string): Promise<Response> =>
      send(`${url}/api/agents/${shySlug}`, { method: 'PATCH', body: { visibility }, bearer: ada.accessToken });
    const isParked = `SELECT FROM probe_state w JOIN agent a ON a.id = w.agent_id
      WHERE a.slug = $1 AND w.next_reach_at > now() + interval '1 year'`;
    await setVisibility('private');
    await waitFor(async () => (await query('test-parked', isParked, [shySlug])).length === 1, {
      what: 'its check to wait',
      timeout: 25_000,
    });
    const before = shy.received.length;
    await setVisibility('unlisted');
    await waitFor(() => shy.received.length > before, { what: 'a check after it is shown', timeout: 25_000 });
    await query(
      'test-forgotten',
      `WITH old AS (UPDATE agent SET created_at = now() - interval '9 days' WHERE slug = $1 RETURNING id)
       DELETE FROM probe_state WHERE agent_id IN (SELECT id FROM old)`,
      [shySlug],
    );
    const known = shy.received.length;
    await waitFor(() => shy.received.length > known, {
      what: 'a check of the agent without a probe state',
      timeout: 25_000,
    });
    await shy.stop();
  }, 90_000);

  it('count an agent that requires credentials as responding, and never call a private agent', async () => {
    const guarded = await ScriptedAgent.start({ name: 'Guarded' });
    guarded.answer(({ json }) => json({ error: 'who are you' }, 401));
    const hidden = await ScriptedAgent.start({ name: 'Hidden' });
    const open = await listAgent(url, ada, { url: guarded.url });
    await listAgent(url, ada, { url: hidden.url, visibility: 'private' });
    await waitFor(async () => (await standing(open)).health === 'healthy', { what: 'the guarded agent to be healthy' });
    expect(hidden.received).toEqual([]);
    const isDue = `SELECT w.agent_id FROM probe_state w JOIN agent a ON a.id = w.agent_id WHERE a.visibility = 'private'
      AND least(w.next_reach_at, w.next_run_at) < now() + interval '1 hour'`;
    expect(await query('test-hidden-due', isDue)).toEqual([]);
    await Promise.all([guarded.stop(), hidden.stop()]);
  });
});
