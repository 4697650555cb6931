import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSavedSearches } from '@/lib/discovery';
import type { CreatedSavedSearch, SavedSearchView } from '@/lib/discovery/schema-saved-searches';
import { env } from '@/lib/platform/runtime/env';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

/** The outbox of runs in this process is below it. */
const dataDir = mkdtempSync(join(tmpdir(), 'parley-searches-'));
let parley: SharedParley;
let cards: CardServer;
let owner: Person;

beforeAll(async () => {
  cards = await CardServer.start();
  parley = await sharedParley();
  Object.assign(env(), { APP_URL: parley.url, DATA_DIR: dataDir, EMBEDDINGS: 'off' });
  owner = await createPerson(url(), 'Olga');
});
afterAll(async () => {
  await cards?.stop();
  rmSync(dataDir, { recursive: true });
});

const url = (): string => parley.url;

/** `asked` is the method and the path. */
function as(person: Person | null, asked: string, body?: unknown): Promise<Response> {
  const [method, path] = asked.split(' ');
  return send(`${url()}${path}`, { method, body, cookie: person?.cookie, origin: url() });
}

async function save(person: Person, search: object): Promise<CreatedSavedSearch> {
  const response = await as(person, 'POST /api/saved-searches', search);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as CreatedSavedSearch;
}

async function own(person: Person): Promise<SavedSearchView[]> {
  return ((await (await as(person, 'GET /api/saved-searches')).json()) as { items: SavedSearchView[] }).items;
}

let listed = 0;
/** Lists an agent whose only skill is about `word`. */
async function list(word: string): Promise<string> {
  const path = `agent-${listed++}`;
  const skills = [{ id: 'a', name: word, description: `About ${word}.`, tags: [word] }];
  const card = cardV10(cards.base(path), { name: `${word} ${listed}`, description: 'An agent.', skills });
  return listAgent(url(), owner, { url: cards.serve(path, card) });
}

const timeOfRun = async (person: Person, id: string): Promise<string | null | undefined> =>
  (await own(person)).find((search) => search.id === id)?.checkedAt;

/** Runs the search as two nodes do that find it due at the same time. */
async function run(person: Person, id: string): Promise<void> {
  const before = await timeOfRun(person, id);
  // Later than now, so that the job of the server does not find it due.
  const [due, now] = [60_000, 120_000].map((ms) => new Date(Date.now() + ms));
  await query('test-search-due', 'UPDATE saved_search SET due_at = $2 WHERE id = $1', [id, due]);
  const runs = await Promise.all([runSavedSearches(now as Date), runSavedSearches(now as Date)]);
  expect(runs.reduce((sum, searches) => sum + searches)).toBeGreaterThan(0);
  expect(await timeOfRun(person, id)).not.toBe(before);
}

