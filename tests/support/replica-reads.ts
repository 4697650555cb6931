import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

interface Pairs {
  /** The standby, whose replay is paused. */
  standbyUrl: string;
  nodes: string[];
  /** Access tokens; the pairs of different users run at the same time. */
  accessTokens: string[];
  pairs: number;
}

/** The longest pause of the replay, and the longest time between two pauses. */
const maxPauseMs = 200;

/**
 * Lets each user change a title at a random node and then read it at a random node, while the replay of the standby
 * stops and continues at random times. Returns the number of pairs, and of reads that returned an older title.
 */
export async function writeThenReadPairs({ standbyUrl, nodes, accessTokens, pairs }: Pairs): Promise<{
  done: number;
  stale: number;
}> {
  const counts = { begun: 0, done: 0, stale: 0 };
  const pausing = { isOver: false };
  const paused = pauseAtRandom(standbyUrl, pausing);
  const anyNode = (): string => nodes[Math.floor(Math.random() * nodes.length)] ?? '';
  async function runPairs(accessToken: string): Promise<void> {
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const call = async (method: string, path: string, input?: object): Promise<{ id: string; title: string }> => {
      const body = input && JSON.stringify(input);
      const response = await fetch(`${anyNode()}/api/collections${path}`, { method, headers, body });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { id: string; title: string };
    };
    const { id } = await call('POST', '', { title: 'New' });
    while (counts.begun < pairs) {
      counts.begun += 1;
      const title = `Title ${counts.begun}`;
      await call('PATCH', `/${id}`, { title });
      if ((await call('GET', `/${id}`)).title !== title) counts.stale += 1;
      counts.done += 1;
    }
  }
  try {
    await Promise.all(accessTokens.map(runPairs));
  } finally {
    pausing.isOver = true;
    await paused;
  }
  return { done: counts.done, stale: counts.stale };
}

async function pauseAtRandom(standbyUrl: string, pausing: { isOver: boolean }): Promise<void> {
  const client = new Client({ connectionString: standbyUrl });
  await client.connect();
  while (!pausing.isOver) {
    await client.query('SELECT pg_wal_replay_pause()');
    await delay(Math.random() * maxPauseMs);
    await client.query('SELECT pg_wal_replay_resume()');
    await delay(Math.random() * maxPauseMs);
  }
  await client.end();
}

/** Stops the replay of a standby, and waits until it has stopped. */
export async function pauseReplay(standbyUrl: string): Promise<void> {
  const client = new Client({ connectionString: standbyUrl });
  await client.connect();
  await client.query('SELECT pg_wal_replay_pause()');
  for (;;) {
    const { rows } = await client.query('SELECT pg_get_wal_replay_pause_state() AS state');
    if (rows[0]?.state === 'paused') break;
    await delay(5);
  }
  await client.end();
}
