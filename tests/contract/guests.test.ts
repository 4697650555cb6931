import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseExpiredGuests } from '@/lib/account';
import type { ThreadView } from '@/lib/chat/schema-thread';
import { endpoints } from '@/lib/endpoints/table';
import type { OrderPage } from '@/lib/payments/schema';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { MerchantAgent } from '../fakes/merchant-agent';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { createApp, introspect } from './tokens-fixture';

let parley: SharedParley;
let owner: Person;
let agent: ScriptedAgent;
let app: Awaited<ReturnType<typeof createApp>>;
let slug: string;

beforeAll(async () => {
  parley = await sharedParley();
  owner = await createPerson(parley.url, 'Olga');
  app = await createApp(parley.url, owner);
  agent = await ScriptedAgent.start({ name: 'Open' });
  slug = await listAgent(parley.url, owner, { url: agent.url, appId: app.id });
  await permit(1_000);
});

afterAll(async () => {
  await agent?.stop();
});

/** Sets the number of guests' messages per day that the owner permits. */
async function permit(guestTurnsPerDay: number, of = slug): Promise<void> {
  const body = { callLimits: { guestTurnsPerDay } };
  const changed = await send(`${parley.url}/api/agents/${of}`, { method: 'PATCH', body, bearer: owner.accessToken });
  expect(changed.status).toBe(200);
}

let lastNetwork = 0;

/** An address in a network that no test has used. */
function newAddress(): string {
  lastNetwork += 1;
  return `2001:db8:${process.pid % 10_000}:${lastNetwork}::1`;
}

/** A browser of a visitor without an account. */
class Visitor {
  cookie = '';

  constructor(
    readonly address = newAddress(),
    readonly userAgent = 'Mozilla/5.0 Firefox/140.0',
  ) {}

  call(path: string, call: { method?: string; body?: unknown; cookie?: string } = {}): Promise<Response> {
    const headers = { 'x-forwarded-for': this.address, 'user-agent': this.userAgent };
    return send(`${parley.url}${path}`, { cookie: this.cookie, origin: parley.url, headers, ...call });
  }

  async start(proof?: object): Promise<Response> {
    const response = await this.call('/api/chat/guest', { body: { proof } });
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0];
    if (cookie) this.cookie = cookie;
    return response;
  }

  post(message: object = {}): Promise<Response> {
    return this.call('/api/chat/messages', {
      body: { agentSlug: slug, messageId: newUuid(), text: 'Hello', ...message },
    });
  }

  async say(message: object = {}): Promise<{ conversationId: string; taskId: string; guestTurnsLeft: number }> {
    const response = await this.post(message);
    expect(response.status).toBe(202);
    return (await response.json()) as { conversationId: string; taskId: string; guestTurnsLeft: number };
  }
}

async function newGuest(address?: string): Promise<Visitor> {
  const visitor = new Visitor(address);
  expect((await visitor.start()).status).toBe(204);
  return visitor;
}

async function problem(
  response: Response,
): Promise<{ status: number; code: string; limit?: string; challenge?: never }> {
  const body = (await response.json()) as { code: string; limit?: string; challenge?: never };
  return { ...body, status: response.status };
}

/** The introspection response for the token that the agent received. */
async function introspected(authorization: string | undefined): Promise<{ active: boolean; sub?: string }> {
  const token = String(authorization).replace('Bearer ', '');
  return (await (await introspect({ url: parley.url, app }, { token })).json()) as { active: boolean; sub?: string };
}

describe('an agent’s page', () => {
  const read = async (path: string, language = 'en'): Promise<string> => {
    const response = await fetch(`${parley.url}${path}`, { headers: { 'accept-language': language } });
    // The scripts repeat the texts.
    return (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '');
  };

  test('says that visitors can try the agent without an account, if its owner permits it', async () => {
    const page = await read(`/agents/${slug}`);
    expect(page).toContain('Try it without an account');
    expect(page).toContain('Try it without an account. To send more, sign up.');
    expect(page).not.toMatch(/Sign-in required|asked to sign in/);
    expect(await read(`/agents/${slug}`, 'de')).toContain('Ohne Konto ausprobieren');
    expect(await read(`/agents/${slug}`, 'es')).toContain('Prueba sin cuenta');
    expect(await read(`/agents/${slug}.md`)).toContain('- Without an account: the first messages');
  });

  test('says that the agent requires a sign-in, if its owner does not permit guests', async () => {
    const closed = await ScriptedAgent.start({ name: 'Closed page' });
    const closedSlug = await listAgent(parley.url, owner, { url: closed.url, appId: app.id });
    const page = await read(`/agents/${closedSlug}`);
    expect(page).toContain('You’ll be asked to sign in.');
    expect(page).not.toContain('Try it without an account');
    expect(await read(`/agents/${closedSlug}.md`)).not.toContain('Without an account');
    const compared = await read(`/compare?agents=${slug}&agents=${closedSlug}`);
    expect(compared.match(/Try it without an account/g)).toHaveLength(1);
    await closed.stop();
  });
});

