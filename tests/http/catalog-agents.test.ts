import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let cards: CardServer;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  cards = await CardServer.start();
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  bob = await createPerson(parley.url, 'Bob');
});

afterAll(async () => {
  await cards?.stop();
});

let counter = 0;
async function list(more: { visibility?: string } = {}): Promise<string> {
  const name = `listed-${++counter}`;
  return listAgent(parley.url, ada, {
    url: cards.serve(name, cardV10(cards.base(name), { name: `Listed ${counter}` })),
    ...more,
  });
}

const at = (slug: string): string => `${parley.url}/api/agents/${slug}`;
const patch = (slug: string, body: unknown, person: Person = ada): Promise<Response> =>
  send(at(slug), { method: 'PATCH', body, bearer: person.accessToken });
const withdraw = (slug: string, person: Person = ada): Promise<Response> =>
  send(at(slug), { method: 'DELETE', bearer: person.accessToken });

/** Everything in a response except its request id. */
async function shown(response: Response): Promise<unknown> {
  const { requestId: _requestId, ...rest } = (await response.json()) as { requestId?: string };
  return { status: response.status, ...rest };
}

async function found(name: string): Promise<boolean> {
  const { items } = (await (await fetch(`${parley.url}/api/agents?q=${name}`)).json()) as { items: { slug: string }[] };
  return items.some(({ slug }) => slug === name);
}

describe('an agent’s visibility', () => {
  const people = (): [string, object][] => [
    ['nobody', {}],
    ['a stranger', { bearer: bob.accessToken }],
    ['another user by session', { cookie: bob.cookie }],
    ['the owner', { bearer: ada.accessToken }],
    ['the owner by session', { cookie: ada.cookie }],
  ];

  test('lists a public agent and shows it to everyone', async () => {
    const slug = await list();
    for (const [who, person] of people()) expect([who, (await send(at(slug), person)).status]).toEqual([who, 200]);
    expect(await found(slug)).toBe(true);
  });

  test('shows an unlisted agent to everyone who has its slug, and omits it from every list', async () => {
    const slug = await list({ visibility: 'unlisted' });
    for (const [who, person] of people()) expect([who, (await send(at(slug), person)).status]).toEqual([who, 200]);
    expect(await found(slug)).toBe(false);
  });

  test('AUZ: limits a private agent to its owner, and makes it look unknown to other users', async () => {
    const slug = await list({ visibility: 'private' });
    for (const [who, person] of people()) {
      const response = await send(at(slug), person);
      if (who.startsWith('the owner')) expect([who, response.status]).toEqual([who, 200]);
      else expect(await shown(response)).toEqual(await shown(await send(at('no-such-agent'), person)));
    }
    expect(await found(slug)).toBe(false);
  });

  test('AUZ: makes the agent look unknown when another user tries to change it', async () => {
    const unknown = [
      await shown(await patch('no-such-agent', { tags: [] }, bob)),
      await shown(await withdraw('no-such-agent', bob)),
    ];
    for (const visibility of ['public', 'unlisted', 'private']) {
      const slug = await list({ visibility });
      expect([await shown(await patch(slug, { tags: ['mine'] }, bob)), await shown(await withdraw(slug, bob))]).toEqual(
        unknown,
      );
      expect((await send(at(slug), { bearer: ada.accessToken })).status).toBe(200);
    }
    expect(unknown).toMatchObject([{ status: 404 }, { status: 404 }]);
  });

  test.each(['..%2f', '%01', 'a%20b', 'x'.repeat(500), 'DROP TABLE agent', "'--"])(
    'does not apply to the invalid slug %s, which returns 404',
    async (slug) => {
      expect((await fetch(at(slug))).status).toBe(404);
    },
  );

  test.each(['%ff', '%zz', '%', '%00'])(
    'does not apply to a path with the invalid encoding %s, which returns 400',
    async (slug) => {
      expect((await fetch(at(slug))).status).toBe(400);
    },
  );
});

