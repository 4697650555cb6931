import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentSummary } from '@/lib/catalog/schema';
import type { SearchPage } from '@/lib/discovery/schema';
import { type Parley, startParley } from '../support/parley';
import { seedAgents } from '../support/seed-agents';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

type Page = Omit<SearchPage, 'items'> & { items: AgentSummary[] };

let parley: Parley;

const languages = ['French', 'German', 'Finnish', 'Czech', 'Dutch', 'Greek'];
const trades = ['invoices', 'weather', 'contracts', 'recipes', 'tickets'];

beforeAll(async () => {
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  await seedAgents([
    ...Array.from({ length: 300 }, (_, index) => ({
      name: `${languages[index % 6]} ${trades[index % 5]} helper ${index}`,
      description: `Handles ${trades[index % 5]} for ${languages[index % 6]} companies.`,
      tags: [trades[index % 5] ?? '', index % 2 ? 'odd' : 'even'],
      streaming: index % 3 === 0,
    })),
    {
      name: 'Polyglot',
      description: 'Works with many languages.',
      tags: ['language'],
      skills: [
        {
          id: 't',
          name: 'Translate documents',
          description: 'Translates letters and reports.',
          examples: ['Translate this PDF'],
        },
      ],
    },
    {
      name: 'Pizzeria Napoli',
      description: 'Takes your order and delivers it.',
      tags: ['food'],
      skills: [
        {
          id: 'o',
          name: 'Order a pizza',
          description: 'Asks for size and address.',
          examples: ['A large margherita, please'],
        },
      ],
      payments: true,
    },
    { name: '契約書翻訳エージェント', description: '日本語と英語の契約書を翻訳します。', tags: ['法律'] },
    { name: '번역 도우미', description: '한국어 문서를 영어로 번역합니다.', tags: [] },
    { name: 'مساعد السفر', description: 'يَحجِز الفنادق والرحلات الجوية.', tags: ['سفر'] },
    { name: 'Бухгалтер', description: 'Считает налоги и готовит отчёты.', tags: ['налоги'] },
    { name: 'ผู้ช่วยแปลภาษา', description: 'แปลเอกสารเป็นภาษาไทย', tags: [] },
    { name: 'Crème Pâtissière', description: 'Pâtisserie à la française.', tags: ['café'] },
    { name: 'Zeta', description: 'First of its name.', tags: ['sorting'] },
    { name: 'Zeta tools', description: 'Begins with the name.', tags: ['sorting'] },
    { name: 'The Zeta', description: 'Has it in the name.', tags: ['sorting'] },
    {
      name: 'Sigma',
      description: 'Has it in a skill.',
      tags: ['sorting'],
      skills: [{ id: 'z', name: 'Run zeta', description: 'Runs.' }],
    },
    { name: 'Tau', description: 'Mentions zeta in its description.', tags: ['sorting'] },
  ]);
  // Until then an agent's best rank changes between two pages.
  const unranked = 'SELECT FROM agent_search WHERE NOT is_ranked';
  await waitFor(async () => (await query('test-unranked', unranked)).length === 0, {
    what: 'every agent to be ranked',
  });
});

afterAll(async () => {
  await parley?.stop();
});

async function search(query: Record<string, string | string[] | number>): Promise<Page> {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) params.append(name, String(one));
  const response = await fetch(`${parley.url}/api/agents?${params}`);
  const body = await response.json();
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body as Page;
}

const names = ({ items }: Page): string[] => items.map(({ name }) => name);
const top = async (q: string, count = 3): Promise<string[]> => names(await search({ q, limit: count }));

/** Follows the cursor to the end. */
async function everything(query: Record<string, string | number>): Promise<{ pages: Page[]; slugs: string[] }> {
  const pages = [await search(query)];
  for (let last = pages.at(-1); last?.nextCursor; last = pages.at(-1))
    pages.push(await search({ ...query, cursor: last.nextCursor }));
  return { pages, slugs: pages.flatMap(({ items }) => items.map(({ slug }) => slug)) };
}