describe('a guest', () => {
  test('can send a message and read the answer without an account', async () => {
    const guest = await newGuest();
    const { conversationId, guestTurnsLeft } = await guest.say();
    expect(guestTurnsLeft).toBe(4);
    const thread = await waitFor(
      async () => {
        const view = (await (await guest.call(`/api/chat/conversations/${conversationId}`)).json()) as ThreadView;
        return JSON.stringify(view.tasks).includes('completed') ? view : null;
      },
      { what: 'the answer' },
    );
    expect(thread.agent).toMatchObject({ slug, isOpenToGuests: true });
  });

  test('is known to the agent only by a pairwise subject, with a scope that only allows calls to it', async () => {
    const [first, second] = [await newGuest(), await newGuest()];
    agent.received.length = 0;
    for (const guest of [first, second]) await guest.say();
    await waitFor(() => agent.received.length === 2, { what: 'both calls' });
    const views = await Promise.all(agent.received.map(({ headers }) => introspected(headers.authorization)));
    for (const view of views)
      expect(view).toMatchObject({ active: true, scope: 'agent:call', client_id: 'parley-web' });
    expect(views[0]?.sub).not.toBe(views[1]?.sub);
  });

  test('cannot use an agent whose owner does not permit guests', async () => {
    const closed = await ScriptedAgent.start({ name: 'Closed' });
    const closedSlug = await listAgent(parley.url, owner, { url: closed.url });
    const guest = await newGuest();
    expect(await problem(await guest.post({ agentSlug: closedSlug }))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(closed.received).toEqual([]);
    await closed.stop();
  });

  test('is rejected once the owner no longer permits guests, and the tokens of its tasks become inactive', async () => {
    const other = await ScriptedAgent.start({ name: 'Shut' });
    const otherSlug = await listAgent(parley.url, owner, { url: other.url, appId: app.id });
    await permit(10, otherSlug);
    const guest = await newGuest();
    await guest.say({ agentSlug: otherSlug });
    await waitFor(() => other.received.length > 0, { what: 'the call' });
    await permit(0, otherSlug);
    expect((await guest.post({ agentSlug: otherSlug })).status).toBe(401);
    expect(await introspected(other.messages[0]?.headers.authorization)).toEqual({ active: false });
    await other.stop();
  });

  test('can send at most 200,000 bytes of files', async () => {
    const guest = await newGuest();
    const file = { name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.alloc(200_001).toString('base64') };
    expect(await problem(await guest.post({ files: [file] }))).toMatchObject({ code: 'payload_too_large' });
  });
});

describe('the limits on guests', () => {
  test('allow 5 messages a day to one agent, count a retry once, and say when to continue', async () => {
    const guest = await newGuest();
    const messageId = newUuid();
    const first = await guest.say({ messageId });
    expect(await guest.say({ messageId })).toEqual(first);
    for (const left of [3, 2, 1, 0]) expect((await guest.say()).guestTurnsLeft).toBe(left);
    const refused = await guest.post();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await problem(refused)).toMatchObject({ status: 429, code: 'guest_limit_reached', limit: 'agent' });
  });

  test('allow 20 messages a day in total', async () => {
    const guest = await newGuest();
    const others = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const other = await ScriptedAgent.start({ name: `Other ${number}` });
        const otherSlug = await listAgent(parley.url, owner, { url: other.url });
        await permit(100, otherSlug);
        return { other, otherSlug };
      }),
    );
    for (const { otherSlug } of others) for (let sent = 0; sent < 5; sent++) await guest.say({ agentSlug: otherSlug });
    expect(await problem(await guest.post())).toMatchObject({ status: 429, limit: 'total' });
    for (const { other } of others) await other.stop();
  });

  test('never exceed the owner’s limit, even with 200 guests at once, and do not affect users', async () => {
    const limited = await ScriptedAgent.start({ name: 'Limited' });
    const limitedSlug = await listAgent(parley.url, owner, { url: limited.url });
    await permit(30, limitedSlug);
    const guests = await Promise.all(Array.from({ length: 200 }, () => newGuest()));
    const responses = await Promise.all(guests.map((guest) => guest.post({ agentSlug: limitedSlug })));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(30);
    // A busy server also sheds load.
    expect(statuses.filter((status) => status === 429 || status === 503)).toHaveLength(170);
    await waitFor(() => limited.received.length >= 30, { what: 'the admitted messages' });
    const user = await send(`${parley.url}/api/chat/messages`, {
      body: { agentSlug: limitedSlug, messageId: newUuid(), text: 'Hello' },
      cookie: owner.cookie,
      origin: parley.url,
    });
    expect(user.status).toBe(202);
    await waitFor(() => limited.received.length === 31, { what: 'the message of the user' });
    await limited.stop();
  });

  test('allow 100 messages a day from one network', async () => {
    const guest = await newGuest();
    await query(
      'test-fill-network',
      `INSERT INTO guest_turn SELECT 'gst_filler', n::text, 'agt_other', g.network, now() FROM generate_series(1, 100) n,
         (SELECT network FROM guest ORDER BY created_at DESC LIMIT 1) g`,
    );
    expect(await problem(await guest.post())).toMatchObject({ status: 429, limit: 'network' });
  });

  test('require proof of work from a network’s sixth guest in an hour, and accept each proof once', async () => {
    const address = newAddress();
    for (let count = 0; count < 5; count++) await newGuest(address);
    const sixth = new Visitor(address);
    const required = await problem(await sixth.start());
    expect(required).toMatchObject({ status: 403, code: 'proof_required' });
    const challenge = required.challenge as never as Parameters<typeof solveChallenge>[0]['challenge'];
    const solution = await solveChallenge({ challenge, deriveKey });
    const proof = { challenge, solution };
    const wrong = { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } };
    const changed = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } };
    for (const bad of [wrong, { challenge: changed, solution }, { challenge: {}, solution: {} }])
      expect(await problem(await sixth.start(bad))).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await sixth.start(proof)).status).toBe(204);
    await sixth.say();
    expect(await problem(await new Visitor(address).start(proof))).toMatchObject({ status: 400 });
  });

  test('require proof of work from all but five guests that start at the same moment', async () => {
    const address = newAddress();
    const started = await Promise.all(Array.from({ length: 30 }, () => new Visitor(address).start()));
    expect(started.filter(({ status }) => status === 204)).toHaveLength(5);
    expect(started.filter(({ status }) => status === 403)).toHaveLength(25);
  });

  test('allow 200 guests a day from one network', async () => {
    const visitor = await newGuest();
    // The only counts of a window of more than an hour are those of guests per network.
    await query(
      'test-fill-guests',
      `UPDATE limit_attempt SET points = 200 WHERE expire > extract(epoch FROM now() + interval '2 hours') * 1000`,
    );
    expect(await problem(await new Visitor(visitor.address).start())).toMatchObject({
      status: 429,
      code: 'rate_limited',
    });
  });
});