describe('a change to the user’s own agent', () => {
  test('changes only the given members, for both readers and search', async () => {
    const slug = await list();
    const before = (await (await fetch(at(slug))).json()) as Record<string, unknown>;
    const response = await patch(slug, { tags: [' NLP ', 'nlp', 'Legal'], status: 'deprecated' });
    expect(response.status).toBe(200);
    const after = (await response.json()) as Record<string, unknown>;
    expect(after).toEqual({ ...before, tags: ['nlp', 'legal'], status: 'deprecated', updatedAt: after.updatedAt });
    expect(await (await fetch(at(slug))).json()).toEqual(after);
    const tagged = (await (await fetch(`${parley.url}/api/agents?tag=legal&tag=nlp`)).json()) as { items: unknown[] };
    const { signature: _signature, notice: _notice, prices: _prices, pricePlans: _plans, ...inLists } = after;
    expect(tagged.items).toMatchObject([inLists]);
    expect((await patch(slug, { status: 'active' })).status).toBe(200);
  });

  test('adds the agent to search or removes it if its visibility changes', async () => {
    const slug = await list({ visibility: 'private' });
    for (const [visibility, isFound] of [
      ['public', true],
      ['unlisted', false],
      ['public', true],
      ['private', false],
    ] as const) {
      expect((await patch(slug, { visibility })).status).toBe(200);
      expect([visibility, await found(slug)]).toEqual([visibility, isFound]);
    }
  });

  test('links and unlinks the user’s own app', async () => {
    const slug = await list();
    const made = await send(`${parley.url}/api/apps`, { body: { name: 'Linked' }, bearer: ada.accessToken });
    const { id } = (await made.json()) as { id: string };
    expect((await patch(slug, { appId: id })).status).toBe(200);
    expect((await patch(slug, { appId: null })).status).toBe(200);
    expect((await patch(slug, { appId: 'app_0000' })).status).toBe(400);
  });

  test.each([
    { name: 'New name' },
    { slug: 'other' },
    { ownerId: 'usr_x' },
    { status: 'suspended' },
    { status: 'withdrawn' },
    { everPublic: false },
    { url: 'https://example.com' },
    { visibility: null },
    { card: {} },
    ['tags'],
    'text',
  ])('rejects mass assignment and invalid values: %o', async (body) => {
    const slug = await list();
    const before = await (await fetch(at(slug))).json();
    expect((await patch(slug, body)).status).toBe(400);
    expect(await (await fetch(at(slug))).json()).toEqual(before);
  });
});

describe('skill prices', () => {
  const euro = { skillId: 'translate', amount: 250, currency: 'EUR' };

  test('are shown to everyone by the API, the page and its Markdown version, until they are removed', async () => {
    const slug = await list();
    expect(await (await fetch(at(slug))).json()).toMatchObject({ prices: [] });
    expect((await patch(slug, { prices: [euro] })).status).toBe(200);
    expect(await (await fetch(at(slug))).json()).toMatchObject({ prices: [{ ...euro, from: false }] });
    const page = `${parley.url}/agents/${slug}`;
    await waitFor(async () => (await (await fetch(`${page}.md`)).text()).includes('Listed price: 2.50 EUR'), {
      what: 'the Markdown version to contain the price',
    });
    expect(await (await fetch(`${page}?tab=skills`)).text()).toContain('€2.50 per task');
    await patch(slug, { prices: [{ ...euro, amount: 1_000, currency: 'JPY', from: true }] });
    expect(await (await fetch(`${page}.md`)).text()).toContain('from 1000 JPY');
    await patch(slug, { prices: [] });
    expect(await (await fetch(`${page}.md`)).text()).not.toContain('Listed price');
  });

  test.each([
    [
      'a skill that the card does not name',
      [{ ...euro, skillId: 'fly' }],
      'no skill "fly"; expected one of "translate"',
    ],
    ['two prices for one skill', [euro, euro], 'one price for each skill'],
    ['no currency', [{ ...euro, currency: 'XYZ' }], 'ISO 4217'],
    ['a fraction of a cent', [{ ...euro, amount: 2.5 }], 'whole number of minor units'],
    ['a negative amount', [{ ...euro, amount: -1 }], '/prices/0/amount'],
    ['an unknown member', [{ ...euro, discount: 1 }], '/prices/0'],
  ])('are rejected with %s', async (_, prices, expected) => {
    const slug = await list();
    const response = await patch(slug, { prices });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(JSON.stringify(expected).slice(1, -1));
    expect(await (await fetch(at(slug))).json()).toMatchObject({ prices: [] });
  });

  test('AUZ: can be changed only by the team', async () => {
    const slug = await list();
    expect((await patch(slug, { prices: [euro] }, bob)).status).toBe(404);
    expect(await (await fetch(at(slug))).json()).toMatchObject({ prices: [] });
  });
});

describe('a withdrawn agent', () => {
  test('that was public returns 410 to everyone everywhere, and is removed from search', async () => {
    const slug = await list();
    expect((await withdraw(slug)).status).toBe(204);
    for (const person of [{}, { bearer: ada.accessToken }, { cookie: bob.cookie }]) {
      for (const url of [
        at(slug),
        `${parley.url}/agents/${slug}/.well-known/agent-card.json`,
        `${parley.url}/agents/${slug}/upstream-card.json`,
      ]) {
        const response = await send(url, person);
        expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([410, 'gone']);
      }
    }
    expect((await patch(slug, { tags: [] })).status).toBe(410);
    expect((await withdraw(slug)).status).toBe(410);
    expect(await found(slug)).toBe(false);
  });

  test('that was public only briefly also returns 410', async () => {
    const slug = await list({ visibility: 'private' });
    await patch(slug, { visibility: 'public' });
    await patch(slug, { visibility: 'private' });
    await withdraw(slug);
    expect((await fetch(at(slug))).status).toBe(410);
  });

  test.each(['private', 'unlisted'])(
    'that was %s and never public returns the response for an unknown agent',
    async (visibility) => {
      const slug = await list({ visibility });
      await withdraw(slug);
      expect(await shown(await fetch(at(slug)))).toEqual(await shown(await fetch(at('no-such-agent'))));
      expect(await shown(await withdraw(slug))).toEqual(await shown(await withdraw('no-such-agent')));
    },
  );
});
