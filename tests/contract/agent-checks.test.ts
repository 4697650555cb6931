import { listenOn, mockAgent } from '@parley/agent/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckReportView } from '@/lib/console/schema-checks';
import { type SwitchableAgent, startSwitchable, texts } from '../fakes/faulty-agents';
import { plantedFaults } from '../fakes/planted-faults';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let owner: Person;
let agent: SwitchableAgent;
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  owner = await createPerson(parley.url, 'Olga');
  agent = await startSwitchable();
  slug = await listAgent(parley.url, owner, { url: agent.url });
});

afterAll(() => agent?.close());

function check(of: string, body: object = { texts }, by = owner): Promise<Response> {
  return send(`${parley.url}/api/agents/${of}/checks`, { body, bearer: by.accessToken });
}

async function reportOf(response: Response): Promise<CheckReportView> {
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as CheckReportView;
}

function failuresOf({ results }: CheckReportView): string[] {
  return results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

describe('the console', () => {
  test('finds nothing in an agent without a fault, and skips no check', async () => {
    const report = await reportOf(await check(slug));
    expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report).toMatchObject({ ok: true, failed: 0, skipped: 0, agent: { name: 'Planted' } });
  });

  // Each has its own owner, because an owner may run few tests per minute.
  test.concurrent.for(plantedFaults)('finds $fault by the check $check alone', { timeout: 90_000 }, async (planted) => {
    const [faulty, person] = await Promise.all([startSwitchable(), createPerson(parley.url, 'Fay')]);
    try {
      const listed = await listAgent(parley.url, person, { url: faulty.url });
      await faulty.plant(planted);
      const report = await reportOf(await check(listed, { texts }, person));
      expect(failuresOf(report), JSON.stringify(report.results)).toEqual([planted.check]);
    } finally {
      await faulty.close();
    }
  });

  test('runs only the named checks, and rejects unknown ones', async () => {
    const { results } = await reportOf(await check(slug, { only: ['card', 'messages.json'], skip: ['card.modes'] }));
    expect(results.map(({ id }) => id)).toEqual([
      ...['card.readable', 'card.members', 'card.interfaces', 'card.versions', 'card.skills', 'messages.json'],
    ]);
    const refused = await check(slug, { only: ['nothing'] });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'invalid_request',
      title: expect.stringContaining('"nothing"'),
    });
    for (const body of [
      { only: 'card' },
      { texts: { slow: '' } },
      { texts: { slow: 'x'.repeat(1_001) } },
      { url: 'https://a.example' },
    ])
      expect((await check(slug, body)).status, JSON.stringify(body)).toBe(400);
  });

  test('tests an agent for its own team only', async () => {
    const eve = await createPerson(parley.url, 'Eve');
    expect((await check(slug, {}, eve)).status).toBe(404);
    expect((await check('no-such-agent', {})).status).toBe(404);
    expect((await send(`${parley.url}/api/agents/${slug}/checks`, { body: {} })).status).toBe(401);
  });

  test('does not test an agent that has no URL', async () => {
    const person = await createPerson(parley.url, 'Hub');
    const card = { name: 'Connected', description: 'Has no URL', version: '1.0.0', skills: [] };
    const listed = await send(`${parley.url}/api/agents`, {
      body: { hub: true, slug: 'checked-hub', card },
      bearer: person.accessToken,
    });
    expect(listed.status, await listed.clone().text()).toBe(201);
    const refused = await check('checked-hub', {}, person);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'conflict', title: expect.stringContaining('parley test') });
  });

  test('refuses more tests than an owner may run', async () => {
    const person = await createPerson(parley.url, 'Many');
    const own = await startSwitchable();
    const listed = await listAgent(parley.url, person, { url: own.url });
    const statuses: number[] = [];
    while (!statuses.includes(429) && statuses.length < 40) {
      statuses.push((await check(listed, { only: ['card.readable'] }, person)).status);
    }
    await own.close();
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('an agent whose card changes after it was listed', () => {
  test('gets its credential only at the origins of the listed card', async () => {
    const received: (string | null)[] = [];
    const other = mockAgent({
      alter: {
        call({ request }) {
          received.push(request.headers.get('authorization'));
          return undefined;
        },
      },
    });
    const elsewhere = await other.listen();
    const own: (string | null)[] = [];
    const state = { url: '' };
    const changing = mockAgent({
      alter: {
        call({ request, operation }) {
          if (operation !== 'card') own.push(request.headers.get('authorization'));
          return undefined;
        },
        card: (card) =>
          state.url
            ? { ...card, supportedInterfaces: [{ url: state.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }
            : card,
      },
    });
    const server = await listenOn(changing.handle);
    const person = await createPerson(parley.url, 'Cora');
    const listed = await listAgent(parley.url, person, { url: server.url });
    expect((await reportOf(await check(listed, {}, person))).ok).toBe(true);
    expect(own.length).toBeGreaterThan(0);
    expect(own.every((header) => header?.startsWith('Bearer '))).toBe(true);

    state.url = `${elsewhere.url}/a2a`;
    expect((await reportOf(await check(listed, {}, person))).ok).toBe(true);
    expect(received.length).toBeGreaterThan(0);
    expect(received.filter((header) => header !== null)).toEqual([]);
    await Promise.all([server.close(), elsewhere.close()]);
  });

  test('cannot make Parley call addresses that are not public', async () => {
    const person = await createPerson(parley.url, 'Ivan');
    const state = { url: '' };
    const changing = mockAgent({
      alter: {
        card: (card) =>
          state.url
            ? { ...card, supportedInterfaces: [{ url: state.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }
            : card,
      },
    });
    const server = await listenOn(changing.handle);
    const listed = await listAgent(parley.url, person, { url: server.url });
    for (const url of ['http://169.254.169.254/latest', 'https://10.0.0.1/a2a', 'https://[::1]/a2a']) {
      state.url = url;
      const report = await reportOf(await check(listed, {}, person));
      expect(failuresOf(report), url).toEqual(['messages.answered']);
      expect(JSON.stringify(report.results), url).toContain('no response');
    }
    await server.close();
  });
});