describe('a guest’s cookie', () => {
  test('is accepted only if Parley issued it: a chosen or altered one is ignored (session fixation)', async () => {
    const guest = await newGuest();
    const [name, value = ''] = guest.cookie.split('=');
    const secret = value.split('.')[0] ?? '';
    for (const forged of [`${secret}.${secret}`, `${'a'.repeat(43)}.${value.split('.')[1]}`, secret, "' OR 1=1", '']) {
      const attacker = new Visitor();
      attacker.cookie = `${name}=${forged}`;
      expect((await attacker.post()).status).toBe(401);
      await attacker.start();
      expect(attacker.cookie).not.toContain(forged === '' ? '=;' : forged);
    }
  });

  test('is HttpOnly and SameSite, and expires after a day', async () => {
    const header = (await new Visitor().start()).headers.get('set-cookie') ?? '';
    expect(header).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    const expires = Date.parse(/Expires=([^;]+)/.exec(header)?.[1] ?? '');
    expect(Math.abs(expires - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  test('is not accepted from another browser', async () => {
    const guest = await newGuest();
    const { conversationId } = await guest.say();
    const thief = new Visitor(guest.address, 'curl/8.0');
    thief.cookie = guest.cookie;
    expect((await thief.call(`/api/chat/conversations/${conversationId}`)).status).toBe(401);
    expect((await thief.post()).status).toBe(401);
  });

  test('is not accepted as a session cookie', async () => {
    const guest = await newGuest();
    guest.cookie = guest.cookie.replace('parley-guest=', 'parley=');
    expect((await guest.call('/api/auth/sessions')).status).toBe(401);
  });

  test('does not let another site send a message or start a guest', async () => {
    const guest = await newGuest();
    const headers = { cookie: guest.cookie, 'user-agent': guest.userAgent, origin: 'https://evil.example' };
    for (const [path, body] of [
      ['/api/chat/messages', { agentSlug: slug, messageId: newUuid(), text: 'Hello' }],
      ['/api/chat/guest', {}],
    ] as const) {
      const response = await fetch(`${parley.url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(await problem(response)).toMatchObject({ status: 403, code: 'origin_required' });
    }
  });

  test('gives access only to the chat endpoints that permit guests', async () => {
    const guest = await newGuest();
    const { conversationId, taskId } = await guest.say();
    const rules = endpoints.map(({ serve }) => serve.spec?.auth ?? 'none');
    expect(
      endpoints.filter((_, index) => rules[index] === 'chat').map(({ method, path }) => `${method} ${path}`),
    ).toEqual([
      'GET /api/chat/conversations/:id',
      'GET /api/chat/conversations/:id/events',
      'POST /api/chat/messages',
      'POST /api/chat/tasks/:id/cancel',
      'GET /api/chat/tasks/:id/page',
      'POST /api/chat/pictures',
      'GET /api/chat/tasks/:id/wire',
    ]);
    for (const [index, { method, path }] of endpoints.entries()) {
      const rule = rules[index];
      // A form of a page, which answers a missing sign-in with a redirect.
      if (path === '/oauth/authorize') continue;
      if (rule === 'anyone' || rule === 'none' || rule === 'chat' || rule === 'app' || rule === 'client') continue;
      const target = path.replace(':id', path.includes('tasks') ? taskId : conversationId).replace(/:\w+/g, 'x');
      const response = await guest.call(target, { method, ...(method !== 'GET' && { body: {} }) });
      expect([path, response.status]).toEqual([path, 401]);
    }
  });
});

describe('a guest’s conversation', () => {
  test('is not available to other guests and users (IDOR)', async () => {
    const [guest, other] = [await newGuest(), await newGuest()];
    const { conversationId, taskId } = await guest.say();
    const user = await createPerson(parley.url, 'Uma');
    const paths: [string, object?][] = [
      [`/api/chat/conversations/${conversationId}`],
      [`/api/chat/conversations/${conversationId}/events`],
      [`/api/chat/tasks/${taskId}/wire?conversation=${conversationId}`],
      [`/api/chat/tasks/${taskId}/page?artifact=a`],
      [`/api/chat/tasks/${taskId}/cancel`, { conversationId }],
      ['/api/chat/messages', { conversationId, messageId: newUuid(), text: 'Mine?' }],
    ];
    for (const [path, body] of paths) {
      expect([path, (await other.call(path, { body })).status]).toEqual([path, 404]);
      const asUser = await send(`${parley.url}${path}`, { body, cookie: user.cookie, origin: parley.url });
      expect([path, asUser.status]).toEqual([path, 404]);
    }
  });

  test('is kept once by the account that the same browser signs in to, and the guest ends', async () => {
    const guest = await newGuest();
    const messageId = newUuid();
    const { conversationId, taskId } = await guest.say({ messageId });
    const user = await createPerson(parley.url, 'Kim');
    const kept = await guest.call(`/chat/keep/${conversationId}`, { cookie: `${user.cookie}; ${guest.cookie}` });
    expect([kept.status, kept.headers.get('location')]).toEqual([303, `/chat/${conversationId}`]);
    expect(kept.headers.get('set-cookie')).toMatch(/^parley-guest=; .*Expires=Thu, 01 Jan 1970/);
    const ofUser = { cookie: user.cookie, origin: parley.url };
    expect((await send(`${parley.url}/api/chat/conversations/${conversationId}`, ofUser)).status).toBe(200);
    expect((await guest.post()).status).toBe(401);
    const repeated = await send(`${parley.url}/api/chat/messages`, {
      ...ofUser,
      body: { conversationId, messageId, text: 'Hello' },
    });
    expect(await repeated.json()).toMatchObject({ taskId });
    const thief = await createPerson(parley.url, 'Thea');
    await guest.call(`/chat/keep/${conversationId}`, { cookie: `${thief.cookie}; ${guest.cookie}` });
    const ofThief = { cookie: thief.cookie, origin: parley.url };
    expect((await send(`${parley.url}/api/chat/conversations/${conversationId}`, ofThief)).status).toBe(404);
  });

  test('continues to be answered under the account if it is kept during a turn', async () => {
    const slow = await ScriptedAgent.start({ name: 'Slow answers' });
    let finish = (): void => undefined;
    slow.answer(({ result, end }) => {
      result(agent03.status('t', 'working'));
      finish = () => {
        result(agent03.artifact('t', 'After the sign-in'));
        result(agent03.status('t', 'completed'));
        end();
      };
    });
    const slowSlug = await listAgent(parley.url, owner, { url: slow.url, appId: app.id });
    await permit(10, slowSlug);
    const guest = await newGuest();
    const { conversationId } = await guest.say({ agentSlug: slowSlug });
    const path = `/api/chat/conversations/${conversationId}`;
    await waitFor(async () => (await (await guest.call(path)).text()).includes('working'), { what: 'the turn' });
    const user = await createPerson(parley.url, 'Una');
    await guest.call(`/chat/keep/${conversationId}`, { cookie: `${user.cookie}; ${guest.cookie}` });
    finish();
    const thread = async (): Promise<string> =>
      (await send(`${parley.url}${path}`, { cookie: user.cookie, origin: parley.url })).text();
    await waitFor(async () => /completed/.test(await thread()), { what: 'the end of the turn' });
    expect(await thread()).toContain('After the sign-in');
    await slow.stop();
  });

  test('leads to the sign-in page and back if the session is missing', async () => {
    const response = await (await newGuest()).call('/chat/keep/cnv_1');
    expect(response.headers.get('location')).toBe('/sign-in?next=%2Fchat%2Fkeep%2Fcnv_1');
  });

  test('with a cart becomes an order that can be paid once an account keeps it', async () => {
    const merchant = await MerchantAgent.start();
    merchant.sellAt(parley.url);
    const shop = await listAgent(parley.url, owner, { url: merchant.url, appId: app.id });
    await permit(10, shop);
    const guest = await newGuest();
    const { conversationId, taskId } = await guest.say({ agentSlug: shop, text: 'One pizza, please' });
    await waitFor(
      async () => {
        const view = (await (await guest.call(`/api/chat/conversations/${conversationId}`)).json()) as ThreadView;
        return JSON.stringify(view.tasks).includes('input-required');
      },
      { what: 'the cart' },
    );
    const user = await createPerson(parley.url, 'Pia');
    const orders = async (): Promise<OrderPage> =>
      (await (await send(`${parley.url}/api/orders?taskId=${taskId}`, { cookie: user.cookie })).json()) as OrderPage;
    expect((await orders()).items).toEqual([]);
    await guest.call(`/chat/keep/${conversationId}`, { cookie: `${user.cookie}; ${guest.cookie}` });
    expect((await orders()).items).toMatchObject([{ source: { taskId } }]);
    await merchant.stop();
  });

  test('is erased after a day, with its tasks and the contents of its calls', async () => {
    const guest = await newGuest();
    const { conversationId, taskId } = await guest.say({ text: 'Secret words' });
    const [row] = await query('test-guest-of', 'SELECT user_id AS id FROM conversation WHERE id = $1', [
      conversationId,
    ]);
    const { id } = row as { id: string };
    await query('test-expire-guest', `UPDATE guest SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await eraseExpiredGuests({ now: new Date(), signal: new AbortController().signal });
    const left = [
      await query('test-guest-left', 'SELECT FROM guest WHERE id = $1', [id]),
      await query('test-conversations-left', 'SELECT FROM conversation WHERE user_id = $1', [id]),
      await query('test-tasks-left', 'SELECT FROM task WHERE principal = $1', [id]),
      await query('test-events-left', 'SELECT FROM task_event WHERE task_id = $1', [taskId]),
      await query(
        'test-calls-left',
        `SELECT FROM agent_call WHERE task_id = $1::text AND exchange::text LIKE '%Secret words%'`,
        [taskId],
      ),
    ];
    expect(left).toEqual([[], [], [], [], []]);
    // The server is notified of the erasure a moment later.
    await expect.poll(async () => (await guest.post()).status).toBe(401);
  });
});
