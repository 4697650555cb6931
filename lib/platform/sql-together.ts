import { Socket } from 'node:net';
import pg from 'pg';
import { onGap } from './bus';
import { env } from './env';
import { errorFields, log } from './log';
import { shared } from './registry';
import { type Statement, Statements, type TextRow } from './statements';

/**
 * How the planner works on this connection. A prepared statement keeps the plan that was best when it was made, and of a table with
 * a few rows the best is to read all of it: a minute later that is thousands for every write. Here every row is found by its
 * key whatever the table's size.
 */
const keyPlans = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off';

/** The one connection for statements that are carried out together: what comes meanwhile waits, and is gathered. */
interface Line {
  client: Promise<pg.Client> | null;
  socket: Socket | null;
  prepared: Set<string>;
  /** When the oldest that is under way was begun, milliseconds of the process; null when there is none. */
  busySince: number | null;
}

/** What was under way when notices may have been missed, and is so long after, is lost, milliseconds. */
const silentMs = 3_000;

function line(): Line {
  return shared('pg-line', () => {
    const kept: Line = { client: null, socket: null, prepared: new Set(), busySince: null };
    // A machine that vanished says nothing: what is under way there would be waited for for hours.
    onGap(() => {
      const since = kept.busySince;
      const check = (): void => {
        if (since !== null && kept.busySince === since) kept.socket?.destroy();
      };
      setTimeout(check, silentMs).unref();
    });
    return kept;
  });
}

/**
 * Carries out prepared statements that find many rows by their keys, in one commit or none of them, and gives the rows of each.
 * @throws what the database says; what the driver says of a connection that broke, after which nobody knows what was written
 */
export async function queryTogether(statements: Statement[]): Promise<TextRow[][]> {
  const kept = line();
  kept.client ??= connect(kept);
  const client = await kept.client;
  const since = performance.now();
  kept.busySince ??= since;
  try {
    return await client.query(new Statements(statements, kept.prepared)).rows;
  } finally {
    if (kept.busySince === since) kept.busySince = null;
  }
}

async function connect(kept: Line): Promise<pg.Client> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: env().DATABASE_URL,
    connectionTimeoutMillis: 15_000,
    stream: () => socket,
  });
  kept.socket = socket;
  kept.prepared = new Set();
  const lose = (): void => {
    if (kept.socket !== socket) return;
    kept.client = null;
    kept.socket = null;
  };
  client.on('error', (error) => {
    lose();
    log.warn('database.connection_lost', errorFields(error));
  });
  client.on('end', lose);
  try {
    await client.connect();
    await client.query(keyPlans);
    return client;
  } catch (error) {
    lose();
    client.end().catch(() => undefined);
    throw error;
  }
}

/** Closes the connection; for the end of the process. */
export async function closeLine(): Promise<void> {
  const { client } = line();
  await (await client?.catch(() => null))?.end();
}
