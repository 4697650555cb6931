import { messageTo } from '../../lib/message.mjs';
import { queryOnce } from './cluster.mjs';
import { wait } from './wait.mjs';

/** Results in fewer calls per second than the rate limit of one caller. */
const PAUSE_MS = 50;

/**
 * Sends messages sequentially, one sender per token, and records the acknowledged tasks outside the database: none of
 * them may be lost.
 *
 * @param {{ origin: () => string, path: string, tokens: string[], pauseMs?: number }} target `origin` may change while nodes restart
 * @returns {{ acknowledged: string[], statuses: Map<number, number>, stop: () => Promise<void> }} `statuses`: 0 is a
 *   broken connection
 */
export function startWriting({ origin, path, tokens, pauseMs = PAUSE_MS }) {
  const acknowledged = [];
  const statuses = new Map();
  let isStopped = false;
  async function send(token) {
    const response = await fetch(`${origin()}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: messageTo(acknowledged.length),
    });
    const body = await response.json();
    if (body.result?.status?.state === 'completed') acknowledged.push(body.result.id);
    return body.error ? Math.max(response.status, 500) : response.status;
  }
  async function run(token) {
    while (!isStopped) {
      const status = await send(token).catch(() => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await wait(pauseMs);
    }
  }
  const running = Promise.all(tokens.map(run));
  const stop = () => {
    isStopped = true;
    return running;
  };
  return { acknowledged, statuses, stop };
}

/**
 * Counts the acknowledged tasks that are missing from the database or not completed.
 *
 * @param {string} url
 * @param {string[]} ids
 * @returns {Promise<number>}
 */
export async function countLost(url, ids) {
  const text = `SELECT count(*)::int AS found FROM task WHERE id = ANY($1::uuid[]) AND state = 'completed'`;
  const [{ found }] = await queryOnce(url, text, [ids]);
  return ids.length - found;
}

/** Returns null if every transaction of the ledger adds up to zero, otherwise the deviation. */
export async function ledgerError(url) {
  const text = `SELECT count(*)::int AS wrong FROM (SELECT 1 FROM ledger_entry GROUP BY transaction_id HAVING sum(amount) <> 0) AS w`;
  const [{ wrong }] = await queryOnce(url, text);
  return wrong === 0 ? null : `${wrong} transactions do not add up`;
}
