/**
 * Orders by state: minutes since the last step, and the code of a final state. Only real orders have money in transit.
 */
const orders = [
  ['verified', 2, null],
  ['rejected', 40, 'total_mismatch'],
  ['superseded', 90, 'superseded'],
  ['expired', 200, 'offer_expired'],
  ['canceled', 400, 'declined_by_buyer'],
  ['declined', 900, 'card_declined'],
  ['merchant_rejected', 1_500, 'merchant_refused'],
  ['delivery_timeout', 2_900, 'delivery_timeout'],
  ['captured', 4_400, null],
  ['captured', 9_000, null],
  ['partially_refunded', 12_000, null],
  ['refunded', 20_000, null],
];

/** Conversations: agent, title, messages, and age in hours. */
const conversations = [
  [
    'illustrator',
    'A red house at night',
    'A small red house at night in the snow',
    'I drew a small red house at night in snow.',
    1,
  ],
  [
    'regex-helper',
    'What does this regex do',
    'Explain /^[a-z]+$/',
    '- `^`: the start\n- `[a-z]+`: one of a to z, once or more\n- `$`: the end',
    5,
  ],
  ['quiz', 'Quiz on capitals', 'Test me on capitals', '5 questions on capitals, easy.', 26],
  ['converter', '12 miles to km', '12 miles to km', '12 mi = **19.3121 km**', 50],
  ['analyst', 'Prices per city', 'Profile the sample table', 'Two cities, three months, **no** missing values.', 75],
  [
    'researcher',
    'The largest planet',
    'Which of the planets is the largest?',
    '**Jupiter**, with a diameter of 142,984 km.',
    170,
  ],
  [
    'pizzeria',
    'Two large margheritas',
    'What is on the capricciosa?',
    'Tomato, mozzarella, ham, mushrooms, artichokes, olives.',
    400,
  ],
];

/** Cases of moderation: state, reason of the report, and age in days. */
const cases = [
  ['open', 'spam', 0],
  ['open', 'impersonation', 1],
  ['appealed', 'scam', 4],
  ['dismissed', 'harmful', 6],
  ['removed', 'spam', 9],
  ['restored', 'fake', 15],
  ['upheld', 'scam', 22],
];

/**
 * Fills the lists of the user who owns the demo's agents: as a buyer and seller, in the chat, for webhooks, and for
 * moderators. Rows of an earlier run are left unchanged.
 */
export async function seedScreens(client, userId) {
  await seedConversations(client, userId);
  await seedOrders(client, userId);
  await seedDeadLetters(client, userId);
  await seedCases(client);
}

async function seedConversations(client, userId) {
  const rows = conversations.map(([slug, title, question, answer, hours], index) => ({
    slug,
    title,
    hours,
    context: uuid('c0', index),
    task: uuid('c1', index),
    events: [
      [{ type: 'message', message: message(`a${index}`, 'user', question) }],
      [{ type: 'reply', message: message(`b${index}`, 'agent', answer) }],
    ],
  }));
  await client.query(
    `WITH said AS MATERIALIZED (
       SELECT s.*, a.id AS agent_id, now() - s.hours * interval '1 hour' AS at
       FROM jsonb_to_recordset($2::jsonb) AS s(slug text, title text, hours int, context uuid, task uuid, events jsonb)
         JOIN agent a ON a.slug = s.slug),
     conversations AS (
       INSERT INTO conversation (id, user_id, agent_id, context_id, title, created_at, updated_at)
       SELECT 'cnv_' || left(md5(task::text), 20), $1, agent_id, context, title, at, at FROM said ON CONFLICT DO NOTHING),
     tasks AS (
       INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at)
       SELECT task, $1, agent_id, context, 'completed', at, 2, 'ses_seed', 'parley-web', at FROM said
       ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO task_event (principal, task_id, seq, payload, at)
     SELECT $1, task, n, CASE n WHEN 1 THEN events -> 0 ELSE
       jsonb_set(events -> 1, '{0,timestamp}', to_jsonb(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) END, at
     FROM said JOIN tasks ON tasks.id = said.task, generate_series(1, 2) n`,
    [userId, JSON.stringify(rows)],
  );
}

function message(id, role, text) {
  return { messageId: `5eed${id}`, role, parts: [{ kind: 'text', text }] };
}

