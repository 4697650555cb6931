import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentRecord, findAgent, registerAgent, updateAgent, withdrawAgent } from '@/lib/catalog';
import { endSession, ensureLocalUser } from '@/lib/identity';
import { publish, startBus, stopBus } from '@/lib/platform/bus';
import type { Actor, Ctx, UserActor } from '@/lib/platform/context';
import { closePool } from '@/lib/platform/db/sql';
import { newId } from '@/lib/platform/ids';
import {
  addAppSecret,
  authenticateClient,
  createAccessToken,
  createApp,
  ensureSigningKeys,
  findAccessTokenActor,
  findActiveCredential,
  handshake,
  introspectToken,
  listAccessTokens,
  listApps,
  listJwks,
  ownsApp,
  removeAppSecret,
  revokeAccessToken,
  revokeTokenId,
  rotateKeys,
  upstreamTokenFor,
  upstreamTokenForTask,
  verifyAgentToken,
} from '@/lib/tokens';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { fileDatabase } from '../support/database';
import { query } from '../support/sql';

let server: ScriptedAgent;
let dora: UserActor;
let appId: string;
let slug: string;

function ctxOf(actor: Actor, now = new Date()): Ctx {
  return { actor, requestId: 'req_test', signal: new AbortController().signal, now };
}

async function signIn(name: string): Promise<UserActor> {
  const email = `${newId('usr')}@parley.test`;
  const { userId } = await ensureLocalUser({ email, password: 'correct horse battery', name, now: new Date() });
  const id = newId('ses');
  await query('test-session', 'INSERT INTO session (id, session_token, user_id, expires) VALUES ($1, $1, $2, $3)', [
    id,
    userId,
    new Date(Date.now() + 86_400_000),
  ]);
  return { kind: 'user', userId, email, name, credential: { kind: 'session', id } };
}

/** The introspection of a token by the agent's own app. */
async function introspect(token: string, by = appId, now = new Date()): Promise<object> {
  return introspectToken({
    ctx: ctxOf({ kind: 'app', appId: by, clientId: 'x', credentialId: 'sec_x' }, now),
    input: { token },
  });
}

async function tokenOf(person: UserActor, now = new Date()): Promise<string> {
  return (await handshake({ ctx: ctxOf(person, now), input: { agentSlug: slug } })).token;
}

async function agentRecord(): Promise<AgentRecord> {
  const agent = await findAgent(slug);
  if (!agent) throw new Error('the agent of this test is gone');
  return agent;
}

beforeAll(async () => {
  await fileDatabase();
  process.env.AGENT_URL_ALLOW = 'http://127.0.0.1:*';
  await startBus();
  await ensureSigningKeys(new Date());
  server = await ScriptedAgent.start({ name: 'Lifecycle' });
  dora = await signIn('Dora');
  appId = (await createApp({ ctx: ctxOf(dora), input: { name: 'Dora’s agents' } })).id;
  const { agent } = await registerAgent({ ctx: ctxOf(dora), input: { url: server.url, appId }, ownsApp });
  slug = agent.slug;
});

afterAll(async () => {
  await server?.stop();
  await stopBus();
  await closePool();
});

