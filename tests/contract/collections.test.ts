import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CollectionSummary, CollectionView } from '@/lib/discovery/schema-collections';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

describe('a collection of agents', () => {
  let parley: SharedParley;
  let host: CardServer;
  let ada: Person;
  let bob: Person;
  let slug: string;
  let hidden: string;

  beforeAll(async () => {
    host = await CardServer.start();
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    bob = await createPerson(parley.url, 'Bob');
    slug = await listAgent(parley.url, ada, { url: host.serve('open', cardV10(host.base('open'))) });
    const url = host.serve('hidden', cardV10(host.base('hidden')));
    hidden = await listAgent(parley.url, bob, { url, visibility: 'private' });
  });

  afterAll(() => host?.stop());

  /** `asked` is the method and the path. */
  function as(person: Person | null, asked: string, body?: unknown): Promise<Response> {
    const [method, path] = asked.split(' ');
    return send(`${parley.url}${path}`, { method, body, cookie: person?.cookie, origin: parley.url });
  }

  async function make(person: Person, collection: object): Promise<CollectionSummary> {
    const response = await as(person, 'POST /api/collections', collection);
    expect(response.status, await response.clone().text()).toBe(201);
    const made = (await response.json()) as CollectionSummary;
    expect(response.headers.get('location')).toBe(`/api/collections/${made.id}`);
    return made;
  }

  async function view(person: Person | null, id: string): Promise<CollectionView> {
    return (await (await as(person, `GET /api/collections/${id}`)).json()) as CollectionView;
  }

  it('contains an agent once even if it is added twice, and shows its owner that it contains the agent', async () => {
    const { id } = await make(ada, { title: 'Tools' });
    for (const _time of [1, 2]) expect((await as(ada, `PUT /api/collections/${id}/agents/${slug}`)).status).toBe(204);
    expect((await view(ada, id)).items.map((item) => item.slug)).toEqual([slug]);
    const { own } = await (await as(ada, `GET /api/collections?agent=${slug}`)).json();
    const preview = [{ slug, name: expect.any(String), iconUrl: null }];
    expect(own).toEqual([expect.objectContaining({ id, isOwn: true, agents: 1, preview, holds: true })]);
    for (const _time of [1, 2]) {
      expect((await as(ada, `DELETE /api/collections/${id}/agents/${slug}`)).status).toBe(204);
    }
    expect((await view(ada, id)).items).toEqual([]);
  });

  it('is unknown to other users for every operation while it is private', async () => {
    const { id } = await make(ada, { title: 'Mine alone' });
    const asked: [string, object?][] = [
      [`GET /api/collections/${id}`],
      [`PATCH /api/collections/${id}`, { title: 'Taken' }],
      [`PUT /api/collections/${id}/agents/${slug}`],
      [`DELETE /api/collections/${id}/agents/${slug}`],
      [`DELETE /api/collections/${id}`],
    ];
    for (const [what, body] of asked) expect([what, (await as(bob, what, body)).status]).toEqual([what, 404]);
    expect((await as(null, `GET /api/collections/${id}`)).status).toBe(404);
    expect(await view(ada, id)).toMatchObject({ title: 'Mine alone', items: [] });
  });

  it('is visible to everyone once it is public, but only its owner can change it', async () => {
    const { id } = await make(ada, { title: 'For all' });
    await as(ada, `PUT /api/collections/${id}/agents/${slug}`);
    expect((await as(ada, `PATCH /api/collections/${id}`, { visibility: 'public' })).status).toBe(200);
    expect(await view(null, id)).toMatchObject({ title: 'For all', isOwn: false, items: [{ slug }] });
    const { shared } = await (await as(bob, 'GET /api/collections')).json();
    expect(shared.map((one: CollectionSummary) => one.id)).toContain(id);
    expect((await as(bob, `PATCH /api/collections/${id}`, { title: 'Taken' })).status).toBe(404);
    expect((await as(bob, `DELETE /api/collections/${id}`)).status).toBe(404);
    expect((await as(ada, `DELETE /api/collections/${id}`)).status).toBe(204);
    expect((await as(null, `GET /api/collections/${id}`)).status).toBe(404);
  });

  it('never shows an agent that is not public, even to its owner', async () => {
    const { id } = await make(bob, { title: 'Secrets', visibility: 'public' });
    expect((await as(bob, `PUT /api/collections/${id}/agents/${hidden}`)).status).toBe(204);
    expect(await view(null, id)).toMatchObject({ agents: 0, preview: [], items: [] });
    const mine = await make(ada, { title: 'Guesses' });
    expect((await as(ada, `PUT /api/collections/${mine.id}/agents/${hidden}`)).status).toBe(404);
  });

  it('can be recommended only by admins', async () => {
    const { id } = await make(ada, { title: 'Look at me', visibility: 'public' });
    const claimed = await as(ada, 'POST /api/collections', { title: 'Best', isCurated: true });
    expect(claimed.status).toBe(404);
    expect((await as(ada, `PATCH /api/collections/${id}`, { isCurated: true })).status).toBe(404);
    expect(await view(null, id)).toMatchObject({ isCurated: false });
  });

  it('requires a signed-in user and a title', async () => {
    expect((await as(null, 'POST /api/collections', { title: 'x' })).status).toBe(401);
    for (const body of [{}, { title: ' ' }, { title: 'x'.repeat(81) }, { title: 'x', owner: 'me' }]) {
      const refused = await as(ada, 'POST /api/collections', body);
      expect([body, refused.status]).toEqual([body, 400]);
      expect(await refused.json()).toMatchObject({ code: 'invalid_request', faults: [{}] });
    }
  });
});
