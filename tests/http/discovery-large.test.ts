import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchAgents } from '@/lib/discovery';
import { type SearchQuery, searchQuerySchema } from '@/lib/discovery/schema';
import type { Ctx } from '@/lib/platform/context';
import { closePool } from '@/lib/platform/db/sql';
import { fileDatabase } from '../support/database';
import { seedAgents } from '../support/seed-agents';

const many = 2_500;

const ctx: Ctx = {
  actor: { kind: 'anonymous' },
  requestId: 'req_test',
  signal: new AbortController().signal,
  now: new Date(),
};
const search = (query: Partial<SearchQuery>): ReturnType<typeof searchAgents> =>
  searchAgents({ ctx, input: searchQuerySchema.parse(query) });

beforeAll(async () => {
  const { url } = await fileDatabase();
  await seedAgents([
    { name: 'Crowd', description: 'One of a crowd.', tags: ['crowd'] },
    {
      name: 'Polyglot',
      description: 'Works with many languages.',
      skills: [
        { id: 'a', name: 'Count words', description: 'Counts.' },
        { id: 'b', name: 'Translate documents', description: 'Translates letters.' },
      ],
    },
  ]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    INSERT INTO agent SELECT 'agt_' || n, 'crowd-' || n, owner_id, app_id, url || '/' || n, 'Crowd ' || n, description, version,
      tags, badges, visibility, status, ever_public, current_version_id, created_at - n * interval '1 second', updated_at
    FROM agent, generate_series(1, ${many}) n WHERE slug = 'crowd'`);
  await client.query(`
    INSERT INTO agent_search SELECT a.id, lower(a.name), s.document, s.skill_names, s.skill_words, s.tags, s.badges, a.created_at
    FROM agent a, agent_search s JOIN agent first ON first.id = s.agent_id
    WHERE first.slug = 'crowd' AND a.slug LIKE 'crowd-%'`);
  await client.query('ANALYZE agent_search');
  await client.end();
});

afterAll(closePool);

async function everything(query: Partial<SearchQuery>): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ ...query, limit: 100, cursor });
    slugs.push(...page.items.map(({ slug }) => slug));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return slugs;
}

describe('a search with more matches than are counted', () => {
  test.each<Partial<SearchQuery>>([
    {},
    { q: 'crowd' },
    { q: 'crowd', sort: 'name' },
    { tag: ['crowd'], sort: 'newest' },
  ])('has a capped total of 1,000: %o', async (query) => {
    expect(await search(query)).toMatchObject({ total: 1_000, totalIsCapped: true });
  });

  test.each<Partial<SearchQuery>>([{ sort: 'newest' }, { sort: 'name' }, { q: 'crowd', sort: 'newest' }])(
    'returns all matches page by page if the order needs no ranking: %o',
    async (query) => {
      const slugs = await everything(query);
      expect(new Set(slugs).size).toBe(slugs.length);
      expect(slugs.length).toBe(query.q ? many + 1 : many + 2);
    },
  );

  test('ranks the thousand best matches, beginning with the exact name', async () => {
    const slugs = await everything({ q: 'crowd' });
    expect(slugs[0]).toBe('crowd');
    expect(slugs.length).toBeGreaterThanOrEqual(1_000);
    expect(new Set(slugs).size).toBe(slugs.length);
  });
});

describe('the matching skill', () => {
  test.each([
    ['translate', 'Translate documents'],
    ['trnslate', 'Translate documents'],
    ['languages letters', 'Translate documents'],
    ['polyglot', null],
    ['', null],
  ])('for "%s" is %s', async (q, skill) => {
    const { items } = await search({ q });
    expect(items.find(({ slug }) => slug === 'polyglot')?.matchedSkill ?? null).toBe(skill);
  });
});