describe('an agent token', () => {
  it('TOK-1 is RS256, at+jwt, for one agent and 15 minutes, and contains only the specified claims', async () => {
    const now = new Date();
    const response = await handshake({ ctx: ctxOf(dora, now), input: { agentSlug: slug } });
    const agent = await agentRecord();
    expect(decodeProtectedHeader(response.token)).toEqual({
      alg: 'RS256',
      typ: 'at+jwt',
      kid: expect.stringMatching(/^tok-[0-9a-f]{24}$/),
    });
    const iat = Math.floor(now.getTime() / 1000);
    expect(decodeJwt(response.token)).toEqual({
      iss: 'http://localhost:3000',
      sub: expect.stringMatching(/^[\w-]{43}$/),
      aud: `http://localhost:3000/agents/${slug}`,
      client_id: 'parley-web',
      agent_id: agent.id,
      agent_slug: slug,
      scope: 'agent:call',
      iat,
      exp: iat + 900,
      jti: expect.stringMatching(/^[\w-]{40,80}$/),
    });
    expect(response).toEqual({
      token: response.token,
      tokenType: 'Bearer',
      agentUrl: `http://localhost:3000/agents/${slug}`,
      expiresAt: new Date((iat + 900) * 1000).toISOString(),
      expiresIn: 900,
      scope: 'agent:call',
    });
  });

  it('has the same subject for all of one owner’s agents, and another for other owners’ agents', async () => {
    const caller = await signIn('Carl');
    const other = await signIn('Otto');
    const servers = await Promise.all([
      ScriptedAgent.start({ name: 'Same owner' }),
      ScriptedAgent.start({ name: 'Other' }),
    ]);
    const [same, foreign] = servers.map(({ url }) => url);
    const mine = await registerAgent({ ctx: ctxOf(dora), input: { url: same ?? '' }, ownsApp });
    const theirs = await registerAgent({ ctx: ctxOf(other), input: { url: foreign ?? '' }, ownsApp });
    const subjects: unknown[] = [];
    for (const agentSlug of [slug, slug, mine.agent.slug, theirs.agent.slug]) {
      const { token } = await handshake({ ctx: ctxOf(caller), input: { agentSlug } });
      subjects.push(decodeJwt(token).sub);
    }
    expect(subjects[1]).toBe(subjects[0]);
    expect(subjects[2]).toBe(subjects[0]);
    expect(subjects[3]).not.toBe(subjects[0]);
    await Promise.all(servers.map((each) => each.stop()));
  });

  it('is active for exactly its lifetime', async () => {
    const now = new Date();
    const token = await tokenOf(dora, now);
    const later = (seconds: number) => introspect(token, appId, new Date(now.getTime() + seconds * 1000));
    expect(await later(898)).toMatchObject({ active: true });
    expect(await later(901)).toEqual({ active: false });
  });

  it('KEY-5 REV-2 ends when its own id is revoked', async () => {
    const [token, other] = [await tokenOf(dora), await tokenOf(dora)];
    const { jti = '', exp = 0 } = decodeJwt(token);
    expect(await introspect(token)).toMatchObject({ active: true, jti });
    await revokeTokenId({ jti, expiresAt: new Date(exp * 1000), now: new Date() });
    expect(await introspect(token)).toEqual({ active: false });
    expect(await introspect(other)).toMatchObject({ active: true });
  });

  it('REV-2 ends with its session, while other tokens remain active', async () => {
    const person = await signIn('Sam');
    const second: UserActor = { ...person, credential: { kind: 'session', id: newId('ses') } };
    await query('test-session', 'INSERT INTO session (id, session_token, user_id, expires) VALUES ($1, $1, $2, $3)', [
      second.credential.id,
      person.userId,
      new Date(Date.now() + 86_400_000),
    ]);
    const [first, kept] = [await tokenOf(person), await tokenOf(second)];
    expect(await introspect(first)).toMatchObject({ active: true });
    await endSession({ ctx: ctxOf(second), input: { id: person.credential.id } });
    expect(await introspect(first)).toEqual({ active: false });
    expect(await introspect(kept)).toMatchObject({ active: true });
    expect(await findActiveCredential(person.credential.id, new Date())).toBeNull();
  });

  it('REV-2 ends with its access token', async () => {
    const person = await signIn('Pat');
    const { id, token: bearer } = await createAccessToken({ ctx: ctxOf(person), input: { name: 'laptop' } });
    const actor = await findAccessTokenActor(bearer, new Date());
    if (!actor) throw new Error('the access token is not known');
    const token = await tokenOf(actor);
    expect(decodeJwt(token).client_id).toBe('parley-cli');
    expect(await introspect(token)).toMatchObject({ active: true });
    await revokeAccessToken({ ctx: ctxOf(person), input: { id } });
    expect(await introspect(token)).toEqual({ active: false });
    expect(await findAccessTokenActor(bearer, new Date())).toBeNull();
    expect(await listAccessTokens({ ctx: ctxOf(person) })).toEqual([]);
  });

  it('expires with its access token', async () => {
    const person = await signIn('Ed');
    const input = { name: 'short', expiresInDays: 1 };
    const { token: bearer } = await createAccessToken({ ctx: ctxOf(person), input });
    const almost = new Date(Date.now() + 86_400_000 - 60_000);
    const actor = await findAccessTokenActor(bearer, almost);
    if (!actor) throw new Error('the access token is not known');
    const token = await tokenOf(actor, almost);
    expect(await introspect(token, appId, almost)).toMatchObject({ active: true });
    expect(await introspect(token, appId, new Date(almost.getTime() + 61_000))).toEqual({ active: false });
  });

  it('is inactive while its user is suspended', async () => {
    const person = await signIn('Sue');
    const token = await tokenOf(person);
    expect(await introspect(token)).toMatchObject({ active: true });
    await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [person.userId]);
    await publish('user', person.userId);
    expect(await introspect(token)).toEqual({ active: false });
    expect(await findActiveCredential(person.userId, new Date())).toBeNull();
  });

  it('ends if its agent becomes private or is withdrawn', async () => {
    const caller = await signIn('Vic');
    const agentServer = await ScriptedAgent.start({ name: 'Goes away' });
    const { agent } = await registerAgent({ ctx: ctxOf(dora), input: { url: agentServer.url, appId }, ownsApp });
    const ask = async (person: UserActor) =>
      (await handshake({ ctx: ctxOf(person), input: { agentSlug: agent.slug } })).token;
    const [theirs, own] = [await ask(caller), await ask(dora)];
    expect(await introspect(theirs)).toMatchObject({ active: true });
    await updateAgent({ ctx: ctxOf(dora), input: { slug: agent.slug, visibility: 'private' }, ownsApp });
    expect(await introspect(theirs)).toEqual({ active: false });
    expect(await introspect(own)).toMatchObject({ active: true });
    await withdrawAgent({ ctx: ctxOf(dora), input: { slug: agent.slug } });
    expect(await introspect(own)).toEqual({ active: false });
    await agentServer.stop();
  });

  it('INT-8 is inactive for another app, even one of the same user', async () => {
    const other = await createApp({ ctx: ctxOf(dora), input: { name: 'other' } });
    const token = await tokenOf(dora);
    expect(await introspect(token, other.id)).toEqual({ active: false });
    expect(await introspect(token)).toMatchObject({ active: true });
  });

  it('is accepted only in calls to that agent', async () => {
    const token = await tokenOf(dora);
    const agent = await agentRecord();
    const caller = {
      kind: 'caller',
      principal: dora.userId,
      credentialId: dora.credential.id,
      tokenId: decodeJwt(token).jti,
      agentId: agent.id,
      clientId: 'parley-web',
      scopes: ['agent:call'],
    };
    expect(await verifyAgentToken({ token, slug, now: new Date() })).toEqual({ caller, agent });
    // Cached by now: refused immediately.
    expect(() => verifyAgentToken({ token, slug: `${slug}-2`, now: new Date() })).toThrow(/issued for another agent/);
    const later = new Date(Date.now() + 5_000);
    await expect(verifyAgentToken({ token, slug: `${slug}-2`, now: later })).rejects.toMatchObject({
      code: 'invalid_token',
    });
  });
});