/** The mails to a person in the outboxes of the server and of this process. */
function mailsTo({ email }: Person, folders = [parley.dataDir, dataDir]): string[] {
  return folders.flatMap((folder) => {
    const outbox = join(folder, 'outbox');
    return namesIn(outbox)
      .map((file) => readFileSync(join(outbox, file), 'utf8'))
      .filter((text) => text.includes(`To: ${email}\r\n`) && text.includes('saved search'));
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function aDayPasses(id: string): Promise<void> {
  await query('test-search-mailed', `UPDATE saved_search SET mailed_at = now() - interval '25 hours' WHERE id = $1`, [
    id,
  ]);
}

describe('saved searches', () => {
  test('are stored with a query, filters and notification settings, and can be changed and deleted', async () => {
    const ada = await createPerson(url(), 'Ada');
    const { id, feedUrl } = await save(ada, {
      name: ' Free  looms ',
      query: { q: 'loom', price: 'free', tag: ['yarn'] },
    });
    expect(feedUrl).toBeNull();
    expect(await own(ada)).toMatchObject([
      {
        id,
        name: 'Free looms',
        query: { q: 'loom', price: 'free', tag: ['yarn'], capability: [] },
        mail: false,
        feed: false,
      },
    ]);
    const changed = await as(ada, `PATCH /api/saved-searches/${id}`, {
      name: 'Looms',
      query: { q: 'big loom' },
      mail: true,
    });
    expect(await changed.json()).toMatchObject({ name: 'Looms', query: { q: 'big loom', tag: [] }, mail: true });
    expect((await as(ada, `DELETE /api/saved-searches/${id}`)).status).toBe(204);
    expect(await own(ada)).toEqual([]);
  });

  test.each([
    ['no name', { name: ' ', query: { q: 'loom' } }, '/name'],
    ['a name of 81 characters', { name: 'x'.repeat(81), query: { q: 'loom' } }, '/name'],
    ['neither a query nor filters', { name: 'All', query: {} }, '/query'],
    ['an unknown filter', { name: 'All', query: { q: 'loom', color: 'red' } }, '/query'],
    ['a value that no filter has', { name: 'All', query: { price: 'cheap' } }, '/query/price'],
  ])('are rejected with %s', async (_, search, pointer) => {
    const response = await as(owner, 'POST /api/saved-searches', search);
    expect(response.status).toBe(400);
    expect((await response.json()).faults[0].pointer).toBe(pointer);
  });

  test('AUZ: are unknown to other users for every operation, and require a session', async () => {
    const [ada, bob] = [await createPerson(url(), 'Ada'), await createPerson(url(), 'Bob')];
    const { id } = await save(ada, { name: 'Mine', query: { q: 'loom' } });
    const asked: [string, object?][] = [
      [`PATCH /api/saved-searches/${id}`, { name: 'Taken' }],
      [`POST /api/saved-searches/${id}/feed`],
      [`DELETE /api/saved-searches/${id}/feed`],
      [`DELETE /api/saved-searches/${id}`],
    ];
    for (const [what, body] of asked) {
      expect([what, (await as(bob, what, body)).status]).toEqual([what, 404]);
      expect([what, (await as(null, what, body)).status]).toEqual([what, 401]);
    }
    expect(await own(bob)).toEqual([]);
    expect(await own(ada)).toMatchObject([{ id, name: 'Mine' }]);
    const byToken = await send(`${url()}/api/saved-searches`, { bearer: ada.accessToken });
    expect(byToken.status).toBe(403);
  });

  test('are limited to 20 per user, even for concurrent requests', async () => {
    const ada = await createPerson(url(), 'Ada');
    const saved = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        as(ada, 'POST /api/saved-searches', { name: `${at}`, query: { q: `q${at}` } }),
      ),
    );
    const statuses = saved.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(409)]);
    expect(await own(ada)).toHaveLength(20);
  });
});

describe('a saved search’s feed', () => {
  test('is available only at its latest URL, without other credentials', async () => {
    const slug = await list('tapestry');
    const ada = await createPerson(url(), 'Ada');
    const { id, feedUrl } = await save(ada, { name: 'Woven <things>', query: { q: 'tapestry' }, feed: true });
    await run(ada, id);
    const read = async (address: string | null): Promise<Response> => fetch(address ?? '');
    const feed = await read(feedUrl);
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(feed.headers.get('cache-control')).toBe('private, no-store');
    const text = await feed.text();
    expect(text).toContain('<title>Woven &#60;things&#62;</title>');
    expect(text).toContain(`<link href="${url()}/agents/${slug}"/>`);
    const stored = await query<{ hash: string }>(
      'test-feed-hash',
      'SELECT feed_token_hash AS hash FROM saved_search WHERE id = $1',
      [id],
    );
    expect(feedUrl).not.toContain(stored[0]?.hash);

    const renewed = (await (await as(ada, `POST /api/saved-searches/${id}/feed`)).json()) as { feedUrl: string };
    expect((await read(feedUrl)).status).toBe(404);
    expect((await read(`${renewed.feedUrl}x`)).status).toBe(404);
    expect((await read(renewed.feedUrl)).status).toBe(200);
    await as(ada, `DELETE /api/saved-searches/${id}/feed`);
    expect((await read(renewed.feedUrl)).status).toBe(404);
    expect(await own(ada)).toMatchObject([{ feed: false }]);
  });

  test('omits agents that are withdrawn or no longer public', async () => {
    const [first, second] = [await list('macrame'), await list('macrame')];
    const ada = await createPerson(url(), 'Ada');
    const { id, feedUrl } = await save(ada, { name: 'Knots', query: { q: 'macrame' }, feed: true });
    await run(ada, id);
    await send(`${url()}/api/agents/${first}`, {
      method: 'PATCH',
      body: { visibility: 'private' },
      bearer: owner.accessToken,
    });
    const text = await (await fetch(feedUrl ?? '')).text();
    expect([text.includes(`/agents/${first}"`), text.includes(`/agents/${second}"`)]).toEqual([false, true]);
  });
});

