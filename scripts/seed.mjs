// npm run seed: adds demo and test data to the existing data; rows from an earlier run are left unchanged.
//   npm run seed -- --listings 1000 --messages 500 --calls 10000 --screens [--force]
// Listings are renamed copies of the demo's analyst; the conversation belongs to the demo user, the calls to the
// analyst. --screens fills the lists of the demo user: conversations, orders and sales, undelivered webhooks, and cases of
// moderation (see seed-screens.mjs).
import { parseArgs } from 'node:util';
import pg from 'pg';
import { CliError, runMain } from './cli-output.mjs';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { seedScreens } from './seed/seed-screens.mjs';
import { prepare } from './setup.mjs';

const TEMPLATE = 'analyst';
const OWNER = 'demo@parley.test';

await runMain(async () => {
  const { listings, messages, calls, screens, force } = readOptions();
  if ((process.env.DATABASE_URL || process.env.NODE_ENV === 'production') && !force) {
    throw new CliError('this Parley uses an external database; add --force if the database is for demos or tests');
  }
  await prepare();
  const database = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR || '.data' });
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    await client.query('BEGIN');
    const { agentId, userId } = await findTemplate(client);
    await seedListings(client, agentId, listings);
    await seedConversation(client, { agentId, userId, exchanges: Math.ceil(messages / 2) });
    await seedCalls(client, agentId, calls);
    if (screens) await seedScreens(client, userId);
    await client.query('COMMIT');
    console.log(`  ${listings} listings, a conversation of ${messages} messages and ${calls} calls are there`);
  } finally {
    await client.end();
    await database.stop();
  }
});

function readOptions() {
  const count = { type: 'string', default: '0' };
  const choice = { type: 'boolean', default: false };
  const { values } = parseArgs({
    options: { listings: count, messages: count, calls: count, screens: choice, force: choice },
  });
  const numbers = Object.fromEntries(
    ['listings', 'messages', 'calls'].map((name) => {
      const value = Number(values[name]);
      if (Number.isInteger(value) && value >= 0 && value <= 1_000_000) return [name, value];
      throw new CliError(`--${name}: found "${values[name]}"; expected a whole number up to 1000000`);
    }),
  );
  return { ...numbers, screens: values.screens, force: values.force };
}

async function findTemplate(client) {
  const agent = await client.query('SELECT id FROM agent WHERE slug = $1', [TEMPLATE]);
  const user = await client.query('SELECT id FROM "user" WHERE email = $1', [OWNER]);
  if (!agent.rows[0] || !user.rows[0]) throw new CliError('start Parley with its demo once, then seed it');
  return { agentId: agent.rows[0].id, userId: user.rows[0].id };
}

/** Copies whole rows and changes a few members, so that columns added later are included. */
async function seedListings(client, agentId, count) {
  const trades = [
    'Tax',
    'Travel',
    'Recipe',
    'Garden',
    'Translation',
    'Contract',
    'Weather',
    'Music',
    'Chess',
    'Invoice',
  ];
  const crafts = ['helper', 'planner', 'checker', 'writer', 'scout'];
  const numbered = `
    SELECT n, 'agt_seed' || lpad(n::text, 16, '0') AS new_id, 'ver_seed' || lpad(n::text, 16, '0') AS new_version,
           ($2::text[])[1 + n % ${trades.length}] || ' ' || ($3::text[])[1 + n / ${trades.length} % ${crafts.length}] || ' ' || n AS new_name,
           now() - n * interval '7 minutes' AS listed_at
    FROM generate_series(1, $4::int) n WHERE NOT EXISTS
      (SELECT 1 FROM agent WHERE id = 'agt_seed' || lpad(n::text, 16, '0'))`;
  await client.query(
    `WITH numbered AS MATERIALIZED (${numbered}),
     agents AS (
       INSERT INTO agent SELECT copy.* FROM numbered, agent t, LATERAL jsonb_populate_record(t, jsonb_build_object(
         'id', new_id, 'slug', 'seed-' || n, 'name', new_name, 'url', 'https://seed-' || n || '.example.com/',
         'description', 'A listing for demos: ' || new_name || '.', 'current_version_id', new_version, 'app_id', NULL,
         'created_at', listed_at, 'updated_at', listed_at)) copy WHERE t.id = $1 RETURNING id),
     versions AS (
       INSERT INTO agent_version SELECT copy.* FROM numbered, agent a JOIN agent_version t ON t.id = a.current_version_id,
         LATERAL jsonb_populate_record(t, jsonb_build_object('id', new_version, 'agent_id', new_id,
           'card', t.card || jsonb_build_object('name', new_name, 'description', 'A listing for demos: ' || new_name || '.'))) copy
       WHERE a.id = $1 RETURNING agent_id)
     INSERT INTO agent_search SELECT copy.* FROM numbered, agent_search t, LATERAL jsonb_populate_record(t, jsonb_build_object(
       'agent_id', new_id, 'name_key', lower(new_name), 'created_at', listed_at, 'document',
       (SELECT string_agg(quote_literal(word) || ' ' || quote_literal('n:' || word) || ' ' || quote_literal('s:' || word), ' ')
        FROM regexp_split_to_table(lower(new_name), ' ') word))) copy WHERE t.agent_id = $1`,
    [agentId, trades, crafts, count],
  );
}