describe('an upstream token', () => {
  async function upstream(person: UserActor, now = new Date()): Promise<string> {
    const agent = await agentRecord();
    const { userId: principal, credential } = person;
    return upstreamTokenFor({ principal, credentialId: credential.id, agent, clientId: 'parley-web', now });
  }

  it('is active at introspection, has the represented token’s claims, and is rejected by Parley', async () => {
    const person = await signIn('Una');
    const [token, own] = [await upstream(person), await tokenOf(person)];
    expect(decodeJwt(token)).toMatchObject({ token_use: 'upstream', sub: decodeJwt(own).sub });
    const response = await introspect(token);
    expect(response).toMatchObject({ active: true, sub: decodeJwt(own).sub });
    expect(response).not.toHaveProperty('token_use');
    await expect(verifyAgentToken({ token, slug, now: new Date() })).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await findAccessTokenActor(token, new Date())).toBeNull();
  });

  it('is issued once per credential and agent, and again a minute before it expires', async () => {
    const person = await signIn('Uwe');
    const now = new Date();
    const [first, ...rest] = await Promise.all([upstream(person, now), upstream(person, now), upstream(person, now)]);
    expect(rest).toEqual([first, first]);
    expect(await upstream(person, new Date(now.getTime() + 839_000))).toBe(first);
    expect(await upstream(person, new Date(now.getTime() + 840_000))).not.toBe(first);
    expect(await upstream(await signIn('Udo'), now)).not.toBe(first);
  });

  it('keeps the previous owner’s subject for a run that started before the agent changed owners', async () => {
    const person = await signIn('Uta');
    const agent = await agentRecord();
    const task = { principal: person.userId, credentialId: person.credential.id, clientId: 'parley-web' };
    const subjects = [];
    for (const ownerId of [agent.ownerId, (await signIn('Ole')).userId, agent.ownerId]) {
      const token = await upstreamTokenForTask(task, { ...agent, ownerId }, new Date());
      subjects.push(decodeJwt(token).sub);
    }
    expect(subjects[0]).toBe(subjects[2]);
    expect(subjects[1]).not.toBe(subjects[0]);
  });

  it('ends with its credential', async () => {
    const person = await signIn('Ulf');
    const token = await upstream(person);
    await endSession({ ctx: ctxOf(person), input: { id: person.credential.id } });
    expect(await introspect(token)).toEqual({ active: false });
  });
});

