import { randomUUID } from 'node:crypto';
import { call, introspect, message, repeat } from './calls.mjs';

/** Statuses of a request that was not served and may be repeated. */
const unserved = new Set([0, 503]);
/** A user may have 100 apps. */
const maxApps = 90;
/** Within this time a revocation is effective on every node. */
const revocationMs = 1_000;

/**
 * Writes to Parley and keeps a separate record of acknowledged writes: messages, each repeated with its id until it is
 * acknowledged, and access tokens.
 *
 * @param {{ origins: () => string[], slug: string, tokens: string[], accessToken: string, writers?: number, pauseMs?:
 *   number }} target
 *   `origins`: the nodes that currently serve
 */
export function startWrites({ origins, slug, tokens, accessToken, writers = 4, pauseMs = 20 }) {
  const ledger = {
    sent: new Map(),
    created: [],
    unexpected: new Map(),
    attempts: 0,
    unserved: 0,
    limited: 0,
    lastUnservedAt: 0,
  };
  const pick = () => origins()[Math.floor(Math.random() * origins().length)];
  const count = (status, text) => {
    ledger.attempts += 1;
    if (status === 429) ledger.limited += 1;
    else if (unserved.has(status)) {
      ledger.unserved += 1;
      ledger.lastUnservedAt = performance.now();
    } else if (status !== 200 && status !== 201) {
      const key = `${status} ${text.slice(0, 120)}`;
      ledger.unexpected.set(key, (ledger.unexpected.get(key) ?? 0) + 1);
    }
  };
  let stopped = false;
  const send = async (token) => {
    const messageId = randomUUID();
    while (!stopped) {
      const { status, body } = await call({ origin: pick(), slug, token }, 'message/send', {
        message: message('write', messageId),
      });
      const failure = failureOf(body);
      count(failure && status === 200 ? 500 : status, failure);
      if (body.result?.status.state === 'failed') return;
      if (status === 200 && body.result) return void ledger.sent.set(messageId, { taskId: body.result.id, token });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const create = async () => {
    if (ledger.created.length >= maxApps) return;
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const response = await fetch(`${pick()}/api/apps`, { method: 'POST', headers, body: '{"name":"drill"}' }).catch(
      () => null,
    );
    count(response?.status ?? 0, '');
    if (response?.ok) ledger.created.push((await response.json()).clientId);
  };
  const stops = Array.from({ length: writers }, () =>
    repeat(pauseMs, () => send(tokens[Math.floor(Math.random() * tokens.length)])),
  );
  stops.push(repeat(500, create));
  return {
    ledger,
    async stop() {
      stopped = true;
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/**
 * Returns the reason why a send failed, also for a failed task: the caller received the reason, and the message is not
 * acknowledged.
 */
function failureOf({ error, result }) {
  if (error) return `${error.code} ${error.message}`;
  return result?.status.state === 'failed' ? `failed: ${result.status.message?.parts[0].text}` : '';
}

/**
 * Returns the acknowledged writes that are missing: messages without their completed task, and apps.
 *
 * @param {ReturnType<typeof startWrites>['ledger']} ledger
 * @param {{ origin: string, slug: string, databaseUrl: string, query: (sql: string, values: unknown[]) =>
 *   Promise<unknown[]> }} parley
 */
export async function findLost({ sent, created }, { origin, slug, query }) {
  const lost = [];
  const ids = [...sent];
  for (let at = 0; at < ids.length; at += 20) {
    const found = ids.slice(at, at + 20).map(async ([messageId, { taskId, token }]) => {
      const { body } = await call({ origin, slug, token }, 'tasks/get', { id: taskId });
      if (body.result?.status.state !== 'completed')
        lost.push(`message ${messageId}: ${JSON.stringify(body.result?.status ?? body).slice(0, 200)}`);
    });
    await Promise.all(found);
  }
  const rows = await query('SELECT client_id FROM app WHERE client_id = ANY($1)', [created]);
  const stored = new Set(rows.map(({ client_id }) => client_id));
  return [...lost, ...created.filter((id) => !stored.has(id)).map((id) => `app ${id}`)];
}

/**
 * Introspects good, forged and revoked tokens at each node, and revokes some. A result is wrong if it is neither the
 * expected response nor a status without a response.
 *
 * @param {{ origins: () => string[], slug: string, app: { clientId: string, clientSecret: string }, good: string[],
 *   issue: () => Promise<string | null>, revoke: (token: string) => Promise<boolean>, inactiveMs?: number }} target
 *   `inactiveMs`: the delay between inactive tokens; an app may introspect 100 of them per minute after the first 1,000
 */
export function startIntrospections({ origins, app, good, issue, revoke, inactiveMs = 100 }) {
  const answers = { right: 0, limited: 0, unserved: 0, lastUnservedAt: 0, wrong: [] };
  const revoked = [];
  const check = async (kind, token, expected) => {
    await Promise.all(
      origins().map(async (origin) => {
        const { status, active } = await introspect(origin, app, token);
        if (status === 200 && active === expected) answers.right += 1;
        else if (status === 429) answers.limited += 1;
        else if (unserved.has(status)) {
          answers.unserved += 1;
          answers.lastUnservedAt = performance.now();
        } else answers.wrong.push(`${kind} token: ${status}, active ${active}`);
      }),
    );
  };
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  const effective = () => revoked.filter(({ at }) => performance.now() - at > revocationMs).slice(-50);
  const stops = [
    repeat(10, () => check('good', any(good), true)),
    repeat(inactiveMs, async () => {
      const old = effective();
      if (old.length > 0) await check('revoked', any(old).token, false);
    }),
    repeat(inactiveMs * 5, () => check('forged', `${any(good).slice(0, -8)}AAAAAAAA`, false)),
    repeat(300, async () => {
      const token = await issue();
      if (!token) return;
      await check('new', token, true);
      if (await revoke(token)) revoked.push({ token, at: performance.now() });
    }),
  ];
  return {
    answers,
    revoked,
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/**
 * Returns the acknowledged writes that the database does not contain.
 *
 * @param {ReturnType<typeof startWrites>['ledger']} ledger
 * @param {import('pg').Pool} client
 */
export async function findUnstored({ sent, created }, client) {
  const lost = [];
  const ids = [...sent.values()].map(({ taskId }) => taskId);
  for (let at = 0; at < ids.length; at += 5_000) {
    const some = ids.slice(at, at + 5_000);
    const { rows } = await client.query(`SELECT id FROM task WHERE id = ANY($1) AND state = 'completed'`, [some]);
    const stored = new Set(rows.map(({ id }) => id));
    lost.push(...some.filter((id) => !stored.has(id)).map((id) => `task ${id}`));
  }
  const { rows } = await client.query('SELECT client_id FROM app WHERE client_id = ANY($1)', [created]);
  const stored = new Set(rows.map(({ client_id: id }) => id));
  return [...lost, ...created.filter((id) => !stored.has(id)).map((id) => `app ${id}`)];
}
