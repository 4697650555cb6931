import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InvitationView, OwnershipView, TeamView } from '@/lib/catalog/schema-team';
import type { SearchPage } from '@/lib/discovery/schema';
import { publish } from '@/lib/platform/bus';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, newEmail, type Person, send, tokenFor } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { createApp, introspect } from './tokens-fixture';

describe('an agent’s team', () => {
  let parley: SharedParley;
  let host: CardServer;
  let [owner, developer, viewer, stranger]: Person[] = [];
  let slug: string;

  beforeAll(async () => {
    host = await CardServer.start();
    parley = await sharedParley();
    [owner, developer, viewer, stranger] = await Promise.all(
      ['Ona', 'Dev', 'Vic', 'Sid'].map((name) => createPerson(parley.url, name)),
    );
    slug = await listAgent(parley.url, people().owner, { url: host.serve('team', cardV10(host.base('team'))) });
    await join(people().developer, 'developer');
    await join(people().viewer, 'viewer');
  });

  afterAll(() => host?.stop());

  function people(): Record<'owner' | 'developer' | 'viewer' | 'stranger', Person> {
    if (!owner || !developer || !viewer || !stranger) throw new Error('the people are not there yet');
    return { owner, developer, viewer, stranger };
  }

  /** `asked` is the method and the path. */
  function as(person: Person, asked: string, body?: unknown): Promise<Response> {
    const [method, path] = asked.split(' ');
    return send(`${parley.url}${path}`, { method, body, cookie: person.cookie, origin: parley.url });
  }

  async function invite(email: string, role: string): Promise<InvitationView & { url: string }> {
    const response = await as(people().owner, `POST /api/agents/${slug}/invitations`, { email, role });
    expect(response.status, await response.clone().text()).toBe(201);
    return (await response.json()) as InvitationView & { url: string };
  }

  async function join(person: Person, role: string): Promise<void> {
    const { url } = await invite(person.email, role);
    const token = url.split('/').pop();
    const answer = await as(person, 'POST /api/invitations/accept', { token });
    expect(answer.status, await answer.clone().text()).toBe(200);
  }

  async function team(): Promise<TeamView> {
    return (await (await as(people().owner, `GET /api/agents/${slug}/team`)).json()) as TeamView;
  }

  const at = (path: string): string => `/api/agents/${slug}${path}`;

  it('contains the owner and accepted members, with their roles', async () => {
    const { members, invitations } = await team();
    expect(members.map(({ email, role }) => [email, role])).toEqual([
      [people().owner.email, 'owner'],
      [people().developer.email, 'developer'],
      [people().viewer.email, 'viewer'],
    ]);
    expect(invitations).toEqual([]);
  });

  const table: { what: string; asked: () => string; body?: unknown; developer: number; viewer: number }[] = [
    { what: 'read the log', asked: () => `GET ${at('/calls')}`, developer: 200, viewer: 200 },
    { what: 'read the sums', asked: () => `GET ${at('/stats')}`, developer: 200, viewer: 200 },
    { what: 'read the checklist', asked: () => `GET ${at('/checklist')}`, developer: 200, viewer: 200 },
    { what: 'read the team', asked: () => `GET ${at('/team')}`, developer: 200, viewer: 200 },
    { what: 'read the proof of the host', asked: () => `GET ${at('/ownership')}`, developer: 200, viewer: 200 },
    { what: 'change tags', asked: () => `PATCH ${at('')}`, body: { tags: ['new'] }, developer: 200, viewer: 403 },
    {
      what: 'send an announcement',
      asked: () => `PATCH ${at('')}`,
      body: { notice: { kind: 'note', text: 'Hello' } },
      developer: 200,
      viewer: 403,
    },
    { what: 'refresh the card', asked: () => `POST ${at('/refresh')}`, body: {}, developer: 200, viewer: 403 },
    { what: 'start a test', asked: () => `POST ${at('/runs')}`, body: {}, developer: 201, viewer: 403 },
    { what: 'check the proof of the host', asked: () => `POST ${at('/ownership')}`, developer: 200, viewer: 403 },
    {
      what: 'store a credential',
      asked: () => `PUT ${at('/credentials')}`,
      body: { kind: 'bearer', token: 'abc' },
      developer: 200,
      viewer: 403,
    },
    {
      what: 'invite',
      asked: () => `POST ${at('/invitations')}`,
      body: { email: newEmail('x'), role: 'viewer' },
      developer: 403,
      viewer: 403,
    },
    {
      what: 'transfer the agent',
      asked: () => `POST ${at('/transfer')}`,
      body: { memberId: 'mem_0' },
      developer: 403,
      viewer: 403,
    },
    { what: 'read the signing mode', asked: () => `GET ${at('/merchant')}`, developer: 403, viewer: 403 },
    { what: 'withdraw the agent', asked: () => `DELETE ${at('')}`, developer: 403, viewer: 403 },
    { what: 'list the agent again', asked: () => `POST ${at('/restore')}`, developer: 403, viewer: 403 },
  ];

  it.each(table)(
    'AUZ-1 restricts which roles can $what',
    async ({ asked, body, developer: forDeveloper, viewer: forViewer }) => {
      const statusOf = async (person: Person): Promise<number> => (await as(person, asked(), body)).status;
      expect(await statusOf(people().viewer)).toBe(forViewer);
      expect(await statusOf(people().stranger)).toBe(404);
      const [method, path] = asked().split(' ');
      expect((await send(`${parley.url}${path}`, { method, body })).status).toBe(401);
      expect(await statusOf(people().developer)).toBe(forDeveloper);
    },
  );

  it('does not allow a change if a member’s role is insufficient, and the error names that role and the required role', async () => {
    const answer = await as(people().viewer, `PATCH ${at('')}`, { tags: [] });
    expect(await answer.json()).toMatchObject({ code: 'forbidden', role: 'viewer', needs: 'developer' });
  });

  it('has one open invitation for an email address that is invited several times concurrently', async () => {
    const email = newEmail('twice');
    const sent = await Promise.all([1, 2, 3, 4].map(() => invite(email, 'viewer')));
    const { invitations } = await team();
    const open = invitations.filter((one) => one.email === email);
    expect(open).toHaveLength(1);
    expect(sent.map(({ id }) => id)).toContain(open[0]?.id);
    expect((await as(people().owner, `DELETE ${at(`/invitations/${open[0]?.id}`)}`)).status).toBe(204);
  });

  it('accepts only the latest invitation, only from the invited email address, and only until it is revoked', async () => {
    const first = await invite(people().stranger.email, 'viewer');
    const token = first.url.split('/').pop();
    expect((await as(people().viewer, 'POST /api/invitations/accept', { token })).status).toBe(403);
    const second = await invite(people().stranger.email, 'developer');
    expect((await as(people().stranger, 'POST /api/invitations/accept', { token })).status).toBe(404);
    expect((await team()).invitations.map(({ id }) => id)).toEqual([second.id]);
    expect((await as(people().developer, `DELETE ${at(`/invitations/${second.id}`)}`)).status).toBe(403);
    expect((await as(people().owner, `DELETE ${at(`/invitations/${second.id}`)}`)).status).toBe(204);
    const later = second.url.split('/').pop();
    expect((await as(people().stranger, 'POST /api/invitations/accept', { token: later })).status).toBe(404);
    expect((await as(people().owner, `DELETE ${at(`/invitations/${second.id}`)}`)).status).toBe(404);
  });

  it('cannot be changed with an access token', async () => {
    const body = { email: newEmail('y'), role: 'viewer' };
    const answer = await send(`${parley.url}${at('/invitations')}`, { body, bearer: people().owner.accessToken });
    expect(answer.status).toBe(403);
  });

  it('gives a member access to a private agent until the member’s role is revoked', async () => {
    await as(people().owner, `PATCH ${at('')}`, { visibility: 'private' });
    const handshake = (person: Person): Promise<Response> =>
      as(person, 'POST /api/auth/handshake', { agentSlug: slug });
    expect((await handshake(people().viewer)).status).toBe(200);
    expect((await handshake(people().stranger)).status).toBe(404);
    const member = (await team()).members.find(({ email }) => email === people().viewer.email);
    expect((await as(people().developer, `DELETE ${at(`/team/${member?.id}`)}`)).status).toBe(403);
    expect((await as(people().viewer, `DELETE ${at(`/team/${member?.id}`)}`)).status).toBe(204);
    expect((await handshake(people().viewer)).status).toBe(404);
    expect((await as(people().viewer, `GET ${at('/calls')}`)).status).toBe(404);
    await as(people().owner, `PATCH ${at('')}`, { visibility: 'public' });
  });

  it.each([
    ['becomes a viewer', (id: string) => [`PATCH ${at(`/team/${id}`)}`, { role: 'viewer' }] as const],
    ['leaves', (id: string) => [`DELETE ${at(`/team/${id}`)}`, undefined] as const],
  ])('no longer lets the app of a developer who %s introspect tokens', async (_, asked) => {
    const app = await createApp(parley.url, people().developer);
    expect((await as(people().developer, `PATCH ${at('')}`, { appId: app.id })).status).toBe(200);
    const token = await tokenFor(parley.url, people().stranger, slug);
    const ask = async () => (await introspect({ url: parley.url, app }, { token })).json();
    expect(await ask()).toMatchObject({ active: true });
    const member = (await team()).members.find(({ email }) => email === people().developer.email);
    const [change, body] = asked(member?.id ?? '');
    expect((await as(people().owner, change, body)).status).toBe(204);
    expect(await ask()).toEqual({ active: false });
    const still = (await team()).members.find(({ email }) => email === people().developer.email);
    if (still) await as(people().owner, `PATCH ${at(`/team/${still.id}`)}`, { role: 'developer' });
    else await join(people().developer, 'developer');
  });

  it('keeps no app link from a member who leaves while linking an app', async () => {
    const app = await createApp(parley.url, people().developer);
    const id = async () => (await team()).members.find(({ email }) => email === people().developer.email)?.id;
    const linked = () =>
      query<{ app: string | null }>('test-app', 'SELECT app_id AS app FROM agent WHERE slug = $1', [slug]);
    const member = await id();
    // As on another node a moment before this one receives the event.
    await query('test-link', 'UPDATE agent SET app_id = $1 WHERE slug = $2', [app.id, slug]);
    expect((await as(people().owner, `DELETE ${at(`/team/${member}`)}`)).status).toBe(204);
    expect(await linked()).toEqual([{ app: null }]);
    await join(people().developer, 'developer');
    expect((await as(people().developer, `PATCH ${at('')}`, { appId: null })).status).toBe(200);
    await query('test-leave', 'DELETE FROM agent_member WHERE id = $1', [await id()]);
    expect((await as(people().developer, `PATCH ${at('')}`, { appId: app.id })).status).toBe(404);
    expect(await linked()).toEqual([{ app: null }]);
    await publish('agent', slug);
    await join(people().developer, 'developer');
  });

  async function search(query = ''): Promise<SearchPage> {
    return (await (await fetch(`${parley.url}/api/agents${query}`)).json()) as SearchPage;
  }

  /** The search results for the agent, and the names of users whose handles find it. */
  async function listing(): Promise<{ verified: boolean; publishers: string[] }> {
    const { items, facets } = await search();
    const badges = items.find((item) => item.slug === slug)?.badges ?? [];
    const publishers: string[] = [];
    for (const { value, name } of facets.publishers) {
      const page = await search(`?publisher=${value}`);
      if (page.items.some((item) => item.slug === slug)) publishers.push(name);
    }
    return { verified: badges.includes('verified'), publishers };
  }

  async function proveHost(): Promise<void> {
    const { proof } = (await (await as(people().owner, `GET ${at('/ownership')}`)).json()) as OwnershipView;
    host.on('GET', '/.well-known/parley-agent.txt', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(proof.text);
    });
    expect((await as(people().owner, `POST ${at('/ownership')}`)).status).toBe(200);
  }

  it('requires a new owner to prove the host again, and keeps the previous owner as a developer', async () => {
    await proveHost();
    expect(await listing()).toEqual({ verified: true, publishers: ['Ona'] });
    const member = (await team()).members.find(({ email }) => email === people().developer.email);
    const moved = await as(people().owner, `POST ${at('/transfer')}`, { memberId: member?.id });
    expect(moved.status, await moved.clone().text()).toBe(204);
    expect((await team()).members.map(({ email, role }) => [email, role])).toEqual([
      [people().developer.email, 'owner'],
      [people().owner.email, 'developer'],
    ]);
    expect(await listing()).toEqual({ verified: false, publishers: ['Dev'] });
    const proof = await as(people().developer, `GET ${at('/ownership')}`);
    expect(((await proof.json()) as OwnershipView).proved).toBeNull();
    expect((await as(people().owner, `DELETE ${at('')}`)).status).toBe(403);
    expect((await as(people().developer, `DELETE ${at('')}`)).status).toBe(204);
    expect((await as(people().owner, `POST ${at('/restore')}`)).status).toBe(403);
    expect((await as(people().developer, `POST ${at('/restore')}`)).status).toBe(200);
    expect((await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`)).status).toBe(200);
  });
});