async function seedOrders(client, userId) {
  const rows = orders.map(([state, minutes, code], index) => {
    const total = 1_250 + 475 * index;
    const paid = ['captured', 'partially_refunded', 'refunded'].includes(state);
    const refunds = { refunded: total, partially_refunded: 500 };
    return {
      state,
      minutes,
      code,
      total,
      id: `ord_seed${String(index).padStart(16, '0')}`,
      slug: index % 3 === 0 ? 'calendar' : 'pizzeria',
      task: uuid('0d', index),
      captured: paid ? total : 0,
      refunded: refunds[state] ?? 0,
      number: paid ? `TP-${20_000 + index}` : null,
      offer: offerOf(index, total),
    };
  });
  await client.query(
    `WITH made AS MATERIALIZED (
       SELECT o.*, a.id AS agent_id, now() - o.minutes * interval '1 minute' AS at
       FROM jsonb_to_recordset($2::jsonb) AS o(id text, slug text, task uuid, state text, code text, minutes int, total int,
         captured int, refunded int, number text, offer jsonb) JOIN agent a ON a.slug = o.slug),
     stored AS (
       INSERT INTO payment_order (id, user_id, agent_id, task_id, context_id, source_kind, source_id, source_part, cart_text,
         cart_hash, cart_id, offer, checks, amount, currency, expires_at, state, code, method, test, authorized, captured,
         refunded, merchant_order_id, created_at, updated_at)
       SELECT id, $1, agent_id, task, task, 'artifact', 'cart', 0, '{}', id, offer ->> 'cartId', offer, '[]', total, 'EUR',
         now() + interval '15 minutes', state, code, CASE WHEN captured > 0 THEN 'wallet' END, true, captured, captured,
         refunded, number, at - interval '3 minutes', at FROM made ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO payment_order_step (order_id, version, state, code, at)
     SELECT made.id, n, CASE n WHEN 0 THEN 'verified' ELSE state END, CASE n WHEN 1 THEN code END, at - (1 - n) * interval '3 minutes'
     FROM made JOIN stored USING (id), generate_series(0, 1) n WHERE n = 0 OR state <> 'verified'`,
    [userId, JSON.stringify(rows)],
  );
}

function offerOf(index, total) {
  const line = (label, kind, minor) => ({ label, kind, minor, quantity: 1, pending: false, refundDays: 1 });
  return {
    cartId: `cart_seed_${index}`,
    detailsId: `order_seed_${index}`,
    dialect: 'ap2-0.1',
    merchantName: index % 3 === 0 ? 'Meeting Rooms' : 'Trattoria Parley',
    lines: [
      line(index % 3 === 0 ? 'Meeting room, 90 minutes' : '2 × Margherita, large', 'item', total - 250),
      line('Service', 'fee', 250),
    ],
    total: { currency: 'EUR', minor: total },
    expiresAt: new Date(Date.now() + 900_000).toISOString(),
    address: index % 3 === 0 ? [] : ['12 Via Roma, Florence'],
  };
}

async function seedDeadLetters(client, userId) {
  await client.query(
    `INSERT INTO push_dead_letter (id, principal, agent_id, task_id, config_id, seq, url, reason, http_status, attempts, at, answer)
     SELECT 'dlv_seed' || lpad(n::text, 16, '0'), $1, a.id, ('5eed0000-0000-8000-80dd-' || lpad(to_hex(n), 12, '0'))::uuid,
       'seed', n, 'https://hooks.example.com/parley', CASE n % 2 WHEN 0 THEN 'It answered with HTTP 500.' ELSE 'It did not answer in time.' END,
       CASE n % 2 WHEN 0 THEN 500 END, 8, now() - n * interval '5 hours', CASE n % 2 WHEN 0 THEN 'Internal Server Error' ELSE '' END
     FROM agent a, generate_series(1, 12) n WHERE a.slug = 'analyst' ON CONFLICT DO NOTHING`,
    [userId],
  );
}

/** Cases are about seeded listings, so that none of the demo's agents is reported. */
async function seedCases(client) {
  const rows = cases.map(([state, reason, days], index) => ({ state, reason, days, n: index + 1 }));
  await client.query(
    `WITH made AS MATERIALIZED (
       SELECT c.*, a.id AS agent_id, a.owner_id, a.name, 'case_seed' || lpad(c.n::text, 15, '0') AS id,
         now() - c.days * interval '1 day' - interval '2 hours' AS at
       FROM jsonb_to_recordset($1::jsonb) AS c(state text, reason text, days int, n int) JOIN agent a ON a.slug = 'seed-' || c.n),
     stored AS (
       INSERT INTO moderation_case (id, kind, target_id, agent_id, owner_id, title, state, opened_at, updated_at, reason, statement,
         decided_at, appeal, appealed_at)
       SELECT id, 'agent', agent_id, agent_id, owner_id, name, state, at, at + interval '1 hour',
         CASE WHEN state NOT IN ('open', 'dismissed') THEN reason END,
         CASE WHEN state NOT IN ('open', 'dismissed') THEN 'The listing does not do what its description promises.' END,
         CASE WHEN state <> 'open' THEN at + interval '1 hour' END,
         CASE WHEN state IN ('appealed', 'restored', 'upheld') THEN 'We have corrected the description.' END,
         CASE WHEN state IN ('appealed', 'restored', 'upheld') THEN at + interval '90 minutes' END
       FROM made ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO moderation_report (id, case_id, reason, details, evidence, created_at)
     SELECT 'rpt_seed' || lpad(n::text, 16, '0'), id, reason, 'It copies the name and the texts of another agent.', '{}', at
     FROM made JOIN stored USING (id)`,
    [JSON.stringify(rows)],
  );
}

function uuid(group, index) {
  return `5eed0000-0000-8000-80${group}-${index.toString(16).padStart(12, '0')}`;
}
