import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentSummary } from '@/lib/catalog/schema';
import type { OwnershipView } from '@/lib/catalog/schema-team';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

describe('proof of host ownership', () => {
  let parley: SharedParley;
  let host: CardServer;
  let ada: Person;
  let eve: Person;
  let slug: string;

  beforeAll(async () => {
    host = await CardServer.start();
    parley = await sharedParley();
    [ada, eve] = [await createPerson(parley.url, 'Ada'), await createPerson(parley.url, 'Eve')];
    slug = await listAgent(parley.url, ada, { url: host.serve('own', cardV10(host.base('own'))) });
  });

  afterAll(() => host?.stop());

  async function ownership(method: 'GET' | 'POST', by = ada): Promise<{ status: number; view: OwnershipView }> {
    const address = `${parley.url}/api/agents/${slug}/ownership`;
    const response = await send(address, { method, bearer: by.accessToken });
    return { status: response.status, view: (await response.json()) as OwnershipView };
  }

  function publish(text: string | null): void {
    host.on('GET', '/.well-known/parley-agent.txt', (_request, response) => {
      if (text === null) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
    });
  }

  async function badges(): Promise<string[]> {
    const found = await fetch(`${parley.url}/api/agents?capability=verified`);
    const { items } = (await found.json()) as { items: AgentSummary[] };
    return items.find((item) => item.slug === slug)?.badges ?? [];
  }

  it('states which line to publish and where, and is not accepted before the line is published', async () => {
    const { status, view } = await ownership('GET');
    expect(status).toBe(200);
    expect(view).toEqual({
      proof: {
        host: '127.0.0.1',
        text: expect.stringMatching(/^parley-agent=[\w-]{32}$/),
        dnsName: null,
        fileUrl: `${host.url}/.well-known/parley-agent.txt`,
      },
      proved: null,
    });
  });

  it.each([
    ['no file', null],
    ['an empty file', ''],
    ['another proof', 'parley-agent=00000000000000000000000000000000'],
    ['an endless file', 'parley-agent=x\n'.repeat(10_000)],
  ])('is not accepted with %s', async (_name, text) => {
    publish(text);
    const { status, view } = await ownership('POST');
    expect([status, view.proved]).toEqual([200, null]);
    expect(await badges()).toEqual([]);
  });

  it('AUZ-1 can be read and made only by the owner', async () => {
    expect((await ownership('GET', eve)).status).toBe(404);
    expect((await ownership('POST', eve)).status).toBe(404);
    expect((await fetch(`${parley.url}/api/agents/${slug}/ownership`)).status).toBe(401);
  });

  it('marks the listing once the line is published, even among others, and survives a card refresh', async () => {
    const { view } = await ownership('GET');
    publish(`# our agents\r\n ${view.proof.text} \r\n`);
    const checked = await ownership('POST');
    expect(checked.view.proved).toMatchObject({ method: 'file', missingSince: null });
    expect(await badges()).toContain('verified');
    const again = cardV10(host.base('own'), { description: 'Another description.' });
    expect(await listAgent(parley.url, ada, { url: host.serve('own', again) })).toBe(slug);
    expect(await badges()).toContain('verified');
  });

  it('is checked daily, and is removed if it is missing for a week', {
    timeout: 40_000,
  }, async () => {
    publish(null);
    const due = "UPDATE agent_ownership SET next_check_at = now() - interval '1 hour'";
    await query('test-due', due);
    await waitFor(async () => (await ownership('GET')).view.proved?.missingSince, {
      what: 'the proof to be reported as missing',
      timeout: 15_000,
    });
    expect(await badges()).toContain('verified');
    await query('test-long-due', `${due}, missing_since = now() - interval '8 days'`);
    await waitFor(async () => (await ownership('GET')).view.proved === null, {
      what: 'the mark to be removed',
      timeout: 15_000,
    });
    expect(await badges()).toEqual([]);
  });
});