describe('an access token', () => {
  it('TOK-9 is valid only as its whole text', async () => {
    const { token } = await createAccessToken({ ctx: ctxOf(await signIn('Tia')), input: { name: 'whole' } });
    const known = (text: string) => findAccessTokenActor(text, new Date());
    expect(await known(token)).toMatchObject({ name: 'Tia', credential: { kind: 'access-token' } });
    const [start, secret] = [token.slice(0, -43), token.slice(-43)];
    const wrong = [
      start,
      `${start}${'A'.repeat(43)}`,
      `${start}${[...secret].reverse().join('')}`,
      `${token}A`,
      secret,
    ];
    for (const text of [...wrong, token.slice(0, -1), token.toUpperCase(), ''])
      expect(await known(text), text).toBeNull();
  });
});

describe('an app’s secrets', () => {
  it('TOK-10 are both valid while rotating, a third is rejected, and a removed one is invalid immediately', async () => {
    const ctx = ctxOf(await signIn('Rita'));
    const app = await createApp({ ctx, input: { name: 'rotating' } });
    const second = await addAppSecret({ ctx, input: { appId: app.id } });
    const works = (clientSecret: string) =>
      authenticateClient({ clientId: app.clientId, clientSecret, now: new Date() });
    expect(await works(app.clientSecret)).toEqual({
      kind: 'app',
      appId: app.id,
      clientId: app.clientId,
      credentialId: app.secrets[0]?.id,
    });
    expect(await works(second.clientSecret)).toMatchObject({ appId: app.id });
    await expect(addAppSecret({ ctx, input: { appId: app.id } })).rejects.toMatchObject({ code: 'conflict' });
    await removeAppSecret({ ctx, input: { appId: app.id, secretId: app.secrets[0]?.id ?? '' } });
    expect(await works(app.clientSecret)).toBeNull();
    expect(await works(second.clientSecret)).toMatchObject({ appId: app.id });
  });

  it('TOK-10 are never more than two, even under concurrency', async () => {
    const ctx = ctxOf(await signIn('Rob'));
    const app = await createApp({ ctx, input: { name: 'raced' } });
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => addAppSecret({ ctx, input: { appId: app.id } })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listApps({ ctx }))[0]?.secrets).toHaveLength(2);
  });

  it('TOK-10 expire at their set time, which frees their slot', async () => {
    const ctx = ctxOf(await signIn('Ron'));
    const app = await createApp({ ctx, input: { name: 'ending' } });
    const { clientSecret } = await addAppSecret({ ctx, input: { appId: app.id, expiresInDays: 1 } });
    const tomorrow = new Date(Date.now() + 86_401_000);
    expect(await authenticateClient({ clientId: app.clientId, clientSecret, now: new Date() })).not.toBeNull();
    expect(await authenticateClient({ clientId: app.clientId, clientSecret, now: tomorrow })).toBeNull();
    const third = await addAppSecret({ ctx: { ...ctx, now: tomorrow }, input: { appId: app.id } });
    expect(third.secrets.map(({ id }) => id)).toContain(app.secrets[0]?.id);
    expect(third.secrets).toHaveLength(2);
  });

  it.each(['', 'app', 'app_00000000000000000000.AAAAAAAAAAA', '\0', 'é', 'x'.repeat(10_000)])(
    'INT-2 are rejected with an unknown client: %#',
    async (clientId) => {
      expect(await authenticateClient({ clientId, clientSecret: 'x', now: new Date() })).toBeNull();
    },
  );
});

