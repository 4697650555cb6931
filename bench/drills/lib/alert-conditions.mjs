import { createServer } from 'node:http';
import pg from 'pg';
import { freePort } from '../../../scripts/processes.mjs';
import { call, introspect, message, repeat } from './calls.mjs';
import { completedTask, openStream, respondAtOnce, sendJson, startScriptedAgent } from './scripted-agent.mjs';
import { until, wait } from './wait.mjs';

/**
 * Conditions that make each alert fire. `cause` returns the function that ends the condition. The scene has two nodes,
 * a proxy before their database, the listed agent, and the embeddings service.
 */
export const conditions = [
  {
    alerts: ['NodeDown'],
    what: 'a node is killed',
    async cause({ second, startSecond }) {
      process.kill(second().pid, 'SIGKILL');
      return startSecond;
    },
  },
  {
    alerts: ['ServerErrors', 'NotificationsLost', 'BusLagging', 'JobOverdue'],
    what: 'the database cannot be reached',
    async cause({ proxy }) {
      proxy.cut();
      return () => proxy.restore();
    },
  },
  {
    alerts: ['IntrospectionSlow'],
    what: 'the database responds 400 ms later',
    async cause({ proxy, parley }) {
      proxy.setDelay(400);
      const stop = repeat(50, () => introspect(parley.origin, parley.app, `unknown-${Math.random()}`));
      return async () => {
        proxy.setDelay(0);
        await stop();
      };
    },
  },
  {
    alerts: ['PoolExhausted'],
    what: 'statements wait for a lock',
    // Fewer requests than a node that is overloaded has.
    cause: (scene) => searchWhileLocked(scene, 20),
  },
  {
    alerts: ['Shedding'],
    what: 'a hundred searches wait for a lock',
    cause: (scene) => searchWhileLocked(scene, 100),
  },
  {
    alerts: ['EventLoopBlocked'],
    what: 'the event loop is blocked for 700 ms at a time',
    async cause({ faultsOrigin }) {
      return repeat(200, () => fetch(`${faultsOrigin}/block?ms=700`));
    },
  },
  {
    alerts: ['MemoryHigh'],
    what: 'a node holds 1.6 GB',
    async cause({ faultsOrigin }) {
      await fetch(`${faultsOrigin}/hold?bytes=1600000000`);
      return () => fetch(`${faultsOrigin}/release`);
    },
  },
  {
    alerts: ['AgentsFailing'],
    what: 'the agent responds with an error',
    async cause({ agent, target }) {
      agent.set(({ rpc, response }) => {
        sendJson(response, { jsonrpc: '2.0', id: rpc.id, error: { code: -32603, message: 'Broken' } });
        return true;
      });
      const stop = repeat(20, () => call(target, 'message/send', { message: message('x') }));
      return async () => {
        agent.set(respondAtOnce);
        await stop();
      };
    },
  },
  {
    alerts: ['CallLogIncomplete'],
    what: 'the log of calls cannot be written',
    cause: async ({ parley }) => lock(parley.databaseUrl, 'agent_call IN EXCLUSIVE MODE'),
  },
  {
    alerts: ['PushBacklog'],
    what: 'webhooks cannot be claimed',
    async cause({ parley, agent, target }) {
      const receiver = await startReceiver();
      let finish;
      agent.set((incoming) => {
        if (incoming.rpc.params?.message?.parts[0].text !== 'wait') return respondAtOnce(incoming);
        const send = openStream(incoming);
        const { result } = completedTask(incoming.rpc);
        send({ ...result, status: { state: 'working' }, artifacts: [] });
        finish = () => {
          send({
            kind: 'status-update',
            taskId: result.id,
            contextId: 'c',
            status: { state: 'completed' },
            final: true,
          });
          incoming.response.end();
        };
        return true;
      });
      const configuration = { blocking: false, pushNotificationConfig: { url: receiver.url } };
      const sent = call(target, 'message/send', { message: message('wait'), configuration });
      await until(() => finish !== undefined, { withinMs: 10_000, what: 'the message' });
      await sent;
      agent.set(respondAtOnce);
      await wait(1_000);
      const unlock = await lock(parley.databaseUrl, 'push_config IN EXCLUSIVE MODE');
      finish();
      return async () => {
        await unlock();
        await until(() => receiver.count() > 0, { withinMs: 30_000, what: 'the delivery' });
        receiver.stop();
      };
    },
  },
  {
    alerts: ['PaymentsDelayed'],
    what: 'payment steps cannot be claimed',
    async cause({ parley }) {
      const client = await connect(parley.databaseUrl);
      await client.query(`INSERT INTO wallet_top_up (id, user_id, amount, currency, test, state, created_at, updated_at)
        VALUES ('top_drill', 'usr_drill', 100, 'EUR', true, 'pending', now(), now())`);
      await client.query(
        `INSERT INTO payment_outbox (top_up_id, kind, due_at) VALUES ('top_drill', 'retrieve', now() + '2 s')`,
      );
      await client.query('BEGIN; LOCK TABLE payment_outbox IN EXCLUSIVE MODE');
      return async () => {
        await client.query(`DELETE FROM payment_outbox WHERE top_up_id = 'top_drill'; COMMIT`);
        await client.end();
      };
    },
  },
  {
    alerts: ['ReplicationAsynchronous'],
    what: 'a standby connects that commits do not wait for',
    async cause({ parley }) {
      const standby = await connect(parley.databaseUrl, { replication: 'database' });
      return () => standby.end();
    },
  },
  {
    alerts: ['EmbeddingsBacklog', 'SearchWithoutMeaning'],
    what: 'the service of embeddings fails',
    async cause({ parley, embeddings }) {
      embeddings.fail(true);
      const added = await startScriptedAgent({ name: 'Added', handle: respondAtOnce });
      const response = await fetch(`${parley.origin}/api/agents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${parley.accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: added.url, appId: parley.app.id }),
      });
      if (!response.ok) throw new Error(`listing responded ${response.status}: ${await response.text()}`);
      const stop = repeat(200, () => fetch(`${parley.origin}/api/agents?limit=1&q=dinner${Math.random()}`));
      return async () => {
        embeddings.fail(false);
        await wait(5_000);
        await stop();
        added.stop();
      };
    },
  },
];

/** Runs concurrent searches while no statement can read agents. */
async function searchWhileLocked({ parley }, searches) {
  const unlock = await lock(parley.databaseUrl, 'agent IN ACCESS EXCLUSIVE MODE');
  const search = () => fetch(`${parley.origin}/api/agents?limit=1&q=${Math.random()}`);
  const stops = Array.from({ length: searches }, () => repeat(100, search));
  return async () => {
    await unlock();
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function connect(databaseUrl, options = {}) {
  const client = new pg.Client({ connectionString: databaseUrl, ...options });
  await client.connect();
  return client;
}

/** Locks a table; returns the function that unlocks it. */
async function lock(databaseUrl, target) {
  const client = await connect(databaseUrl);
  await client.query(`BEGIN; LOCK TABLE ${target}`);
  return () => client.end();
}

async function startReceiver() {
  let count = 0;
  const port = await freePort();
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${port}/hook`, count: () => count, stop: () => server.close() };
}
