import { beforeAll, describe, expect, test } from 'vitest';
import { getAgentPage, listOwnAgents, maySeeAgent } from '@/lib/catalog';
import { ensureLocalUser } from '@/lib/identity';
import type { Actor, Ctx } from '@/lib/platform/context';
import { env } from '@/lib/platform/runtime/env';
import { useTestDatabase } from '../support/database';
import { seedAgents } from '../support/seed-agents';

useTestDatabase();

let ownerId: string;
let slug: string;

beforeAll(async () => {
  const password = 'correct horse battery';
  const owner = await ensureLocalUser({ email: 'ada@example.test', password, name: 'Ada', now: new Date() });
  ownerId = owner.userId;
  const skills = [
    {
      id: 'book',
      name: 'Book a table',
      description: 'Books a table.',
      examples: ['A table for two'],
      outputModes: ['application/json'],
    },
  ];
  const slugs = await seedAgents([
    {
      name: 'Concierge',
      description: 'Books restaurants.',
      tags: ['food'],
      skills,
      ownerId,
      streaming: true,
      payments: true,
    },
    { name: 'Second', description: 'Another agent.', ownerId },
    { name: 'Orphan', description: 'Its owner is gone.' },
  ]);
  slug = slugs[0] ?? '';
});

const anonymous: Actor = { kind: 'anonymous' };
const person = (userId: string): Actor => ({
  kind: 'user',
  userId,
  email: 'a@example.test',
  name: 'A',
  credential: { kind: 'session', id: 'ses_1' },
});
const ctxOf = (actor: Actor): Ctx => ({
  actor,
  requestId: 'req_test',
  signal: new AbortController().signal,
  now: new Date(),
});

describe('the agent page', () => {
  test('shows the card’s contents, its publisher and the ways to call it', async () => {
    const page = await getAgentPage({ ctx: ctxOf(anonymous), input: { slug } });
    expect(page).toMatchObject({
      slug,
      name: 'Concierge',
      badges: ['payments', 'streaming'],
      url: `${env().APP_URL}/agents/${slug}`,
      publisher: { name: 'Ada', listings: 2 },
      protocolVersion: '1.0',
      canIdentifyCallers: false,
      inputModes: ['text/plain'],
      skills: [
        { id: 'book', examples: ['A table for two'], inputModes: ['text/plain'], outputModes: ['application/json'] },
      ],
      extensions: [{ uri: 'https://github.com/google-agentic-commerce/ap2/tree/v0.1', required: false }],
    });
    expect(JSON.parse(page.cardJson)).toMatchObject({ url: `${page.url}/a2a/jsonrpc`, protocolVersion: '0.3.0' });
    expect(page.cardJson).toContain('\n  "name": "Concierge"');
  });

  test('still opens after the owner’s account is deleted', async () => {
    const page = await getAgentPage({ ctx: ctxOf(anonymous), input: { slug: 'orphan' } });
    expect(page.publisher).toEqual({ name: 'A former member', handle: null, listings: 1 });
  });

  test('returns 404 for an unknown agent', async () => {
    await expect(getAgentPage({ ctx: ctxOf(anonymous), input: { slug: 'nobody' } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the owner’s agent list', () => {
  test('contains only their own agents', async () => {
    const own = await listOwnAgents({ ctx: ctxOf(person(ownerId)) });
    expect(own.map(({ name }) => name)).toEqual(['Second', 'Concierge']);
    expect(own[1]).toMatchObject({
      id: expect.stringMatching(/^agt_/),
      registeredUrl: expect.stringContaining('https://'),
      appId: null,
    });
    expect(await listOwnAgents({ ctx: ctxOf(person('usr_other')) })).toEqual([]);
  });

  test('requires a sign-in', async () => {
    await expect(listOwnAgents({ ctx: ctxOf(anonymous) })).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('access to an agent', () => {
  const caller = (principal: string): Actor => ({
    kind: 'caller',
    principal,
    credentialId: 'ses_1',
    agentId: 'agt_1',
    clientId: 'parley-web',
    scopes: ['agent:call'],
  });

  const table = [
    { visibility: 'public', status: 'active', others: true, owner: true },
    { visibility: 'public', status: 'deprecated', others: true, owner: true },
    { visibility: 'unlisted', status: 'active', others: true, owner: true },
    { visibility: 'private', status: 'active', others: false, owner: true },
    { visibility: 'public', status: 'suspended', others: false, owner: true },
    { visibility: 'public', status: 'withdrawn', others: false, owner: false },
    { visibility: 'private', status: 'withdrawn', others: false, owner: false },
  ] as const;

  test.each(table)(
    'returns $others to others and $owner to its team for $visibility and $status',
    ({ visibility, status, others, owner }) => {
      const agent = { ownerId, team: { usr_viewer: 'viewer' as const }, visibility, status };
      const strangers = [
        anonymous,
        person('usr_other'),
        caller('usr_other'),
        { kind: 'app', appId: 'app_1', clientId: 'c', credentialId: 'sec_1' } as const,
      ];
      for (const actor of strangers) expect(maySeeAgent(actor, agent)).toBe(others);
      for (const actor of [person(ownerId), caller(ownerId), person('usr_viewer')])
        expect(maySeeAgent(actor, agent)).toBe(owner);
    },
  );
});