describe('the signing keys', () => {
  async function tokenKids(now: Date): Promise<string[]> {
    return (await listJwks(now)).keys.map(({ kid }) => kid).filter((kid) => kid.startsWith('tok-'));
  }

  it('KEY-6 are published before they sign, and until their last token has expired', async () => {
    const start = new Date();
    const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);
    const kidOf = async (seconds: number) => decodeProtectedHeader(await tokenOf(dora, at(seconds))).kid;
    const published = (seconds: number) => tokenKids(at(seconds));
    const old = await kidOf(0);
    await rotateKeys({ now: start, purpose: 'token' });
    const [fresh] = (await published(0)).filter((kid) => kid !== old);
    expect(await published(0)).toEqual([old, fresh]);
    expect(await kidOf(599)).toBe(old);
    const last = await tokenOf(dora, at(599));
    expect(await kidOf(600)).toBe(fresh);
    expect(await introspect(last, appId, at(599 + 899))).toMatchObject({ active: true });
    expect(await published(599 + 900)).toContain(old);
    await ensureSigningKeys(at(2_000));
    expect(await published(2_000)).toEqual([fresh]);
  });

  it('KEY-6 invalidate their tokens immediately when they are removed', async () => {
    const token = await tokenOf(dora);
    expect(await introspect(token)).toMatchObject({ active: true });
    await query('test-remove-key', 'DELETE FROM signing_key WHERE kid = $1', [decodeProtectedHeader(token).kid]);
    await publish('keys', 'token');
    expect(await introspect(token)).toEqual({ active: false });
    expect(await introspect(await tokenOf(dora))).toMatchObject({ active: true });
  });

  it('KEY-6 are identical on nodes that start concurrently, whatever the clock differences', async () => {
    await query('test-remove-keys', 'DELETE FROM signing_key');
    // Held until both have created a key and want to write it: the moment in which they could both do so.
    const holder = new Client({ connectionString: process.env.DATABASE_URL });
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock(hashtextextended('signing keys', 0))");
    const [fast, slow] = [new Date(), new Date(Date.now() - 30_000)];
    const starting = Promise.all([ensureSigningKeys(fast), ensureSigningKeys(slow)]);
    const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(async () => (await holder.query(waiting)).rows[0], { timeout: 10_000 }).toEqual({ count: 2 });
    await holder.end();
    await starting;
    expect(await tokenKids(new Date())).toHaveLength(1);
  });
});
