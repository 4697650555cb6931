import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, createPerson, listAgent, message03, type Person, post, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

describe('text that cannot be stored', () => {
  let parley: SharedParley;
  let agent: ScriptedAgent;
  let ada: Person;
  let slug: string;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Plain' });
    parley = await sharedParley();
    ada = await createPerson(parley.url);
    slug = await listAgent(parley.url, ada, { url: agent.url });
  });
  afterAll(() => agent?.stop());

  const asAda = () => ({ cookie: ada.cookie, origin: parley.url });

  it.each([
    '/api/agents?q=a%00b',
    '/api/agents?publisher=%00',
    '/api/publishers/%00',
    '/api/reports/%00',
    '/agents?publisher=%00',
    '/agents/%00',
    '/docs/%00',
  ])('returns 400 or 404 for an anonymous GET %s', async (path) => {
    expect([400, 404]).toContain((await send(`${parley.url}${path}`, {})).status);
  });

  it.each([
    ['DELETE', '/api/auth/sessions/%00'],
    ['DELETE', '/api/agents/{slug}/invitations/%00'],
    ['GET', '/api/agents/{slug}/calls/%00'],
    ['GET', '/api/agents/{slug}/calls?method=%00'],
    ['GET', '/api/agents/{slug}/stats?method=%00'],
    ['GET', '/api/agents/{slug}/runs/%00'],
    ['POST', '/api/push/dead-letters/%00/resend'],
    ['DELETE', '/api/agents/{slug}/reviews/%00/reply'],
    ['DELETE', '/api/chat/shares/%00'],
  ])('returns 400 or 404 for %s %s from the owner', async (method, path) => {
    const response = await send(`${parley.url}${path.replace('{slug}', slug)}`, { method, ...asAda() });
    expect([400, 404]).toContain(response.status);
  });

  it.each([
    ['POST', '/api/collections', { name: 'All', description: 'a\u0000b' }],
    ['PATCH', '/api/agents/{slug}', { tags: ['\ud800x'] }],
    ['POST', '/api/auth/access-tokens', { name: 'x', 'a\u0000': 1 }],
    ['POST', '/api/chat/messages', { agentSlug: 'x', text: 'half \udc00' }],
  ])('in the body of %s %s returns 400 with the reason', async (method, path, body) => {
    const response = await send(`${parley.url}${path.replace('{slug}', slug)}`, { method, body, ...asAda() });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_request', title: expect.stringContaining('U+0000') });
  });

  it('is escaped and stored in a message, and sent to an agent and back unchanged', async () => {
    const connection = await connectTo(parley.url, ada, slug);
    const sent = await post(connection, {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: message03('nul \u0000'),
    });
    expect(sent.status).toBe(200);
  });

  it('is returned with nosniff in every response', async () => {
    const connection = await connectTo(parley.url, ada, slug);
    const responses = [
      await fetch(`${parley.url}/`),
      await fetch(`${parley.url}/agents/nobody-${slug}`),
      await fetch(`${parley.url}/api/agents`),
      await fetch(`${parley.url}/api/nothing`),
      await fetch(`${parley.url}/icon.svg`),
      await fetch(`${parley.url}/healthz`),
      await fetch(`${parley.url}/.well-known/jwks.json`),
      await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`),
      await fetch(`${parley.url}/agents/${slug}/a2a/jsonrpc`, { method: 'POST', body: '{}' }),
      await fetch(`${parley.url}/api/auth/introspect`, { method: 'DELETE' }),
      await post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hi') }),
    ];
    for (const { url, status, headers } of responses) {
      expect(headers.get('x-content-type-options'), `${status} ${url}`).toBe('nosniff');
    }
    await responses.at(-1)?.body?.cancel();
  });
});
