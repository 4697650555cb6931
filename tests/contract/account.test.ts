import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChattyAgent } from '../fakes/chatty-agent';
import { connectTo, createPerson, listAgent, message03, rpc, send, tokenFor } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { OwnAccount, password } from './account-fixture';
import { connectHost, registerHost } from './oauth-fixture';
import { createApp, introspect, postForm } from './tokens-fixture';

/** Every row of every table as text, prefixed with its table name. */
async function everything(): Promise<string[]> {
  const tables = await query<{ name: string }>(
    'test-tables',
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await query<{ row: string }>(`test-all-${name}`, `SELECT t::text AS row FROM ${name} t`);
      return rows.map(({ row }) => `${name}: ${row}`);
    }),
  );
  return texts.flat();
}

describe('a user’s account', () => {
  let parley: SharedParley;
  let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
  let slug: string;
  let eve: OwnAccount;

  beforeAll(async () => {
    chattyAgent = await startChattyAgent();
    parley = await sharedParley();
    eve = await newAccount('Eve');
    slug = await listAgent(parley.url, eve.person, { url: chattyAgent.agent.url });
  });

  afterAll(() => chattyAgent?.agent.stop());

  async function newAccount(name: string): Promise<OwnAccount> {
    return new OwnAccount(parley.url, await createPerson(parley.url, name));
  }

  /** Sends the agent a message, in the chat and as a client. */
  async function talk(account: OwnAccount, text: string): Promise<void> {
    const body = { messageId: crypto.randomUUID(), agentSlug: slug, text };
    const posted = await account.call('/api/chat/messages', { body });
    expect(posted.status, await posted.text()).toBe(202);
    await rpc(await connectTo(parley.url, account.person, slug), 'message/send', message03(text));
  }

  /**
   * Feedback on a reply, a share link, a report, an appeal about the link, and an invitation, with `word` in every free
   * text.
   */
  async function writeFreeTexts(account: OwnAccount, word: string): Promise<void> {
    const { userId, email } = account.person;
    const at = `at_${crypto.randomUUID()}`;
    await query(
      'test-feedback',
      `INSERT INTO answer_feedback (user_id, task_id, seq, conversation_id, agent_id, verdict, note, given_at)
       SELECT user_id, gen_random_uuid(), 1, id, agent_id, 'bad', $2, now() FROM conversation WHERE user_id = $1 LIMIT 1`,
      [userId, `${word}-note`],
    );
    await query(
      'test-share',
      `INSERT INTO conversation_share (id, conversation_id, user_id, token_hash, tasks, created_at)
       SELECT $2, id, user_id, $2, '[]', now() FROM conversation WHERE user_id = $1 LIMIT 1`,
      [userId, at],
    );
    await query(
      'test-case',
      `INSERT INTO moderation_case (id, kind, target_id, owner_id, title, state, opened_at, updated_at, appeal, appealed_at)
       VALUES ($2, 'share', $2, $1, $3, 'appealed', now(), now(), $3, now())`,
      [userId, at, `${word}-title`],
    );
    await query(
      'test-step',
      `INSERT INTO moderation_step (id, case_id, state, role, user_id, note, at)
       VALUES ($2, $2, 'appealed', 'owner', $1, $3, now())`,
      [userId, at, `${word}-appeal`],
    );
    await query(
      'test-evidence',
      `INSERT INTO moderation_report (id, case_id, reason, details, evidence, created_at)
       VALUES ($1, $1, 'illegal', '', jsonb_build_object('title', $2::text), now())`,
      [at, `${word}-evidence`],
    );
    const search = { name: `${word}-search`, query: { q: `${word}-need` } };
    expect((await account.call('/api/saved-searches', { body: search })).status).toBe(201);
    const report = { kind: 'agent', id: slug, reason: 'spam', details: `${word}-report` };
    expect((await account.call('/api/reports', { body: report })).status).toBe(201);
    const invited = await eve.call(`/api/agents/${slug}/invitations`, { body: { email, role: 'viewer' } });
    expect(invited.status).toBe(201);
  }

  describe('activity', () => {
    it('AUD-1 lists events newest first, with actor and location', async () => {
      const ada = await newAccount('Ada');
      const app = await createApp(parley.url, ada.person, 'Secret name');
      await ada.call(`/api/grants/${slug}`, { method: 'PUT', body: { scopes: ['email'] } });
      await ada.call(`/api/grants/${slug}`, { method: 'DELETE' });
      await ada.call(`/api/apps/${app.id}/secrets/${app.secrets[0]?.id}`, { method: 'DELETE' });
      const entries = await ada.activity();
      expect(entries.map(({ event }) => event)).toEqual([
        'secret.removed',
        'grant.removed',
        'grant.set',
        'app.created',
        'token.created',
        'session.started',
      ]);
      const [removed, , set, created, , started] = entries;
      expect(removed).toMatchObject({ object: app.secrets[0]?.id, by: started?.object, place: null });
      expect(set).toMatchObject({ agent: { slug, name: 'Talker' }, detail: 'email' });
      expect(created).toMatchObject({ object: app.id, by: expect.stringMatching(/^pat_/) });
      expect(started).toMatchObject({
        detail: 'password',
        by: '',
        place: { device: expect.any(String), address: expect.stringMatching(/127\.0\.0\.1|::1/) },
      });
      expect(JSON.stringify(entries)).not.toContain('Secret name');
    });

    it('is paginated, and rejects a forged cursor', async () => {
      const ada = await newAccount('Ada');
      for (let turn = 0; turn < 17; turn++) {
        for (const scopes of [['profile'], []]) {
          await ada.call(`/api/grants/${slug}`, { method: 'PUT', body: { scopes } });
        }
      }
      const entries = await ada.activity();
      expect(entries).toHaveLength(36);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(36);
      for (const cursor of ['x', '-1', '0', '9'.repeat(30), "1'"]) {
        const refused = await ada.call(`/api/account/activity?cursor=${encodeURIComponent(cursor)}`);
        expect(refused.status).toBe(400);
      }
    });

    it('AUZ-1 is visible only to that user', async () => {
      const ada = await newAccount('Ada');
      const before = await eve.activity();
      await ada.call(`/api/grants/${slug}`, { method: 'PUT', body: { scopes: ['email'] } });
      expect(await eve.activity()).toEqual(before);
    });
  });

  describe('export', () => {
    it('GDPR-1 contains all of the user’s data, no data from other users, and no secrets', async () => {
      const ada = await newAccount('Ada');
      const app = await createApp(parley.url, ada.person, 'Ada’s app');
      const gone = await ada.call('/api/auth/access-tokens', { body: { name: 'gone' } });
      const { id: goneId } = (await gone.json()) as { id: string };
      await ada.call(`/api/auth/access-tokens/${goneId}`, { method: 'DELETE' });
      await talk(ada, 'canary-of-ada');
      await talk(eve, 'canary-of-eve');
      await waitFor(async () => (await ada.export()).includes('answer: canary-of-ada'), { what: 'the answer' });

      await writeFreeTexts(ada, 'ada');
      const host = await connectHost(parley.url, ada.person, { clientId: await registerHost(parley.url) });

      const text = await ada.export();
      const all = JSON.parse(text);
      expect(all).toMatchObject({
        exportedAt: expect.any(String),
        profile: { id: ada.person.userId, email: ada.person.email, name: 'Ada', hasPassword: true, accounts: [] },
        sessions: [{ current: true, address: expect.any(String) }],
        accessTokens: expect.arrayContaining([
          expect.objectContaining({ name: 'test', prefix: ada.person.accessToken.slice(0, 17), revokedAt: null }),
          expect.objectContaining({ id: goneId, name: 'gone', revokedAt: expect.any(String) }),
        ]),
        connectedApps: [{ clientName: 'Example host', resource: `${parley.url}/mcp`, revokedAt: null }],
        connectedAgents: [{ agent: { slug } }],
        apps: [{ id: app.id, name: 'Ada’s app' }],
        agents: [],
        conversations: [{ agent: { slug } }],
        pushes: [],
        undeliveredPushes: [],
        feedback: [{ note: 'ada-note' }],
        shares: [{ tasks: [] }],
        reports: [{ details: 'ada-report' }],
        savedSearches: [{ name: 'ada-search', query: { q: 'ada-need' } }],
        appeals: [{ text: 'ada-appeal' }],
      });
      expect(all.tasks).toHaveLength(2);
      expect(all.tasks[0]).toMatchObject({ principal: ada.person.userId, agent: slug, state: 'completed' });
      expect(JSON.stringify(all.tasks[0].events)).toContain('canary-of-ada');
      expect(all.activity.at(-1)).toMatchObject({ event: 'session.started' });
      expect(all.activity[0]).toMatchObject({ event: 'account.exported' });

      for (const foreign of [eve.person.userId, eve.person.email, 'canary-of-eve']) expect(text).not.toContain(foreign);
      const cookie = ada.person.cookie.split('=')[1] ?? '';
      for (const secret of [ada.person.accessToken, app.clientSecret, cookie, host.access_token, host.refresh_token])
        expect(text).not.toContain(secret);
      const hashes = await query<{ hash: string }>(
        'test-hashes',
        `SELECT password_hash AS hash FROM "user" UNION ALL SELECT session_token FROM session
         UNION ALL SELECT token_hash FROM access_token UNION ALL SELECT secret_hash FROM app_secret`,
      );
      for (const { hash } of hashes) if (hash !== null) expect(text).not.toContain(hash);
    });

    it('is a download that is never cached', async () => {
      const ada = await newAccount('Ada');
      const { status, headers } = await ada.call('/api/account/export', { method: 'POST' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="parley-account-\d{4}-\d\d-\d\d\.json"$/,
      );
      expect(headers.get('cache-control')).toBe('no-store');
    });

    it('CSRF-1 requires a request from our own pages in the user’s browser', async () => {
      const { person } = await newAccount('Ada');
      const path = `${parley.url}/api/account/export`;
      const method = 'POST';
      expect((await send(path, { method })).status).toBe(401);
      expect((await send(path, { method, bearer: person.accessToken })).status).toBe(403);
      for (const origin of [undefined, 'https://evil.example']) {
        expect((await send(path, { method, cookie: person.cookie, ...(origin && { origin }) })).status).toBe(403);
      }
    });

    it('LIM-4 is rate-limited', async () => {
      const ada = await newAccount('Ada');
      for (let turn = 0; turn < 5; turn++) await ada.export();
      const sixth = await ada.call('/api/account/export', { method: 'POST' });
      expect(sixth.status).toBe(429);
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  describe('deletion', () => {
    it.each([
      ['another’s address', () => ({ email: eve.person.email, password })],
      ['the wrong password', ({ email }: { email: string }) => ({ email, password: 'wrong' })],
      ['no password', ({ email }: { email: string }) => ({ email })],
      ['nothing', () => ({})],
    ])('is rejected with %s, and changes nothing', async (_, body) => {
      const ada = await newAccount('Ada');
      const refused = await ada.delete(body(ada.person));
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        code: 'invalid_request',
        faults: [{ pointer: expect.any(String) }],
      });
      expect((await ada.call('/api/auth/sessions')).status).toBe(200);
    });

    it('requires a recent sign-in from users without a password', async () => {
      const ada = await newAccount('Ada');
      const { userId, email } = ada.person;
      await query('test-no-password', 'UPDATE "user" SET password_hash = NULL WHERE id = $1', [userId]);
      const signedIn = async (ago: string): Promise<void> => {
        const text = 'UPDATE session SET signed_in_at = now() - $2::interval WHERE user_id = $1 RETURNING id';
        const [session] = await query<{ id: string }>('test-sign-in-age', text, [userId, ago]);
        await query('test-tell', `SELECT pg_notify('parley', $1)`, [`* credential ${session?.id}`]);
      };
      await signedIn('16 minutes');
      const refused = await ada.delete({ email });
      expect([refused.status, (await refused.json()).code]).toEqual([403, 'sign_in_again']);
      expect((await ada.call('/api/auth/sessions')).status).toBe(200);
      await signedIn('1 minute');
      await waitFor(async () => (await ada.delete({ email })).status === 204, { what: 'the fresh sign-in to count' });
    });

    it('CSRF-1 requires a request from our own pages in the user’s browser', async () => {
      const { person } = await newAccount('Ada');
      const path = `${parley.url}/api/account/deletion`;
      const body = { email: person.email, password };
      expect((await send(path, { body })).status).toBe(401);
      expect((await send(path, { body, bearer: person.accessToken })).status).toBe(403);
      expect((await send(path, { body, cookie: person.cookie, origin: 'https://evil.example' })).status).toBe(403);
      await tokenFor(parley.url, person, slug);
    });

    it('GDPR-1 deletes all of the user’s data except ids in the audit log', async () => {
      const ada = await newAccount('Zeldavandermeer');
      const { userId, email, accessToken } = ada.person;
      await createApp(parley.url, ada.person, 'zeldavandermeer-app');
      await talk(ada, 'zeldavandermeer-words');
      await writeFreeTexts(ada, 'zeldavandermeer');
      await connectHost(parley.url, ada.person, { clientId: await registerHost(parley.url) });
      expect((await everything()).join()).toContain('zeldavandermeer-words');
      const gone = await ada.delete();
      expect(gone.status, await gone.clone().text()).toBe(204);
      expect(gone.headers.get('set-cookie')).toMatch(/^parley=;.*Expires=Thu, 01 Jan 1970/);

      const remaining = await everything();
      for (const trace of [email, 'zeldavandermeer', 'Zeldavandermeer', accessToken.slice(0, 17)]) {
        expect(remaining.filter((row) => row.includes(trace))).toEqual([]);
      }
      const rows = remaining.filter((row) => row.includes(userId));
      // Limits are counted by id too, and expire within minutes.
      expect(rows.filter((row) => !/^(?:audit_entry|limit_bucket|limit_slot_pool): /.test(row))).toEqual([]);
      expect(rows.filter((row) => row.includes('account.deleted'))).toHaveLength(1);
    });

    it('REV-2 ends every session, token and secret immediately', async () => {
      const ada = await newAccount('Ada');
      const app = await createApp(parley.url, ada.person);
      const own = { url: parley.url, app };
      const eveApp = await createApp(parley.url, eve.person);
      const updated = await send(`${parley.url}/api/agents/${slug}`, {
        method: 'PATCH',
        body: { appId: eveApp.id },
        bearer: eve.person.accessToken,
      });
      expect(updated.status).toBe(200);
      const token = await tokenFor(parley.url, ada.person, slug);
      const clientId = await registerHost(parley.url);
      const host = await connectHost(parley.url, ada.person, { clientId });
      const asked = { url: parley.url, app: eveApp };
      expect(await (await introspect(asked, { token })).json()).toMatchObject({ active: true });
      expect((await introspect(own, { token })).status).toBe(200);

      expect((await ada.delete()).status).toBe(204);
      expect(await (await introspect(asked, { token })).json()).toEqual({ active: false });
      expect((await introspect(own, { token })).status).toBe(401);
      expect((await ada.call('/api/auth/sessions')).status).toBe(401);
      expect((await send(`${parley.url}/api/apps`, { bearer: ada.person.accessToken })).status).toBe(401);
      expect((await send(`${parley.url}/mcp`, { body: {}, bearer: host.access_token })).status).toBe(401);
      const renewal = { grant_type: 'refresh_token', client_id: clientId, refresh_token: host.refresh_token };
      expect((await postForm(`${parley.url}/api/auth/token`, renewal)).status).toBe(400);
      const again = { email: ada.person.email, password };
      expect((await send(`${parley.url}/api/auth/local`, { body: again, origin: parley.url })).status).toBe(401);
    });

    it('cancels running tasks, and notifies their agents', async () => {
      const ada = await newAccount('Ada');
      const canceledBefore = chattyAgent.agent.calls('tasks/cancel').length;
      const body = { messageId: crypto.randomUUID(), agentSlug: slug, text: 'hold' };
      expect((await ada.call('/api/chat/messages', { body })).status).toBe(202);
      await waitFor(async () => (await ada.export()).includes('Researching'), { what: 'the agent at work' });
      expect((await ada.delete()).status).toBe(204);
      expect(chattyAgent.agent.calls('tasks/cancel').length).toBe(canceledBefore + 1);
      chattyAgent.release();
    });

    it('withdraws the user’s agents, and frees their URLs for other operators', async () => {
      const other = await startChattyAgent({ name: 'Orphan' });
      try {
        const ada = await newAccount('Ada');
        const orphan = await listAgent(parley.url, ada.person, { url: other.agent.url });
        await rpc(await connectTo(parley.url, eve.person, orphan), 'message/send', message03('remember me'));
        expect((await ada.delete()).status).toBe(204);
        expect((await fetch(`${parley.url}/api/agents/${orphan}`)).status).toBe(410);
        const text = await eve.export();
        expect(text).toContain('remember me');
        expect(await listAgent(parley.url, eve.person, { url: other.agent.url })).not.toBe(orphan);
      } finally {
        await other.agent.stop();
      }
    });

    it('does not release the URL of an agent that moderators removed', async () => {
      const other = await startChattyAgent({ name: 'Banned' });
      try {
        const ada = await newAccount('Ada');
        const banned = await listAgent(parley.url, ada.person, { url: other.agent.url });
        await query(
          'test-banned',
          `INSERT INTO moderation_case (id, kind, target_id, title, state, opened_at, updated_at)
           SELECT id, 'agent', id, name, 'removed', now(), now() FROM agent WHERE slug = $1`,
          [banned],
        );
        expect((await ada.delete()).status).toBe(204);
        await expect(listAgent(parley.url, eve.person, { url: other.agent.url })).rejects.toThrow('agent_url_taken');
      } finally {
        await other.agent.stop();
      }
    });

    it('AUZ-1 leaves all other users unchanged', async () => {
      const ada = await newAccount('Ada');
      await talk(ada, 'of ada');
      await talk(eve, 'of eve');
      const before = await eve.activity();
      expect((await ada.delete()).status).toBe(204);
      expect(await eve.activity()).toEqual(before);
      expect((await eve.call('/api/auth/sessions')).status).toBe(200);
      await tokenFor(parley.url, eve.person, slug);
    });

    it('is logged and emailed once, with the time, if it is requested twice concurrently', async () => {
      const ada = await newAccount('Ada');
      await Promise.all([ada.delete(), ada.delete()]);
      const deletionEntries = await query('test-told', 'SELECT 1 FROM audit_entry WHERE subject = $1 AND event = $2', [
        ada.person.userId,
        'account.deleted',
      ]);
      expect(deletionEntries).toHaveLength(1);
      const outbox = join(parley.dataDir, 'outbox');
      const mails = readdirSync(outbox).map((file) => readFileSync(join(outbox, file), 'utf8'));
      const mine = mails.filter((mail) => mail.includes(`To: ${ada.person.email}\r\n`) && /was deleted/.test(mail));
      expect(mine).toHaveLength(1);
      expect(mine[0]).toMatch(/was permanently deleted on \d{4}-\d\d-\d\d\r\nat \d\d:\d\d UTC, with/);
    });

    it('allows a new sign-up with the same email address, without any earlier data', async () => {
      const ada = await newAccount('Ada');
      await talk(ada, 'of before');
      expect((await ada.delete()).status).toBe(204);
      const { ensureLocalUser } = await import('@/lib/identity');
      const { email } = ada.person;
      const { userId } = await ensureLocalUser({ email, password, name: 'Ada', now: new Date() });
      expect(userId).not.toBe(ada.person.userId);
      const back = await send(`${parley.url}/api/auth/local`, { body: { email, password }, origin: parley.url });
      const cookie = back.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const recreated = new OwnAccount(parley.url, { ...ada.person, userId, cookie });
      expect(await recreated.export()).not.toContain('of before');
    });
  });
});