describe('emails about a saved search', () => {
  test('contain each agent listed after the first run once, and are sent at most daily', async () => {
    await list('embroidery');
    const ada = await createPerson(url(), 'Ada');
    const { id } = await save(ada, { name: 'Stitches', query: { q: 'embroidery' }, mail: true });
    await run(ada, id);
    expect(mailsTo(ada)).toEqual([]);

    const second = await list('embroidery');
    await run(ada, id);
    expect(mailsTo(ada)).toHaveLength(1);
    expect(mailsTo(ada)[0]).toContain(`/agents/${second}\r\n`);
    expect(mailsTo(ada)[0]).toContain(`/agents?q=embroidery\r\n`);
    expect(mailsTo(ada)[0]).toContain('1 new agent for your saved search');

    const third = await list('embroidery');
    await run(ada, id);
    expect(mailsTo(ada)).toHaveLength(1);
    await aDayPasses(id);
    await run(ada, id);
    expect(mailsTo(ada)).toHaveLength(2);
    const latest = mailsTo(ada).find((text) => text.includes(`/agents/${third}\r\n`));
    expect(latest).not.toContain(`/agents/${second}\r\n`);
    await aDayPasses(id);
    await run(ada, id);
    expect(mailsTo(ada)).toHaveLength(2);
  });

  test('are sent by the running server when the search is due', async () => {
    await list('quilting');
    const ada = await createPerson(url(), 'Ada');
    const { id } = await save(ada, { name: 'Quilts', query: { q: 'quilting' }, mail: true });
    await run(ada, id);
    await list('quilting');
    await query('test-search-due-now', 'UPDATE saved_search SET due_at = now() WHERE id = $1', [id]);
    await waitFor(() => mailsTo(ada, [parley.dataDir]).length > 0, { what: 'the mail' });
  });

  test('can be stopped with one click, without a sign-in (RFC 8058)', async () => {
    const ada = await createPerson(url(), 'Ada');
    const { id } = await save(ada, { name: 'Felt', query: { q: 'felting' }, mail: true });
    await run(ada, id);
    await list('felting');
    await run(ada, id);
    const [mail = ''] = mailsTo(ada);
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const link = /^List-Unsubscribe: <(.+)>\r$/m.exec(mail)?.[1] ?? '';
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(link, { method: 'POST', body })).ok).toBe(true);
    await list('felting');
    await aDayPasses(id);
    await run(ada, id);
    expect(mailsTo(ada)).toHaveLength(1);
  });

  test('are sent to verified email addresses only, and omit weak matches', async () => {
    const [ada, bob] = [await createPerson(url(), 'Ada'), await createPerson(url(), 'Bob')];
    const searches = await Promise.all(
      [ada, bob].map((person) => save(person, { name: 'Lace', query: { q: 'lacemaking' }, mail: true })),
    );
    await query('test-unverified', 'UPDATE "user" SET email_verified = NULL WHERE id = $1', [bob.userId]);
    for (const [at, person] of [ada, bob].entries()) await run(person, searches[at]?.id ?? '');
    await list('zzyzx');
    for (const [at, person] of [ada, bob].entries()) await run(person, searches[at]?.id ?? '');
    expect([mailsTo(ada), mailsTo(bob)]).toEqual([[], []]);
    await list('lacemaking');
    for (const [at, person] of [ada, bob].entries()) await run(person, searches[at]?.id ?? '');
    expect([mailsTo(ada).length, mailsTo(bob).length]).toEqual([1, 0]);
  });
});
