import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchPage } from '@/lib/discovery/schema';
import { builtInEmbedder, stopBuiltIn, WorkerThread } from '@/lib/embeddings/built-in/built-in-embedder';
import { useTestDatabase } from '../support/database';
import { createPerson, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { seedAgents } from '../support/seed-agents';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

useTestDatabase();

const agents = [
  {
    name: 'Table Taker',
    description: 'Books a table for dinner at restaurants nearby.',
    skills: [{ id: 'book', name: 'Reservations', description: 'Reserves a table for a party of any size' }],
  },
  {
    name: 'Sheet Shaper',
    description: 'Explains and repairs Excel workbooks.',
    skills: [
      { id: 'formulas', name: 'Formula help', description: 'Explains what a formula computes' },
      { id: 'cleanup', name: 'Cleaning of tables', description: 'Removes duplicate rows' },
    ],
  },
  {
    name: 'Sky Caster',
    description: 'Forecasts rain, wind and temperature for any place.',
    skills: [{ id: 'forecast', name: 'Forecast', description: 'The weather of the next ten days' }],
  },
];

let parley: Parley;

beforeAll(async () => {
  await seedAgents(agents);
  parley = await startParley({ env: { EMBEDDINGS: 'on' } });
  await waitFor(async () => (await search('anything')).semantic === 'on', { timeout: 120_000, what: 'vectors' });
}, 180_000);

afterAll(async () => {
  await parley?.stop();
  stopBuiltIn();
});

async function search(q: string, rest = ''): Promise<SearchPage> {
  const response = await fetch(`${parley.url}/api/agents?q=${encodeURIComponent(q)}${rest}`);
  expect(response.status, q).toBe(200);
  return (await response.json()) as SearchPage;
}

const namesOf = ({ items }: SearchPage): string[] => items.map(({ name }) => name);

describe('a search', () => {
  test('finds an agent by a paraphrase of its function, and names the skill and how well it matches', async () => {
    const page = await search('understand my spreadsheet');
    expect(page).toMatchObject({ semantic: 'on', isWeak: false });
    expect(page.items[0]).toMatchObject({ name: 'Sheet Shaper', matchedSkill: 'Formula help' });
    const { score, semantic, words } = page.items[0]?.match ?? { score: 0, semantic: null, words: 1 };
    expect(words).toBe(0);
    expect(semantic).toBeGreaterThan(0.3);
    expect(score).toBeGreaterThanOrEqual(semantic ?? 1);
    expect(page.items[0]?.fit).not.toBe('closest');
  });

  test('finds agents that meet a need, not only agents with a matching name', async () => {
    expect(namesOf(await search('hungry'))[0]).toBe('Table Taker');
    expect(namesOf(await search('something to eat'))[0]).toBe('Table Taker');
    expect(namesOf(await search('do I need an umbrella tomorrow'))[0]).toBe('Sky Caster');
  });

  test('ranks the agent with the exact name above better matches by meaning', async () => {
    await seedAgents([{ name: 'Umbrella', description: 'Keeps passwords.' }]);
    const page = await search('umbrella');
    expect(page.items[0]).toMatchObject({ name: 'Umbrella', fit: 'fits', matchedSkill: null });
  });

  test('corrects the spelling before it compares', async () => {
    expect(namesOf(await search('tabel resrvation for diner'))[0]).toBe('Table Taker');
  });

  test('finds the same agent in another language', async () => {
    expect(namesOf(await search('einen Tisch im Restaurant reservieren'))[0]).toBe('Table Taker');
    expect(namesOf(await search('天气预报'))[0]).toBe('Sky Caster');
  });

  test('reports that nothing fits, and shows the closest agents without a matching skill', async () => {
    const page = await search('replace the gearbox of a tractor');
    expect(page.isWeak).toBe(true);
    expect(page.items.length).toBeGreaterThan(0);
    for (const item of page.items) expect(item).toMatchObject({ fit: 'closest', matchedSkill: null });
  });

  test('returns at least one agent if any agent passes its filters', async () => {
    expect((await search('🙂')).items.length).toBeGreaterThan(0);
    expect((await search('zzzzqqqq xyxyx')).items.length).toBeGreaterThan(0);
    expect((await search('hungry', '&tag=nothing-has-this')).items).toEqual([]);
  });

  test('compares only words until a third word is typed', async () => {
    expect(await search('hung', '&typing=1')).toMatchObject({ semantic: 'skipped' });
    expect(await search('something to eat tonight', '&typing=1')).toMatchObject({ semantic: 'on' });
  });

  test('matches only words if results are not ordered by relevance', async () => {
    expect(await search('hungry', '&sort=name')).toMatchObject({ semantic: 'skipped' });
  });

  test('returns pages in a stable order, without repeating an agent', async () => {
    const first = await search('table', '&limit=2');
    const second = await search('table', `&limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    const all = await search('table', '&limit=4');
    expect([...namesOf(first), ...namesOf(second)]).toEqual(namesOf(all));
  });

  test('finds an agent that was just listed', async () => {
    const agent = { name: 'Paw Pal', description: 'Walks dogs and feeds cats while their owners travel.' };
    await seedAgents([agent]);
    await waitFor(async () => namesOf(await search('someone to look after my pet'))[0] === agent.name, {
      what: 'the agent to be found by meaning',
    });
  });

  test('does not find a withdrawn agent, whose vectors are deleted', async () => {
    const person = await createPerson(parley.url);
    const [slug = ''] = await seedAgents([
      { name: 'Song Smith', description: 'Writes lyrics for songs.', ownerId: person.userId },
    ]);
    await waitFor(async () => namesOf(await search('words to sing'))[0] === 'Song Smith', { what: 'vectors' });
    const withdrawn = await send(`${parley.url}/api/agents/${slug}`, { method: 'DELETE', bearer: person.accessToken });
    expect(withdrawn.status).toBeLessThan(300);
    expect(namesOf(await search('words to sing'))).not.toContain('Song Smith');
    const left = `SELECT e.part FROM agent_embedding e JOIN agent a ON a.id = e.agent_id WHERE a.slug = $1`;
    expect(await query('test-vectors', left, [slug])).toEqual([]);
  });

  test('shows its mode in the status and in the readiness response', async () => {
    const status = await (await fetch(`${parley.url}/api/status`)).json();
    expect(status).toMatchObject({ search: { mode: 'meaning', model: 'use-lite-512/r1', reason: null } });
    expect(await (await fetch(`${parley.url}/readyz`)).json()).toMatchObject({ search: { mode: 'meaning' } });
    const words = await startParley({ env: { APP_URL: parley.url } });
    expect(await (await fetch(`${words.url}/readyz`)).json()).toMatchObject({
      search: { mode: 'words', reason: 'off' },
    });
    await words.stop();
  });
});

describe('the built-in model’s thread', () => {
  test('restarts after it ends during a request, which fails immediately', async () => {
    const thread = new WorkerThread();
    await thread.embed(['first'], 'documents');
    const running = thread.embed(['a text', 'another text'], 'documents');
    thread.stop();
    await expect(running).rejects.toMatchObject({ reason: 'unavailable' });
    const [vector] = await thread.embed(['and again'], 'documents');
    expect(vector).toHaveLength(512);
    thread.stop();
  });

  test('accepts a bounded number of requests', async () => {
    const thread = new WorkerThread();
    const requests = Array.from({ length: 80 }, () => thread.embed(['text'], 'documents'));
    const outcomes = await Promise.allSettled(requests);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ reason: 'overloaded' });
    thread.stop();
  });

  test.each(['🙂', '日本語', '١٢٣', '\u200b', '  '])(
    'returns no vector for %j, which it does not support',
    async (text) => {
      await expect(waitFor(() => outcomeOf(text), { what: 'an answer' })).resolves.toBe('none');
    },
  );

  async function outcomeOf(text: string): Promise<string> {
    try {
      return (await builtInEmbedder.embedQuery(text)) ? 'vector' : 'none';
    } catch {
      return '';
    }
  }
});

test('a search returns a response for each of hundreds of random texts in many scripts', async () => {
  const scripts = [
    [0x61, 0x7a],
    [0xe0, 0xff],
    [0x400, 0x4ff],
    [0x5d0, 0x5ea],
    [0x620, 0x64a],
    [0x905, 0x939],
    [0x3041, 0x3096],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0x1f300, 0x1f64f],
    [0x20, 0x40],
    [0x0, 0x1f],
  ] as const;
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const textOf = (): string =>
    Array.from({ length: 1 + random(12) }, () => {
      const [from, to] = scripts[random(scripts.length)] ?? [0x61, 0x7a];
      return String.fromCodePoint(from + random(to - from + 1)) + (random(4) === 0 ? ' ' : '');
    }).join('');
  for (let turn = 0; turn < 60; turn++) {
    const texts = Array.from({ length: 5 }, textOf);
    await Promise.all(texts.map((text) => searchAny(text)));
  }
});

/** NUL and control characters may be refused, but nothing fails. */
async function searchAny(text: string): Promise<void> {
  const response = await fetch(`${parley.url}/api/agents?q=${encodeURIComponent(text)}`);
  await response.arrayBuffer();
  expect([200, 400], JSON.stringify(text)).toContain(response.status);
}
