import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessTokenView, AppView, NewAccessToken, NewClientSecret } from '@/lib/tokens/schema';
import { createPerson, type Person, send, tokenFor } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { createApp, createTokensFixture, introspect, postForm, type TokensFixture } from './tokens-fixture';

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** An agent that asks one question after another, with the secret it was given. */
class Asking {
  readonly statuses: number[] = [];
  private stopped = false;
  private readonly run: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly app: NewClientSecret,
    public clientSecret = app.clientSecret,
  ) {
    this.run = this.ask();
  }

  private async ask(): Promise<void> {
    while (!this.stopped) {
      const client = { url: this.url, app: { ...this.app, clientSecret: this.clientSecret } };
      this.statuses.push((await introspect(client, { token: 'x' })).status);
    }
  }

  async twentyMore(): Promise<void> {
    const before = this.statuses.length;
    await waitFor(() => this.statuses.length > before + 20, { what: 'twenty more answers' });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.run;
  }
}

describe('tokens and apps:', () => {
  let fixture: TokensFixture;
  let ada: Person;
  let eve: Person;

  beforeAll(async () => {
    fixture = await createTokensFixture();
    ada = await createPerson(fixture.url, 'Ada');
    eve = await createPerson(fixture.url, 'Eve');
  });

  afterAll(async () => {
    await fixture?.close();
  });

  type Call = Omit<Parameters<typeof send>[1], 'cookie' | 'origin'>;

  function bySession(person: Person, path: string, call: Call = {}): Promise<Response> {
    return send(`${fixture.url}${path}`, { ...call, cookie: person.cookie, origin: fixture.url });
  }

  async function listOf<Item>(person: Person, path: string): Promise<Item[]> {
    const response = await bySession(person, path);
    expect(response.status).toBe(200);
    return ((await response.json()) as { items: Item[] }).items;
  }

  describe('access tokens', () => {
    const path = '/api/auth/access-tokens';

    async function create(person: Person, body: object): Promise<NewAccessToken> {
      const response = await bySession(person, path, { body });
      expect(response.status).toBe(201);
      expect(response.headers.get('cache-control')).toBe('no-store');
      return (await response.json()) as NewAccessToken;
    }

    it('TOK-9 are shown once and listed by their prefix', async () => {
      const created = await create(ada, { name: 'laptop' });
      expect(created).toEqual({
        id: expect.stringMatching(/^pat_/),
        token: expect.stringMatching(/^parley_pat_[0-9a-z]{20}[\w-]{43}$/),
        prefix: expect.stringMatching(/^parley_pat_\w{6}$/),
        scopes: ['agents:read', 'agents:write', 'handshake'],
        expiresAt: null,
      });
      expect(created.token.startsWith(created.prefix)).toBe(true);
      const list = await listOf<AccessTokenView>(ada, path);
      const { token: _once, ...shown } = created;
      expect(list[0]).toEqual({ ...shown, kind: 'personal', name: 'laptop', createdAt: iso, lastUsedAt: null });
      expect(JSON.stringify(list)).not.toContain(created.token.slice(-43));
    });

    it('have the requested scopes and expiry', async () => {
      const created = await create(ada, { name: 'ci', scopes: ['handshake', 'handshake'], expiresInDays: 7 });
      expect(created.scopes).toEqual(['handshake']);
      const days = (Date.parse(created.expiresAt ?? '') - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(6.99);
      expect(days).toBeLessThanOrEqual(7);
    });

    it.each([
      {},
      { name: '' },
      { name: 'a\u0000b' },
      { name: 'x'.repeat(101) },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['everything'] },
      { name: 'x', scopes: 'handshake' },
      { name: 'x', expiresInDays: 0 },
      { name: 'x', expiresInDays: 1e9 },
      { name: 'x', expiresInDays: 1.5 },
    ])('are rejected for the body %j, with the name of the invalid member', async (body) => {
      const response = await bySession(ada, path, { body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'invalid_request',
        faults: [{ pointer: expect.any(String) }],
      });
    });

    it('record when they were last used', async () => {
      const created = await create(ada, { name: 'used' });
      await tokenFor(fixture.url, { ...ada, accessToken: created.token }, fixture.slug);
      await expect
        .poll(async () => (await listOf<AccessTokenView>(ada, path)).find(({ id }) => id === created.id)?.lastUsedAt, {
          timeout: 10_000,
        })
        .toEqual(iso);
    });

    it('show their user and their scopes', async () => {
      const whose = async (call: Parameters<typeof send>[1]) =>
        (await send(`${fixture.url}/api/auth/profile`, call)).json();
      const scopes = ['agents:read', 'agents:write', 'handshake'];
      expect(await whose({ bearer: ada.accessToken })).toEqual({ email: ada.email, name: 'Ada', scopes });
      expect(await whose({ cookie: ada.cookie })).toEqual({ email: ada.email, name: 'Ada', scopes: null });
      expect(await whose({})).toMatchObject({ status: 401, code: 'unauthenticated' });
      const agentToken = await tokenFor(fixture.url, ada, fixture.slug);
      expect(await whose({ bearer: agentToken })).toMatchObject({ status: 401, code: 'invalid_token' });
    });

    it('can be created, listed and revoked only with a session, not with an access token', async () => {
      const calls: Call[] = [{}, { body: { name: 'more' } }];
      for (const call of calls) {
        const response = await send(`${fixture.url}${path}`, { ...call, bearer: ada.accessToken });
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({ code: 'forbidden' });
      }
      const [first] = await listOf<AccessTokenView>(ada, path);
      const revoked = await send(`${fixture.url}${path}/${first?.id}`, { method: 'DELETE', bearer: ada.accessToken });
      expect(revoked.status).toBe(403);
      expect((await send(`${fixture.url}${path}`, {})).status).toBe(401);
    });

    it('CSRF-1 cannot be created or revoked from another origin', async () => {
      for (const origin of [undefined, 'https://evil.example']) {
        const call = { cookie: ada.cookie, ...(origin && { origin }) };
        const made = await send(`${fixture.url}${path}`, { ...call, body: { name: 'forged' } });
        const revoked = await send(`${fixture.url}${path}/pat_x`, { ...call, method: 'DELETE' });
        expect([made.status, revoked.status]).toEqual([403, 403]);
      }
    });

    it('AUZ-1 are unknown to other users, who cannot revoke them', async () => {
      const created = await create(ada, { name: 'mine' });
      const bodies = [];
      for (const id of [created.id, 'pat_00000000000000000000', 'x', '%01']) {
        const response = await bySession(eve, `${path}/${id}`, { method: 'DELETE' });
        const { requestId: _differs, ...body } = (await response.json()) as { requestId: string };
        bodies.push({ status: response.status, body });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(bodies[0]).toMatchObject({ status: 404, body: { code: 'not_found' } });
      await tokenFor(fixture.url, { ...ada, accessToken: created.token }, fixture.slug);
    });

    it('REV-2 are invalid immediately when revoked, and a second revocation returns 404', async () => {
      const created = await create(ada, { name: 'lost' });
      const holder = { ...ada, accessToken: created.token };
      await tokenFor(fixture.url, holder, fixture.slug);
      expect((await bySession(ada, `${path}/${created.id}`, { method: 'DELETE' })).status).toBe(204);
      const used = await send(`${fixture.url}/api/apps`, { bearer: created.token });
      expect(used.status).toBe(401);
      expect((await bySession(ada, `${path}/${created.id}`, { method: 'DELETE' })).status).toBe(404);
      expect((await listOf<AccessTokenView>(ada, path)).map(({ id }) => id)).not.toContain(created.id);
    });
  });

  describe('developer apps', () => {
    const path = '/api/apps';

    it('TOK-9 get a secret that is shown only once', async () => {
      const app = await createApp(fixture.url, ada, 'Weather');
      expect(app).toEqual({
        id: expect.stringMatching(/^app_/),
        name: 'Weather',
        clientId: expect.any(String),
        redirectUris: [],
        createdAt: iso,
        clientSecret: expect.stringMatching(/^parley_cs_[\w-]{43}$/),
        secrets: [
          {
            id: expect.stringMatching(/^sec_/),
            prefix: app.clientSecret.slice(0, 16),
            createdAt: iso,
            lastUsedAt: null,
            expiresAt: null,
          },
        ],
      });
      const list = await listOf<AppView>(ada, path);
      const { clientSecret, ...shown } = app;
      expect(list).toContainEqual(shown);
      expect(JSON.stringify(list)).not.toContain(clientSecret);
    });

    it('AUZ-1 can be accessed only by their owner', async () => {
      const app = await createApp(fixture.url, ada, 'Private');
      expect((await listOf<AppView>(eve, path)).map(({ id }) => id)).not.toContain(app.id);
      const answers = new Set<string>();
      for (const id of [app.id, 'app_00000000000000000000', 'x']) {
        const added = await bySession(eve, `${path}/${id}/secrets`, { method: 'POST' });
        const { requestId: _differs, ...body } = (await added.json()) as { requestId: string };
        answers.add(JSON.stringify({ status: added.status, body }));
      }
      expect([...answers]).toEqual([expect.stringContaining('"not_found"')]);
      const secretId = app.secrets[0]?.id;
      const removed = await bySession(eve, `${path}/${app.id}/secrets/${secretId}`, { method: 'DELETE' });
      expect(removed.status).toBe(404);
      const own = await createApp(fixture.url, eve, 'Own');
      const crossed = await bySession(eve, `${path}/${own.id}/secrets/${secretId}`, { method: 'DELETE' });
      expect(crossed.status).toBe(404);
    });

    it('AUZ-3 accept only a name from the user', async () => {
      const body = { name: 'x', id: 'app_chosen', ownerId: eve.userId, clientId: 'chosen', clientSecret: 'chosen' };
      const response = await bySession(ada, path, { body });
      const app = (await response.json()) as NewClientSecret;
      expect(app.id).not.toBe('app_chosen');
      expect(app.clientId).not.toBe('chosen');
      expect(app.clientSecret).not.toBe('chosen');
      expect((await listOf<AppView>(eve, path)).map(({ id }) => id)).not.toContain(app.id);
    });

    it('TOK-10 can change to a second secret without a single rejection', async () => {
      const app = await createApp(fixture.url, ada, 'Rotating');
      const asking = new Asking(fixture.url, app);
      try {
        await asking.twentyMore();
        const added = await bySession(ada, `${path}/${app.id}/secrets`, { body: { expiresInDays: 30 } });
        const second = (await added.json()) as NewClientSecret;
        await asking.twentyMore();
        asking.clientSecret = second.clientSecret;
        await asking.twentyMore();
        const removed = await bySession(ada, `${path}/${app.id}/secrets/${app.secrets[0]?.id}`, { method: 'DELETE' });
        expect(removed.status).toBe(204);
        await asking.twentyMore();
      } finally {
        await asking.stop();
      }
      expect(new Set(asking.statuses)).toEqual(new Set([200]));
      expect((await introspect({ url: fixture.url, app }, { token: 'x' })).status).toBe(401);
      const [listed] = (await listOf<AppView>(ada, path)).filter(({ id }) => id === app.id);
      expect(listed?.secrets).toEqual([expect.objectContaining({ lastUsedAt: iso, expiresAt: iso })]);
    });

    it.each([1, 24, 168])('TOK-10 rotate with an overlap of %i h, after which the old secret ends', async (hours) => {
      const app = await createApp(fixture.url, ada, 'Overlapping');
      const rotated = await bySession(ada, `${path}/${app.id}/secrets`, { body: { othersEndInHours: hours } });
      expect(rotated.status).toBe(201);
      const { clientSecret, secrets } = (await rotated.json()) as NewClientSecret;
      const [old, fresh] = secrets;
      expect(Math.abs(Date.parse(old?.expiresAt ?? '') - Date.now() - hours * 3_600_000)).toBeLessThan(60_000);
      expect(fresh?.expiresAt).toBeNull();
      for (const secret of [app.clientSecret, clientSecret]) {
        const client = { url: fixture.url, app: { ...app, clientSecret: secret } };
        expect((await introspect(client, { token: 'x' })).status).toBe(200);
      }
      const shorter = await bySession(ada, `${path}/${app.id}/secrets/${old?.id}`, { method: 'DELETE' });
      expect(shorter.status).toBe(204);
    });

    it('TOK-10 can rotate without an overlap, which ends the old secret and its tokens immediately', async () => {
      const app = await createApp(fixture.url, ada, 'Leaked');
      const form = { grant_type: 'client_credentials', resource: `${fixture.url}/agents/${fixture.slug}` };
      const made = await postForm(`${fixture.url}/api/auth/token`, form, app);
      const { access_token: token } = (await made.json()) as { access_token: string };
      expect(await (await introspect(fixture, { token })).json()).toMatchObject({ active: true });
      const rotated = await bySession(ada, `${path}/${app.id}/secrets`, { body: { othersEndInHours: 0 } });
      const { clientSecret, secrets } = (await rotated.json()) as NewClientSecret;
      expect(secrets).toHaveLength(1);
      expect((await introspect({ url: fixture.url, app }, { token: 'x' })).status).toBe(401);
      expect((await introspect({ url: fixture.url, app: { ...app, clientSecret } }, { token: 'x' })).status).toBe(200);
      expect(await (await introspect(fixture, { token })).json()).toEqual({ active: false });
    });

    it('TOK-10 keep a secret’s expiry during an overlap, and reject invalid overlaps', async () => {
      const app = await createApp(fixture.url, ada, 'Ending');
      const add = (body: object) => bySession(ada, `${path}/${app.id}/secrets`, { body });
      const first = (await (await add({ othersEndInHours: 1 })).json()) as NewClientSecret;
      expect((await add({ othersEndInHours: 168 })).status).toBe(409);
      const [listed] = (await listOf<AppView>(ada, path)).filter(({ id }) => id === app.id);
      expect(listed?.secrets).toEqual(first.secrets);
      for (const othersEndInHours of [2, -1, '1', null, 1e9]) {
        expect((await add({ othersEndInHours })).status).toBe(400);
      }
    });

    it('TOK-10 have at most two valid secrets', async () => {
      const app = await createApp(fixture.url, ada, 'Greedy');
      const add = () => bySession(ada, `${path}/${app.id}/secrets`, { method: 'POST' });
      expect((await add()).status).toBe(201);
      const third = await add();
      expect(third.status).toBe(409);
      expect(await third.json()).toMatchObject({ code: 'conflict', limit: 2 });
    });

    it('can be listed with agents:read and changed with agents:write by an access token', async () => {
      const body = { name: 'narrow', scopes: ['agents:read'] };
      const made = await bySession(ada, '/api/auth/access-tokens', { body });
      const { token: bearer } = (await made.json()) as NewAccessToken;
      expect((await send(`${fixture.url}${path}`, { bearer })).status).toBe(200);
      const refused = await send(`${fixture.url}${path}`, { bearer, body: { name: 'x' } });
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ code: 'insufficient_scope', scope: 'agents:write' });
    });

    it('are unavailable to all other callers', async () => {
      expect((await send(`${fixture.url}${path}`, {})).status).toBe(401);
      expect((await send(`${fixture.url}${path}`, { body: { name: 'x' } })).status).toBe(401);
    });
  });

  describe('the JWKS', () => {
    const path = '/.well-known/jwks.json';

    it('KEY-6 KEY-7 contains only public keys, each with one purpose and one algorithm', async () => {
      const response = await fetch(`${fixture.url}${path}`);
      expect(response.status).toBe(200);
      const { keys } = (await response.json()) as { keys: Record<string, string>[] };
      const text = expect.any(String);
      const shapes = {
        tok: { kty: 'RSA', alg: 'RS256', n: text, e: 'AQAB' },
        card: { kty: 'EC', alg: 'ES256', crv: 'P-256', x: text, y: text },
        ap2: { kty: 'EC', alg: 'ES256', crv: 'P-256', x: text, y: text },
      };
      const purposes = keys.map(({ kid }) => kid?.split('-', 1)[0] as keyof typeof shapes);
      expect(new Set(purposes)).toEqual(new Set(['tok', 'card', 'ap2']));
      for (const [index, key] of keys.entries()) {
        expect(key).toEqual({ kid: text, use: 'sig', ...shapes[purposes[index] ?? 'tok'] });
        if (key.n) expect(Buffer.from(key.n, 'base64url').length).toBeGreaterThanOrEqual(256);
      }
      expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    });

    it('KEY-6 can be cached for five minutes, revalidated cheaply, and read by any page', async () => {
      const response = await fetch(`${fixture.url}${path}`);
      const etag = response.headers.get('etag') ?? '';
      expect(response.headers.get('cache-control')).toBe('public, max-age=300');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('content-type')).toBe('application/json');
      const again = await fetch(`${fixture.url}${path}`, { headers: { 'if-none-match': etag } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
      const other = await fetch(`${fixture.url}${path}`, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
      const head = await fetch(`${fixture.url}${path}`, { method: 'HEAD' });
      expect(head.headers.get('etag')).toBe(etag);
      expect(await head.text()).toBe('');
    });

    it('is the same for every caller and every request', async () => {
      const plain = await (await fetch(`${fixture.url}${path}`)).text();
      const response = await send(`${fixture.url}${path}?kid=x`, { bearer: 'nonsense', cookie: 'parley=nonsense' });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(plain);
    });
  });
});
