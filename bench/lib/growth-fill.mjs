/**
 * Tasks with the numbers `$1` to `$2`; those after `$3` up to `$4` are spread evenly over 30 days in chronological
 * order. 2,000 users use five of a thousand agents each; few agents have most of the users.
 */
const tasks = `SELECT n, ('00000000-0000-7000-8000-' || lpad(to_hex((n::bigint * 2654435761) % 281474976710656), 12, '0'))::uuid AS id,
    'usr_' || u AS principal, 'agt_' || floor(1000 * pow(((u * 5 + n % 5) * 7919 % 9973) / 9973.0, 2))::int AS agent_id,
    now() - interval '30 days' + interval '30 days' * ((n - $3::int) / ($4::int - $3::int)::float8) AS at
  FROM (SELECT n, n::bigint * 7919 % 2000 AS u FROM generate_series($1::int, $2::int) n) numbered`;

const event = (role, size) =>
  `json_build_array(json_build_object('type', '${role}', 'text', repeat('Parley keeps this text for its user. ', ${size})), f.at)`;

/** Rows per task: one task, its compacted events, a key; a logged call within 7 days; every tenth an HTTP exchange. */
const STATEMENTS = [
  `INSERT INTO task (id, principal, agent_id, context_id, upstream_task_id, state, state_at, last_seq, credential_id, client_id, created_at, compacted)
   SELECT id, principal, agent_id, id::text, id::text, CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'completed' END, at, 4, 'ses_' || principal,
     'browser', at, true FROM fill`,
  `INSERT INTO compacted_task (principal, task_id, events)
   SELECT f.principal, f.id, json_build_array(${event('message', 4)}, ${event('status', 1)}, ${event('artifact', 12)}, ${event('status', 1)}) FROM fill f`,
  `INSERT INTO idempotency_key (principal, agent_id, key, body_hash, task_id, created_at)
   SELECT principal, agent_id, id::text, md5(id::text) || md5(principal), id, at FROM fill`,
  `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, code, caller, task_id)
   SELECT 'call_' || n, agent_id, at, 20 + n % 900, 'message/stream', '1.0 JSONRPC', 'req_' || n, CASE WHEN n % 50 = 0 THEN 'upstream_error' END,
     'sub_' || principal, id::text FROM fill WHERE at > now() - interval '7 days'`,
  `INSERT INTO agent_call_hour (agent_id, hour, bucket, calls)
   SELECT agent_id, date_trunc('hour', at, 'UTC'), 40 + n % 20, count(*) FROM fill GROUP BY 1, 2, 3
   ON CONFLICT (agent_id, hour, bucket) DO UPDATE SET calls = agent_call_hour.calls + excluded.calls`,
  `INSERT INTO task_http_exchange (principal, id, task_id, at, exchange)
   SELECT principal, 'call_' || n, id, at, json_build_object('request', repeat('Accept: application/json ', 60), 'response', repeat('data: {"kind":"task"} ', 60))
   FROM fill WHERE n % 10 = 0`,
  `INSERT INTO conversation (id, user_id, agent_id, context_id, title, created_at, updated_at, indexed_at)
   SELECT 'cnv_' || n, principal, agent_id, id::text, 'A conversation about the weather', at, at, at + interval '2 hours'
   FROM fill WHERE n % 5 = 0`,
];

/** The number of tasks that one transaction inserts. */
const CHUNK = 50_000;

/**
 * Fills the tables with the tasks after `from` up to `to`, spread over 30 days.
 *
 * @param {import('pg').Client} client
 * @param {{ from: number, to: number }} range
 */
export async function fillTasks(client, { from, to }) {
  for (let first = from + 1; first <= to; first += CHUNK) {
    await client.query('BEGIN');
    await client.query(
      'CREATE TEMP TABLE fill (n int, id uuid, principal text, agent_id text, at timestamptz(3)) ON COMMIT DROP',
    );
    await client.query(`INSERT INTO fill ${tasks}`, [first, Math.min(first + CHUNK - 1, to), from, to]);
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query('COMMIT');
  }
}

/** Inserts the agents of the tasks, so that they have rankings. @param {import('pg').Client} client */
export async function fillAgents(client) {
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO agent (id, slug, owner_id, url, name, description, version, tags, badges, visibility, current_version_id)
     SELECT 'agt_' || n, 'agent-' || n, 'usr_owner', 'https://a' || n || '.example', 'Agent ' || n, 'It answers.', '1', '{}', '{}', 'public', 'ver_' || n
     FROM generate_series(0, 999) n`,
  );
  await client.query(
    `INSERT INTO agent_version (id, agent_id, digest, card_url, bytes, card)
     SELECT 'ver_' || n, 'agt_' || n, '', 'https://a' || n || '.example', '', '{}' FROM generate_series(0, 999) n`,
  );
  await client.query('SET session_replication_role = DEFAULT');
}

/** Adds partitions for the past days, as in a Parley that has run for a month. @param {import('pg').Client} client */
export async function addPastPartitions(client) {
  for (const table of ['agent_call', 'task_http_exchange']) {
    for (let ago = 2; ago <= 31; ago++) {
      const { rows } = await client.query(
        `SELECT to_char(d, 'YYYYMMDD') AS name, d::text AS first, (d + 1)::text AS next
         FROM (SELECT (now() AT TIME ZONE 'UTC')::date - $1::int AS d) day`,
        [ago],
      );
      const { name, first, next } = rows[0];
      await client.query(
        `CREATE TABLE ${table}_p${name} PARTITION OF ${table} FOR VALUES FROM ('${first} 00:00:00+00') TO ('${next} 00:00:00+00')`,
      );
    }
  }
}