describe('a search', () => {
  test.each([
    ['pizza', 'Pizzeria Napoli'],
    ['PIZZA order', 'Pizzeria Napoli'],
    ['margherita', 'Pizzeria Napoli'],
    ['food', 'Pizzeria Napoli'],
    ['translate', 'Polyglot'],
    ['transl', 'Polyglot'],
    ['polyglot', 'Polyglot'],
    ['creme patissiere', 'Crème Pâtissière'],
    ['CRÈME', 'Crème Pâtissière'],
    ['cafe', 'Crème Pâtissière'],
  ])('for "%s" finds %s by name, skill, example or tag, ignoring case and accents', async (q, name) => {
    expect(await top(q)).toContain(name);
  });

  test.each([
    ['翻訳', '契約書翻訳エージェント'],
    ['契', '契約書翻訳エージェント'],
    ['契約書', '契約書翻訳エージェント'],
    ['英語の契約', '契約書翻訳エージェント'],
    ['번역', '번역 도우미'],
    ['문서', '번역 도우미'],
    ['الفنادق', 'مساعد السفر'],
    ['يحجز', 'مساعد السفر'],
    ['سفر', 'مساعد السفر'],
    ['налоги', 'Бухгалтер'],
    ['отчеты', 'Бухгалтер'],
    ['ภาษา', 'ผู้ช่วยแปลภาษา'],
    ['แปล', 'ผู้ช่วยแปลภาษา'],
  ])('for "%s" finds %s in any script', async (q, name) => {
    expect((await top(q))[0]).toBe(name);
  });

  test.each([
    ['trnslate', 'Polyglot'],
    ['tranlsate dokuments', 'Polyglot'],
    ['translating', 'Polyglot'],
    ['piza', 'Pizzeria Napoli'],
    ['pizeria', 'Pizzeria Napoli'],
    ['margarita', 'Pizzeria Napoli'],
    ['poliglot', 'Polyglot'],
    ['бухгалтр', 'Бухгалтер'],
  ])('misspelled as "%s" finds %s among the first three', async (q, name) => {
    expect(await top(q)).toContain(name);
  });

  test.each([
    ['something that can order a pizza for me', 'Pizzeria Napoli'],
    ['I need help translating my letters', 'Polyglot'],
    ['wer kann mir eine Pizza liefern', 'Pizzeria Napoli'],
    ['je voudrais commander une pizza', 'Pizzeria Napoli'],
    ['hungry, please send a large margherita quickly', 'Pizzeria Napoli'],
  ])('in plain language for "%s" finds %s among the first three', async (q, name) => {
    expect(await top(q)).toContain(name);
  });

  test('returns the best agents, marked as not matching, if there is no match', async () => {
    const found = await search({ q: 'xyzzyqwv' });
    expect(found).toMatchObject({ nextCursor: null, isWeak: true, total: found.items.length });
    expect(found.items.length).toBeGreaterThan(0);
    for (const item of found.items) expect(item).toMatchObject({ fit: 'closest', matchedSkill: null });
  });

  test('does not say how well agents fit if there is no query', async () => {
    for (const item of (await search({})).items) expect(item).toMatchObject({ fit: null, match: null });
  });

  test.each([
    // Its name; a word of a skill; a word of a description alone; some of the words.
    { q: 'Pizzeria Napoli', name: 'Pizzeria Napoli', fit: 'fits' },
    { q: 'translate', name: 'Polyglot', fit: 'fits' },
    { q: 'mentions', name: 'Tau', fit: 'might_fit' },
    { q: 'weekly zeta', name: 'Zeta', fit: 'might_fit' },
  ])('with a query says how well each agent fits: $q', async ({ q, name, fit }) => {
    const found = await search({ q });
    expect(found.items.find((item) => item.name === name)).toMatchObject({ fit });
    expect(found.isWeak).toBe(false);
  });

  test('returns an empty page if no agent passes its filters', async () => {
    expect(await search({ q: 'xyzzyqwv', tag: 'nothing-has-this' })).toMatchObject({
      items: [],
      nextCursor: null,
      total: 0,
      isWeak: false,
    });
  });
});

