import type { IncomingHttpHeaders } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refreshCards, refreshIcons } from '@/lib/catalog';
import type { AgentView } from '@/lib/catalog/schema';
import type { CardVersionView } from '@/lib/catalog/schema-cards';
import { allowOrigin } from '@/lib/platform/http-client/external-urls';
import { CardServer } from '../fakes/card-server';
import { type CardKey, newCardKey, serveKeys, signed } from '../fakes/card-signer';
import { cardV10 } from '../fakes/cards';
import { createPerson, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

const otherHost = 'http://127.0.0.1:9';

let parley: Parley;
let cards: CardServer;
let ada: Person;
let bob: Person;
/** Every check is two hours after the previous one. */
let now = new Date();

beforeAll(async () => {
  cards = await CardServer.start();
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  // Imported late, once this process has its environment.
  for (const origin of [cards.url, otherHost]) allowOrigin(origin);
  ada = await createPerson(parley.url, 'Ada');
  bob = await createPerson(parley.url, 'Bob');
});

afterAll(async () => {
  await parley?.stop();
  await cards?.stop();
});

async function register(url: string, visibility?: string): Promise<string> {
  const response = await send(`${parley.url}/api/agents`, { body: { url, visibility }, bearer: ada.accessToken });
  const body = (await response.json()) as { slug: string };
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body.slug;
}

function runChecks(at: Date): Promise<number> {
  return refreshCards({ now: at, signal: AbortSignal.timeout(15_000) });
}

async function runChecksAgain(): Promise<Date> {
  now = new Date(now.getTime() + 2 * 3_600_000);
  while ((await runChecks(now)) > 0);
  return now;
}

/** The agent as the server sees it, which is notified of checks in this process a moment later. */
async function viewOf(slug: string, reader: Person = ada): Promise<AgentView> {
  return (await (await send(`${parley.url}/api/agents/${slug}`, { bearer: reader.accessToken })).json()) as AgentView;
}

function accept(slug: string, digest: string, person: Person = ada): Promise<Response> {
  return send(`${parley.url}/api/agents/${slug}/card/accept`, { body: { digest }, bearer: person.accessToken });
}

async function historyOf(slug: string): Promise<CardVersionView[]> {
  const response = await fetch(`${parley.url}/api/agents/${slug}/cards`);
  return ((await response.json()) as { items: CardVersionView[] }).items;
}

/** An agent below `/name`, and functions that change what it serves. */
async function listed(
  name: string,
  visibility?: string,
): Promise<{
  slug: string;
  base: string;
  serve: (change: object, key?: CardKey) => void;
  asked: () => number;
}> {
  const base = cards.base(name);
  const path = `/${name}/.well-known/agent-card.json`;
  const serve = (change: object, key?: CardKey): void => {
    const card = cardV10(base, { name, ...change });
    cards.serve(name, key ? signed(card, key) : card);
  };
  serve({});
  const asked = (): number => cards.requests.filter((request) => request === `GET ${path}`).length;
  return { slug: await register(base, visibility), base, serve, asked };
}

describe('a listed card', () => {
  test('is fetched conditionally, and a 304 updates only the fetch time', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const body = JSON.stringify(cardV10(cards.base('same'), { name: 'Same' }));
    const lastModified = 'Fri, 20 Nov 2026 10:00:00 GMT';
    cards.on('GET', '/same/.well-known/agent-card.json', ({ headers }, response) => {
      seen.push(headers);
      if (headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"v1"', 'last-modified': lastModified }).end(body);
    });
    const slug = await register(cards.base('same'));
    const before = await viewOf(slug);
    const at = await runChecksAgain();
    expect(seen.at(-1)).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': lastModified });
    const after = await viewOf(slug);
    expect(after.updatedAt).toBe(before.updatedAt);
    expect(after.card).toEqual({ checkedAt: at.toISOString(), failing: null, waiting: null });
  });

  test('replaces the previous card if it has changed', async () => {
    const { slug, serve } = await listed('changing');
    serve({ description: 'Now different.' });
    await runChecksAgain();
    await expect.poll(() => viewOf(slug)).toMatchObject({ description: 'Now different.', card: { waiting: null } });
    await expect
      .poll(async () => (await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`)).json())
      .toMatchObject({ description: 'Now different.' });
  });

  test('is fetched at most once an hour, and by one node only', async () => {
    const { asked } = await listed('hourly');
    const first = asked();
    const at = (minutes: number): Date => new Date(now.getTime() + 7_200_000 + minutes * 60_000);
    await Promise.all([runChecks(at(0)), runChecks(at(0)), runChecks(at(0))]);
    expect(asked()).toBe(first + 1);
    await runChecks(at(59));
    expect(asked()).toBe(first + 1);
    await runChecks(at(76));
    expect(asked()).toBe(first + 2);
    now = at(76);
  });

  test('is checked by the running server when it is due', async () => {
    const { slug, serve } = await listed('scheduled');
    serve({ description: 'Found by the schedule.' });
    await query(
      'test-due',
      `UPDATE card_refresh_state w SET next_check_at = now() FROM agent a WHERE a.id = w.agent_id AND a.slug = $1`,
      [slug],
    );
    const found = async (): Promise<boolean> => (await viewOf(slug)).description === 'Found by the schedule.';
    await waitFor(found, { timeout: 19_000, what: 'the server to fetch the card again' });
  });

  test('is kept if a fetch fails, with the reason and the time of the first failure', async () => {
    const { slug, serve } = await listed('away');
    cards.on('GET', '/away/.well-known/agent-card.json', (request) => request.socket.destroy());
    const since = (await runChecksAgain()).toISOString();
    await runChecksAgain();
    const view = await viewOf(slug);
    expect(view.card?.failing).toEqual({ since, reason: expect.stringContaining('closed the connection') });
    expect(view.card?.checkedAt).toBe(now.toISOString());
    expect(view).toMatchObject({ name: 'away', status: 'active' });
    serve({});
    await runChecksAgain();
    expect((await viewOf(slug)).card?.failing).toBeNull();
  });

  test('is kept if the new card is invalid, with the position of the error', async () => {
    const { slug } = await listed('broken');
    cards.serve('broken', '{"name": "broken",}');
    await runChecksAgain();
    expect(await viewOf(slug)).toMatchObject({
      name: 'broken',
      card: { failing: { reason: expect.stringContaining('Line 1') } },
    });
  });

  test('is no longer checked once the agent is withdrawn', async () => {
    const { slug, asked } = await listed('withdrawn');
    await send(`${parley.url}/api/agents/${slug}`, { method: 'DELETE', bearer: ada.accessToken });
    const before = asked();
    await runChecksAgain();
    expect(asked()).toBe(before);
  });
});

describe('a card that would send calls to another host', () => {
  const other = {
    supportedInterfaces: [{ url: `${otherHost}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  };

  test('waits for the owner to approve exactly that card', async () => {
    const { slug, serve } = await listed('moving');
    serve({ ...other, description: 'From elsewhere.' });
    await runChecksAgain();
    const view = await viewOf(slug);
    expect(view.description).not.toBe('From elsewhere.');
    expect(view.card?.waiting).toEqual({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      fetchedAt: now.toISOString(),
      reasons: [{ what: 'host', found: ['127.0.0.1:9'], expected: [new URL(cards.url).host] }],
    });
    expect(await viewOf(slug, bob)).not.toHaveProperty('card');
    const digest = view.card?.waiting?.digest ?? '';
    expect((await accept(slug, digest, bob)).status).toBe(404);
    expect((await accept(slug, '0'.repeat(64))).status).toBe(409);
    const accepted = await accept(slug, digest);
    expect(accepted.status).toBe(200);
    expect(await accepted.json()).toMatchObject({ description: 'From elsewhere.', card: { waiting: null } });
    expect((await viewOf(slug)).description).toBe('From elsewhere.');
    expect((await accept(slug, digest)).status).toBe(409);
    const upstream = await (await fetch(`${parley.url}/agents/${slug}/upstream-card.json`)).json();
    expect(upstream).toMatchObject(other);
  });

  test('waits while nothing changes, is replaced by a newer card, and is dropped if the old card returns', async () => {
    const { slug, serve } = await listed('undecided');
    serve({ ...other, description: 'First try.' });
    await runChecksAgain();
    const first = (await viewOf(slug)).card?.waiting?.digest;
    await runChecksAgain();
    expect((await viewOf(slug)).card?.waiting?.digest).toBe(first);
    serve({ ...other, description: 'Second try.' });
    await runChecksAgain();
    const second = (await viewOf(slug)).card?.waiting?.digest ?? '';
    expect(second).not.toBe(first);
    expect((await accept(slug, first ?? '')).status).toBe(409);
    serve({});
    await runChecksAgain();
    expect((await viewOf(slug)).card?.waiting).toBeNull();
  });

  test('is published when the agent’s owner registers the URL again and confirms', async () => {
    const { slug, base, serve } = await listed('registered');
    serve({ ...other, description: 'Registered again.' });
    await runChecksAgain();
    const body = { url: base, confirmOrigin: true };
    expect((await send(`${parley.url}/api/agents`, { body, bearer: ada.accessToken })).status).toBe(200);
    expect(await viewOf(slug)).toMatchObject({ description: 'Registered again.', card: { waiting: null } });
  });
});

describe('a card whose signing key has changed', () => {
  const [key, newKey] = [newCardKey('first'), newCardKey('second')];

  test('waits for the owner’s approval, while a card signed with the same key is published', async () => {
    serveKeys(cards, [key.jwk, newKey.jwk]);
    const name = 'keyed';
    cards.serve(name, signed(cardV10(cards.base(name), { name }), key));
    const slug = await register(cards.base(name));
    cards.serve(name, signed(cardV10(cards.base(name), { name, description: 'Same key.' }), key));
    await runChecksAgain();
    await expect.poll(() => viewOf(slug)).toMatchObject({ description: 'Same key.', card: { waiting: null } });
    cards.serve(name, signed(cardV10(cards.base(name), { name, description: 'New key.' }), newKey));
    await runChecksAgain();
    const view = await viewOf(slug);
    expect(view).toMatchObject({ description: 'Same key.', signature: { kid: 'first' } });
    expect(view.card?.waiting?.reasons).toMatchObject([{ what: 'key', found: { state: 'verified', kid: 'second' } }]);
    expect((await accept(slug, view.card?.waiting?.digest ?? '')).status).toBe(200);
    expect(await viewOf(slug)).toMatchObject({ description: 'New key.', signature: { kid: 'second' } });
  });

  test('also waits if the signature is missing or invalid', async () => {
    serveKeys(cards, [key.jwk]);
    const name = 'unsigned';
    cards.serve(name, signed(cardV10(cards.base(name), { name }), key));
    const slug = await register(cards.base(name));
    cards.serve(name, cardV10(cards.base(name), { name, description: 'Not signed.' }));
    await runChecksAgain();
    expect((await viewOf(slug)).card?.waiting?.reasons).toEqual([{ what: 'key', found: { state: 'unsigned' } }]);
    cards.serve(name, { ...signed(cardV10(cards.base(name), { name }), key), description: 'Altered.' });
    await runChecksAgain();
    expect((await viewOf(slug)).card?.waiting?.reasons).toEqual([
      { what: 'key', found: { state: 'unverified', reason: 'mismatch' } },
    ]);
  });

  test('is verified once keys that could not be fetched become available', async () => {
    serveKeys(cards, []);
    const name = 'later';
    cards.serve(name, signed(cardV10(cards.base(name), { name }), key));
    const slug = await register(cards.base(name));
    expect((await viewOf(slug)).signature).toEqual({ state: 'unverified', reason: 'key_unknown' });
    serveKeys(cards, [key.jwk]);
    await runChecksAgain();
    await expect.poll(() => viewOf(slug)).toMatchObject({ signature: { state: 'verified' } });
    expect((await viewOf(slug)).badges).toContain('signed');
  });
});

describe('a card’s history', () => {
  test('lists the changes in each version, truncated if there are many', async () => {
    const { slug, serve } = await listed('history');
    const skills = (word: string): object[] =>
      Array.from({ length: 60 }, (_, at) => {
        const description = `${'a'.repeat(3_000)} ${word}`;
        return { id: `skill-${at}`, name: 'Skill', description, tags: ['skill'] };
      });
    serve({ skills: skills('before') });
    await runChecksAgain();
    serve({ skills: skills('after') });
    await runChecksAgain();
    const [latest, ...older] = await historyOf(slug);
    expect([latest?.differences?.length, latest?.more]).toEqual([20, 40]);
    expect(latest?.differences?.[0]?.after).toContain(' after');
    expect(older.at(-1)).toMatchObject({ differences: null, more: 0 });
    expect(JSON.stringify([latest, ...older]).length).toBeLessThan(150_000);
  });

  test('begins when the agent becomes visible, and omits its private versions', async () => {
    const { slug, serve } = await listed('secretive', 'private');
    const setVisibility = async (visibility: string): Promise<void> => {
      const body = { visibility };
      const changed = await send(`${parley.url}/api/agents/${slug}`, {
        method: 'PATCH',
        body,
        bearer: ada.accessToken,
      });
      expect(changed.status).toBe(200);
    };
    serve({ description: 'An internal draft.' });
    await runChecksAgain();
    serve({ description: 'Ready for all.' });
    await runChecksAgain();
    await setVisibility('unlisted');
    expect(await historyOf(slug)).toMatchObject([{ differences: null }]);
    expect(JSON.stringify(await historyOf(slug))).not.toContain('internal draft');
    serve({ description: 'Said to all.' });
    await runChecksAgain();
    await setVisibility('public');
    expect(await historyOf(slug)).toHaveLength(1);
    serve({ description: 'Changed in public.' });
    await runChecksAgain();
    await setVisibility('unlisted');
    await setVisibility('public');
    expect(await historyOf(slug)).toHaveLength(2);
  });
});

describe('a card’s image', () => {
  const drawn = (background: string): Promise<Buffer> =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer();

  /** Serves an image and returns its address. */
  async function picture(color: string): Promise<string> {
    const bytes = await drawn(color);
    cards.on('GET', `/${color}.png`, (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
    });
    return `${cards.url}/${color}.png`;
  }

  /** The image's address at Parley once it is as expected; runs due checks meanwhile. */
  async function iconOf(slug: string, fits: (url: string | null) => boolean): Promise<string | null> {
    let iconUrl: string | null = null;
    const wanted = async (): Promise<boolean> => {
      await refreshIcons({ now: new Date(), signal: AbortSignal.timeout(15_000) });
      ({ iconUrl } = await viewOf(slug));
      return fits(iconUrl);
    };
    await waitFor(wanted, { timeout: 20_000, what: 'the picture' });
    return iconUrl;
  }

  test('is fetched once, fetched again for a new URL, and removed if the card no longer names one', async () => {
    const { slug, serve } = await listed('drawn');
    serve({ iconUrl: await picture('teal') });
    await runChecksAgain();
    const first = await iconOf(slug, (url) => url !== null);
    expect((await fetch(String(first))).headers.get('content-type')).toBe('image/webp');
    const fetched = cards.requests.filter((request) => request === 'GET /teal.png').length;
    await refreshIcons({ now: new Date(), signal: AbortSignal.timeout(15_000) });
    expect(cards.requests.filter((request) => request === 'GET /teal.png')).toHaveLength(fetched);
    expect(fetched).toBe(1);

    serve({ iconUrl: await picture('gold') });
    await runChecksAgain();
    expect(await iconOf(slug, (url) => url !== first)).not.toBeNull();
    serve({});
    await runChecksAgain();
    expect(await iconOf(slug, (url) => url === null)).toBeNull();
  });
});

test('a private agent’s image is shown only to its team, and is not cached', async () => {
  const { slug } = await listed('pictured', 'private');
  const values = [slug, 'a'.repeat(64), Buffer.from('picture')];
  // Parley may have cached the agent without its picture, for the response to the registration.
  await query(
    'test-icon',
    `WITH pictured AS (UPDATE agent SET icon_digest = $2 WHERE slug = $1 RETURNING id, slug), drawn AS (
       INSERT INTO agent_icon (agent_id, source, digest, bytes, next_check_at) SELECT id, '', $2::text, $3::bytea, timestamptz 'infinity' FROM pictured
       ON CONFLICT (agent_id) DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes)
     SELECT pg_notify('parley', '* agent ' || slug) FROM pictured`,
    values,
  );
  const address = `${parley.url}/agents/${slug}/icon?v=${'a'.repeat(16)}`;
  await waitFor(async () => (await send(address, { cookie: ada.cookie })).status === 200, { what: 'the picture' });
  expect((await send(address, { cookie: bob.cookie })).status).toBe(404);
  const hidden = await send(address, { cookie: ada.cookie });
  expect([hidden.status, hidden.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const body = { visibility: 'public' };
  await send(`${parley.url}/api/agents/${slug}`, { method: 'PATCH', body, bearer: ada.accessToken });
  expect((await fetch(address)).headers.get('cache-control')).toBe('public, max-age=604800');
});

describe('RS-3: a card whose only interface is an MCP server elsewhere', () => {
  test('is fetched as a card, and its host never receives the credential of the server', async () => {
    const base = cards.base('of-a-stranger');
    const interfaces = [{ url: `${cards.url}/server/mcp`, protocolBinding: 'MCP', protocolVersion: '1.0' }];
    const sent: (string | undefined)[] = [];
    const serve = (description: string): void =>
      cards.on('GET', '/of-a-stranger/.well-known/agent-card.json', ({ headers }, response) => {
        sent.push(headers.authorization);
        const card = { ...cardV10(base, { name: 'Of a stranger', description }), supportedInterfaces: interfaces };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
      });
    cards.on('POST', '/of-a-stranger', ({ headers }, response) => {
      sent.push(headers.authorization);
      response.writeHead(404).end();
    });
    serve('First.');
    const credential = { kind: 'bearer', token: 'secret-of-the-server' };
    const listing = await send(`${parley.url}/api/agents`, {
      body: { url: base, credential },
      bearer: ada.accessToken,
    });
    const { slug } = (await listing.json()) as { slug: string };
    serve('Second.');
    const refreshed = await send(`${parley.url}/api/agents/${slug}/refresh`, { body: {}, bearer: ada.accessToken });
    expect(await refreshed.json()).toMatchObject({ changed: true, diff: [{ member: 'description' }] });
    const at = await runChecksAgain();
    expect((await viewOf(slug)).card).toMatchObject({ checkedAt: at.toISOString(), failing: null });
    expect(cards.requests).not.toContain('POST /of-a-stranger');
    expect(new Set(sent)).toEqual(new Set([undefined]));
  });
});
