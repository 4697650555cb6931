// Owners are moved between three databases while they send to two nodes. First all of them once; then moves are killed
// (SIGKILL) at random times. DRILL_ROUNDS is the number of kills.
import { randomUUID } from 'node:crypto';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { runShards, startTaskDatabases, withClient } from '../lib/task-databases.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { until, wait } from './lib/wait.mjs';

const people = Number(process.env.DRILL_OWNERS ?? 200);
const intervalMs = 1_000;
const names = ['t1', 't2'];

const databases = await startTaskDatabases(names);
const agent = await startPeer('unary-agent');
const parley = await startParley({
  people,
  agentUrl: `http://127.0.0.1:${agent.info.port}`,
  database: databases,
  env: { TASK_DATABASE_URLS: databases.setting, EMBEDDINGS: 'off' },
});
const other = await parley.another();
const origins = [parley.origin, other.origin];
const shards = (...args) => runShards(parley.variables, ...args);

/** Sends messages of each owner, each until it is acknowledged. */
class Senders {
  acknowledged = [];
  wrong = [];
  rejected = 0;
  longestUnavailableMs = 0;
  isStopped = false;

  start(tokens) {
    this.running = Promise.all(tokens.map((token, owner) => this.sendAll(token, owner)));
  }

  async sendAll(token, owner) {
    await wait(Math.random() * intervalMs);
    for (let number = owner; !this.isStopped; number++) {
      await this.sendOne(token, origins[number % origins.length]);
      await wait(intervalMs * (0.5 + Math.random()));
    }
  }

  /** Repeats the same message, as clients do. */
  async sendOne(token, origin) {
    const message = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'text', text: 'Hello' }],
    };
    let unavailableSince = null;
    for (;;) {
      const { status, body, retryAfter } = await this.post({ token, origin, message });
      if (status === 200 && body.result) {
        this.acknowledged.push(body.result.id);
        if (unavailableSince)
          this.longestUnavailableMs = Math.max(this.longestUnavailableMs, performance.now() - unavailableSince);
        return;
      }
      if (!([429, 503].includes(status) && retryAfter)) {
        this.wrong.push(`${status} ${JSON.stringify(body.error ?? body).slice(0, 200)}`);
        return;
      }
      if (status === 503) {
        unavailableSince ??= performance.now();
        this.rejected += 1;
      }
      await wait(100);
    }
  }

  async post({ token, origin, message }) {
    const response = await fetch(`${origin}/agents/${parley.slug}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
    });
    return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') };
  }

  async stop() {
    this.isStopped = true;
    await this.running;
  }
}

/** Returns the pauses of the moves in an output, milliseconds. */
const pausesIn = (output) => [...output.matchAll(/in a pause of (\d+) ms/g)].map(([, ms]) => Number(ms));

const countUnfinished = () =>
  withClient(databases.url, async (client) => {
    const { rows } = await client.query('SELECT count(*)::int AS n FROM task_move WHERE switched_at IS NULL');
    return rows[0].n;
  });

/** Returns the database with most owners. */
const fullest = () =>
  withClient(databases.url, async (client) => {
    const { rows } = await client.query(
      'SELECT database AS name FROM task_owner GROUP BY database ORDER BY count(*) DESC LIMIT 1',
    );
    return rows[0].name;
  });

/** Opens all databases but one, and begins to drain it. */
async function drainExcept(source) {
  for (const name of ['main', ...names]) if (name !== source) await shards('add', name).ended;
  return shards('drain', source);
}

async function killMoves(count) {
  let interrupted = 0;
  for (let kills = 0; kills < count; ) {
    const draining = await drainExcept(await fullest());
    let hasEnded = false;
    draining.ended.then(() => {
      hasEnded = true;
    });
    await draining.started;
    await wait(Math.random() * 1_500);
    if (hasEnded) continue;
    draining.kill();
    kills += 1;
    await draining.ended;
    if ((await countUnfinished()) > 0) interrupted += 1;
    await until(async () => (await countUnfinished()) === 0, {
      withinMs: 30_000,
      what: 'the nodes to finish the move',
    });
  }
  return interrupted;
}

/** Returns the tasks of each database, and the database of each owner. */
async function readAll() {
  const tasks = [];
  for (const [database, url] of Object.entries(databases.urls)) {
    const { rows } = await withClient(url, (client) => client.query('SELECT id, principal FROM task'));
    tasks.push(...rows.map((row) => ({ ...row, database })));
  }
  const { rows } = await withClient(databases.url, (client) =>
    client.query('SELECT principal, database FROM task_owner'),
  );
  return { tasks, directory: new Map(rows.map(({ principal, database }) => [principal, database])) };
}

async function checkRows(senders, check) {
  const { tasks, directory } = await readAll();
  const found = new Map();
  for (const { id } of tasks) found.set(id, (found.get(id) ?? 0) + 1);
  const lost = senders.acknowledged.filter((id) => !found.has(id)).length;
  const doubled = [...found.values()].filter((count) => count > 1).length;
  const misplaced = tasks.filter(({ principal, database }) => directory.get(principal) !== database).length;
  check('no acknowledged message is lost', lost === 0 || `${lost} are`);
  check('no task is in two databases', doubled === 0 || `${doubled} are`);
  const extra = tasks.length - senders.acknowledged.length;
  check('no message became two tasks', extra === 0 || `${extra} tasks more than acknowledged messages`);
  check('each task is in the database of its owner', misplaced === 0 || `${misplaced} are not`);
}

await drill(
  'owners are moved while they send: nothing is lost or doubled, a killed move is finished',
  async (report) => {
    const { figure, check } = report;
    const senders = new Senders();
    senders.start(await parley.tokens());
    await until(() => senders.acknowledged.length > 2 * people, { withinMs: 60_000, what: 'a message of each owner' });
    for (const name of names) await shards('add', name).ended;
    const startedAt = performance.now();
    const pauses = pausesIn(await shards('drain', 'main').ended);
    figure('owners moved', `${pauses.length} in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    pauses.sort((a, b) => a - b);
    figure('pause, ms', `median ${pauses[pauses.length >> 1]}, longest ${pauses.at(-1)}`);
    figure(
      'rejected with 503 meanwhile',
      `${senders.rejected}, longest ${Math.round(senders.longestUnavailableMs)} ms`,
    );
    check('all owners were moved', pauses.length >= people || `${pauses.length} of ${people}`);
    check('no pause exceeds a second', (pauses.at(-1) ?? 0) <= 1_000);
    figure('kills during a move', await killMoves(rounds(50)));
    await wait(2 * intervalMs);
    await senders.stop();
    figure('messages', senders.acknowledged.length);
    figure('rejected with 503 in all', `${senders.rejected}, longest ${Math.round(senders.longestUnavailableMs)} ms`);
    check(
      'the only errors are 503 with Retry-After',
      senders.wrong.length === 0 || senders.wrong.slice(0, 3).join('; '),
    );
    await until(
      async () =>
        await readAll().then(({ tasks, directory }) =>
          tasks.every((task) => directory.get(task.principal) === task.database),
        ),
      {
        withinMs: 30_000,
        what: 'the moved rows to be deleted',
        everyMs: 1_000,
      },
    );
    await checkRows(senders, check);
  },
);
await parley.stop();
await agent.stop();