describe('the order of results', () => {
  test('by relevance begins with the exact name, then its beginning, then names, skills and descriptions', async () => {
    expect(names(await search({ q: 'zeta' }))).toEqual(['Zeta', 'Zeta tools', 'The Zeta', 'Sigma', 'Tau']);
  });

  test('follows the time without a query, or the name with a query, as requested', async () => {
    const newest = await everything({ sort: 'newest', limit: 100 });
    expect(newest.slugs[0]).toBe('tau');
    expect(newest.slugs).toHaveLength(313);
    const byName = names(await search({ sort: 'name', q: 'invoices', limit: 100 }));
    expect(byName).toEqual([...byName].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    expect(byName).toHaveLength(60);
    expect(names(await search({ sort: 'newest', limit: 2 }))).toEqual(['Tau', 'Sigma']);
  });
});

describe('the pages of results', () => {
  test.each([
    { sort: 'relevance', q: 'helper' },
    { sort: 'relevance', q: '' },
    { sort: 'newest', q: 'helper' },
    { sort: 'name', q: '' },
    { sort: 'name', q: 'helper weathr' },
    { sort: 'relevance', q: 'helper weathr' },
  ])('contain every match once, in any order: %o', async ({ sort, q }) => {
    const { pages, slugs } = await everything({ sort, q, limit: 17 });
    const total = pages[0]?.total ?? 0;
    expect(total).toBeGreaterThan(50);
    expect(slugs).toHaveLength(total);
    expect(new Set(slugs).size).toBe(total);
    expect(pages.every((page) => page.total === total)).toBe(true);
    expect(pages.slice(0, -1).every(({ items }) => items.length === 17)).toBe(true);
  });

  test('accept only a cursor from the same search', async () => {
    const { nextCursor } = await search({ q: 'helper', limit: 5 });
    const forged = Buffer.from(JSON.stringify([1, 2])).toString('base64url');
    const others: Record<string, string>[] = [
      { q: 'other', cursor: nextCursor ?? '' },
      { q: 'helper', sort: 'name', cursor: nextCursor ?? '' },
      { q: 'helper', tag: 'odd', cursor: nextCursor ?? '' },
      ...['x', '%00', forged, "' OR 1=1 --", 'a'.repeat(4001)].map((cursor) => ({ q: 'helper', cursor })),
    ];
    for (const query of others) {
      const response = await fetch(`${parley.url}/api/agents?${new URLSearchParams(query)}`);
      expect([response.status, ((await response.json()) as { faults: unknown }).faults]).toMatchObject([
        400,
        [{ pointer: '/cursor' }],
      ]);
    }
    expect((await search({ q: 'helper', limit: 9, cursor: nextCursor ?? '' })).items).toHaveLength(9);
  });
});

describe('search filters and facets', () => {
  test('require all of the selected tags and capabilities', async () => {
    const page = await search({ tag: ['invoices', 'ODD'], capability: 'streaming', limit: 100 });
    expect(page.total).toBe(10);
    for (const { tags, badges } of page.items) {
      expect(tags).toEqual(expect.arrayContaining(['invoices', 'odd']));
      expect(badges).toContain('streaming');
    }
  });

  const searches: Record<string, string>[] = [
    {},
    { q: 'invoices' },
    { q: 'zeta' },
    { q: 'invoces' },
    { tag: 'odd' },
    { q: 'helper', capability: 'streaming' },
  ];

  test.each(searches)('count each facet’s results: %o', async (query) => {
    const { facets } = await search(query);
    expect(facets.tags.length).toBeGreaterThan(0);
    for (const { value, count } of facets.tags) {
      const { total } = await search({ ...query, tag: [query.tag ?? value, value] });
      expect([value, total]).toEqual([value, count]);
    }
    for (const { value, count } of facets.capabilities) {
      const { total } = await search({ ...query, capability: [query.capability ?? value, value] });
      expect([value, total]).toEqual([value, count]);
    }
  });

  test('include the payments badge as a filter', async () => {
    expect(names(await search({ capability: 'payments' }))).toEqual(['Pizzeria Napoli']);
  });
});

describe('LIM-7: a search for a hostile query', () => {
  const patterns = [
    '(',
    ')',
    'a|',
    "'",
    '%',
    '_',
    '\\',
    ':*',
    '!',
    '<->',
    '&',
    '\0',
    '\u202e',
    '🍕',
    '"',
    'a ',
    '翻',
    '*',
    '-',
  ];

  test.each(patterns)('returns fast for 200 characters of %j', async (pattern) => {
    const q = pattern.repeat(Math.floor(200 / pattern.length));
    const started = performance.now();
    const response = await fetch(`${parley.url}/api/agents?q=${encodeURIComponent(q.toWellFormed())}`);
    // An address with U+0000 is refused everywhere.
    expect(response.status).toBe(pattern === '\0' ? 400 : 200);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test.each(patterns)('rejects 100 KB of %j immediately', async (pattern) => {
    const started = performance.now();
    const response = await fetch(
      `${parley.url}/api/agents?q=${encodeURIComponent(pattern.repeat(100_000 / pattern.length).toWellFormed())}`,
    );
    expect([400, 414, 431]).toContain(response.status);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  const outside: Record<string, string>[] = [
    { q: 'x'.repeat(513) },
    { limit: '0' },
    { limit: '101' },
    { limit: 'many' },
    { sort: 'luckiest' },
    { health: 'fine' },
    { price: '5' },
    { rating: '5' },
    { updated: '8' },
    { capability: 'magic' },
    { tag: 'x'.repeat(41) },
  ];

  test.each(outside)('rejects an out-of-range value and names its parameter: %o', async (query) => {
    const response = await fetch(`${parley.url}/api/agents?${new URLSearchParams(query)}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { faults: { pointer: string }[] }).faults[0]?.pointer).toMatch(
      `/${Object.keys(query)[0]}`,
    );
  });

  test('never parses a query as SQL', async () => {
    const { total } = await search({});
    for (const q of ["') OR 1=1 --", "'; DROP TABLE agent_search; --", "zeta' | 'a", 'zeta:*A', 'to_tsquery'])
      await search({ q });
    expect((await search({})).total).toBe(total);
  });
});
