import { createHash } from 'node:crypto';
import pg from 'pg';

/** Number of distinct words in descriptions; the n-th is n times as rare as the first (Zipf). */
const vocabulary = 5_000;

/**
 * Lists renamed copies of the one listed agent, with word frequencies of a natural language, tags, health and scores.
 *
 * @param {string} databaseUrl
 * @param {number} count
 * @returns {Promise<void>}
 */
export async function fillCatalog(databaseUrl, count) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT setseed(0.5)');
    await client.query(rows, [count]);
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/**
 * Returns the id of the n-th copy.
 *
 * @param {number} n from 1
 * @returns {string}
 */
export const copyId = (n) => `agt_${String(n).padStart(20, '0')}`;

/**
 * Returns the n-th word of the vocabulary: eight pseudo-random letters.
 *
 * @param {number} n from 1
 * @returns {string}
 */
export function wordOf(n) {
  return createHash('md5')
    .update(String(n))
    .digest('hex')
    .slice(0, 8)
    .replace(/\d/g, (digit) => 'ghijklmnop'[digit]);
}

const spelled = (n) => `translate(left(md5((${n})::text), 8), '0123456789', 'ghijklmnop')`;
const word = spelled(`floor(exp(random() * ln(${vocabulary})))::int`);
const words = (max) => `(SELECT array_agg(DISTINCT ${word}) FROM generate_series(1, ${max}) WHERE n > 0)`;

const rows = `
  WITH template AS (SELECT id FROM agent LIMIT 1),
  numbered AS MATERIALIZED (
    SELECT n, 'agt_' || lpad(n::text, 20, '0') AS new_id, 'ver_' || lpad(n::text, 20, '0') AS new_version,
      ${words(3)} AS new_name_words, ${words(8)} AS new_skill_words, ${words(25)} AS new_other_words,
      ARRAY['t' || n % 50, 't' || n % 7] AS new_tags,
      floor(random() * 100)::int AS new_rank, now() - n * interval '1 minute' AS at
    FROM generate_series(1, $1::int) n),
  agents AS (
    INSERT INTO agent SELECT copy.* FROM numbered, template, agent t, LATERAL jsonb_populate_record(t, jsonb_build_object(
      'id', new_id, 'slug', 'agent-' || n, 'name', array_to_string(new_name_words, ' ') || ' ' || n, 'tags', new_tags,
      'url', 'https://agent-' || n || '.example.com/', 'current_version_id', new_version, 'created_at', at, 'updated_at', at)) copy
    WHERE t.id = template.id),
  versions AS (
    INSERT INTO agent_version SELECT copy.* FROM numbered, template, agent a JOIN agent_version t ON t.id = a.current_version_id,
      LATERAL jsonb_populate_record(t, jsonb_build_object('id', new_version, 'agent_id', new_id)) copy WHERE a.id = template.id),
  standings AS (
    INSERT INTO agent_ranking (agent_id, health, score, users, due_at, computed_at)
    SELECT new_id, (ARRAY['healthy', 'degraded', 'down'])[1 + n % 3], new_rank, n % 200, now() + '1 day', now() FROM numbered),
  looks AS (
    INSERT INTO agent_skeleton (agent_id, name, slug) SELECT new_id, array_to_string(new_name_words, '') || n, 'agent' || n FROM numbered),
  words AS (
    INSERT INTO agent_search_word (word) SELECT ${spelled('n')} FROM generate_series(1, ${vocabulary}) n ON CONFLICT DO NOTHING)
  INSERT INTO agent_search SELECT copy.* FROM numbered, template, agent_search t, LATERAL jsonb_populate_record(t, jsonb_build_object(
    'agent_id', new_id, 'name_key', array_to_string(new_name_words, ' ') || ' ' || n, 'tags', new_tags, 'rank', new_rank,
    'users', n % 200, 'health', (ARRAY['healthy', 'degraded', 'down'])[1 + n % 3], 'created_at', at, 'updated_at', at, 'is_ranked', true,
    'document', (SELECT string_agg(quote_literal(part || w), ' ') FROM (
      SELECT 'n:' AS part, unnest(new_name_words) AS w UNION SELECT '', unnest(new_name_words) UNION SELECT 's:', unnest(new_skill_words)
      UNION SELECT '', unnest(new_skill_words) UNION SELECT '', unnest(new_other_words)) parts))) copy
  WHERE t.agent_id = template.id`;
