import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '@/lib/platform/bus';
import { rotateKeys } from '@/lib/tokens';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send, tokenFor } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';

const run = promisify(execFile);
const bound = { timeout: 1_000, interval: 10 };

let agent: ScriptedAgent;
let one: Parley;
let two: Parley;
let person: Person;
let app: NewClientSecret;
let slug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Keys' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  person = await createPerson(one.url, 'Kay');
  const made = await send(`${one.url}/api/apps`, { body: { name: 'keys' }, bearer: person.accessToken });
  app = (await made.json()) as NewClientSecret;
  slug = await listAgent(one.url, person, { url: agent.url, appId: app.id });
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await agent?.stop();
});

async function keysOf(node: Parley): Promise<JSONWebKeySet> {
  return (await (await fetch(`${node.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
}

function kidsOf({ keys }: JSONWebKeySet): string[] {
  return keys.map(({ kid }) => String(kid)).filter((kid) => kid.startsWith('tok-'));
}

/** The operator's command, run outside the two nodes. */
async function keysCommand(...args: string[]): Promise<string> {
  const { KEY_ENCRYPTION_KEY, NEXTAUTH_SECRET, PATH, HOME } = process.env;
  const env = { PATH, HOME, KEY_ENCRYPTION_KEY, NEXTAUTH_SECRET, DATABASE_URL: one.databaseUrl, APP_URL: one.url };
  return (await run(process.execPath, ['scripts/keys.mjs', ...args], { env: { ...env, NODE_ENV: 'production' } }))
    .stdout;
}

async function isActive(node: Parley, token: string): Promise<boolean> {
  const response = await fetch(`${node.url}/api/auth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ token }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { active: boolean }).active;
}

/** Simulates the ten minutes that a new key waits before it signs. */
async function letTheNewKeySign(): Promise<void> {
  await query(
    'test-key-times',
    `UPDATE signing_key SET signs_from = now() WHERE purpose = 'token' AND signs_from > now()`,
  );
  await publish('keys', 'token');
}

/** An agent that verifies by itself, with the last key set that it fetched. */
class Verifier {
  private keys: JSONWebKeySet = { keys: [] };

  async refetch(from: Parley): Promise<void> {
    this.keys = await keysOf(from);
  }

  async accepts(token: string): Promise<boolean> {
    const options = { issuer: one.url, audience: `${one.url}/agents/${slug}`, algorithms: ['RS256'], typ: 'at+jwt' };
    return jwtVerify(token, createLocalJWKSet(this.keys), options).then(
      () => true,
      () => false,
    );
  }
}

describe('the signing keys of two nodes', () => {
  it('KEY-6 are one set with an ETag and all members that a verifier needs, but no private part', async () => {
    const [first, second] = [await keysOf(one), await keysOf(two)];
    expect(second).toEqual(first);
    expect(new Set(first.keys.map(({ kid }) => kid)).size).toBe(first.keys.length);
    for (const key of first.keys) {
      expect(key).toMatchObject({ use: 'sig', alg: expect.any(String), kid: expect.any(String) });
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret);
    }
    const responses = await Promise.all([one, two].map(({ url }) => fetch(`${url}/.well-known/jwks.json`)));
    const [etag, other] = responses.map(({ headers }) => headers.get('etag'));
    expect(etag).toBe(other);
    const again = await fetch(`${two.url}/.well-known/jwks.json`, { headers: { 'if-none-match': etag ?? '' } });
    expect(again.status).toBe(304);
  });

  it('KEY-7 are RSA of at least 2048 bits', async () => {
    for (const key of (await keysOf(one)).keys.filter(({ kty }) => kty === 'RSA')) {
      expect(Buffer.from(String(key.n), 'base64url').length * 8).toBeGreaterThanOrEqual(2_048);
    }
  });

  it('KEY-6 can be rotated ten times under load without a rejected token on any node or verifier', async () => {
    const verifier = new Verifier();
    await verifier.refetch(one);
    const refused: string[] = [];
    let asked = 0;
    let isStopped = false;
    async function ask(from: Parley, by: Parley): Promise<void> {
      while (!isStopped) {
        const token = await tokenFor(from.url, person, slug);
        const [active, accepted] = [await isActive(by, token), await verifier.accepts(token)];
        if (!active || !accepted) refused.push(`${decodeProtectedHeader(token).kid} ${active} ${accepted}`);
        asked++;
      }
    }
    const load = [ask(one, two), ask(two, one)];
    const validToken = await tokenFor(one.url, person, slug);
    const seen = new Set<unknown>();
    for (let round = 0; round < 10; round++) {
      const older = kidsOf(await keysOf(one));
      await rotateKeys({ now: new Date(), purpose: 'token' });
      await expect.poll(async () => kidsOf(await keysOf(one)), bound).not.toEqual(older);
      await expect.poll(async () => kidsOf(await keysOf(two)), bound).toEqual(kidsOf(await keysOf(one)));
      await verifier.refetch(two);
      await letTheNewKeySign();
      const before = asked;
      await expect.poll(() => asked - before, { timeout: 10_000 }).toBeGreaterThan(4);
      seen.add(decodeProtectedHeader(await tokenFor(two.url, person, slug)).kid);
    }
    isStopped = true;
    await Promise.all(load);
    expect(refused).toEqual([]);
    expect(seen.size).toBe(10);
    expect([
      await isActive(one, validToken),
      await isActive(two, validToken),
      await verifier.accepts(validToken),
    ]).toEqual([true, true, true]);
  }, 120_000);

  it('KEY-6 invalidate their tokens on both nodes when they are removed, and the next key signs', async () => {
    await keysCommand('rotate', 'token');
    const token = await tokenFor(one.url, person, slug);
    expect([await isActive(one, token), await isActive(two, token)]).toEqual([true, true]);
    const kid = String(decodeProtectedHeader(token).kid);
    const output = await keysCommand('remove', kid);
    expect(output).not.toContain(kid);
    expect(output).toContain('signs');
    await expect.poll(() => isActive(one, token), bound).toBe(false);
    await expect.poll(() => isActive(two, token), bound).toBe(false);
    expect(kidsOf(await keysOf(one))).not.toContain(kid);
    expect(await keysOf(two)).toEqual(await keysOf(one));
    const fresh = await tokenFor(two.url, person, slug);
    expect([await isActive(one, fresh), await isActive(two, fresh)]).toEqual([true, true]);
  });

  it('KEY-6 cannot be removed with an invalid key id, and the command’s error gives advice', async () => {
    await expect(keysCommand('remove', 'tok-none')).rejects.toMatchObject({ code: 1 });
    await expect(keysCommand('rotate')).rejects.toMatchObject({ code: 2 });
  });
});