async function seedConversation(client, { agentId, userId, exchanges }) {
  if (exchanges === 0) return;
  const context = '5eed0000-0000-8000-8000-000000000000';
  const owner = [userId, agentId, context];
  await client.query(
    `INSERT INTO conversation (id, user_id, agent_id, context_id, title)
     VALUES ('cnv_seed0000000000000000', $1, $2, $3, 'A long conversation') ON CONFLICT DO NOTHING`,
    owner,
  );
  await client.query(
    `WITH turns AS MATERIALIZED (
       SELECT n, ('5eed0000-0000-8000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
              now() - ($4::int - n + 1) * interval '1 minute' AS at
       FROM generate_series(1, $4::int) n),
     tasks AS (
       INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at)
       SELECT id, $1, $2, $3, 'completed', at, 2, 'ses_seed', 'parley-web', at FROM turns ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO task_event (principal, task_id, seq, payload, at)
     SELECT $1, id, seq, json_build_array(event), at FROM turns JOIN tasks USING (id), LATERAL (VALUES
       (1, json_build_object('type', 'message', 'message', json_build_object('messageId', 'a' || substr(id::text, 2),
         'role', 'user', 'parts', json_build_array(json_build_object('kind', 'text', 'text', 'Question ' || n || ': what stands out?'))))),
       (2, json_build_object('type', 'reply', 'timestamp', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'message', json_build_object('messageId', 'b' || substr(id::text, 2), 'role', 'agent', 'parts',
           json_build_array(json_build_object('kind', 'text', 'text', 'Answer ' || n || ': **nothing** that the numbers do not say.')))))
     ) AS turn_event (seq, event)`,
    [...owner, exchanges],
  );
}

async function seedCalls(client, agentId, count) {
  await client.query(
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, code, message)
     SELECT 'call_seed' || lpad(n::text, 16, '0'), $1, now() - n * interval '50 seconds', 20 + n * 37 % 900, 'message/stream', '1.0',
            'req_seed' || n, CASE WHEN n % 25 = 0 THEN 'agent_timeout' END,
            CASE WHEN n % 25 = 0 THEN 'The agent did not respond in time.' END
     FROM generate_series(1, $2::int) n ON CONFLICT DO NOTHING`,
    [agentId, count],
  );
  if (count > 0) await seedHours(client, agentId);
}

/**
 * Inserts hourly figures for sixty days: more calls by day than at night, and more in each week than in the previous
 * one.
 */
async function seedHours(client, agentId) {
  const hours = `SELECT date_trunc('hour', now(), 'UTC') - n * interval '1 hour' AS hour,
      greatest(1, round((20 - n * 0.01) * (1.2 + sin(n * 0.2618)))::int) AS calls
    FROM generate_series(0, 1439) n`;
  await client.query(
    `INSERT INTO agent_call_hour (agent_id, hour, bucket, calls)
     SELECT $1, h.hour, b.bucket, ceil(h.calls * b.share) FROM (${hours}) h,
       (VALUES (0, 0.02), (40, 0.2), (55, 0.4), (64, 0.3), (72, 0.08)) b (bucket, share) ON CONFLICT DO NOTHING`,
    [agentId],
  );
  await client.query(
    `INSERT INTO agent_caller_hour (agent_id, hour, caller)
     SELECT $1, h.hour, 'seed' || (h.calls * 7 + c) % 90 FROM (${hours}) h, generate_series(1, greatest(1, h.calls / 4)) c
     ON CONFLICT DO NOTHING`,
    [agentId],
  );
}
