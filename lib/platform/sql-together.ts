import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseAway, isUnprepared } from './database-away';
import { connectionSettings } from './database-connection';
import { watchConnection } from './database-watchdog';
import { errorFields, log } from './log';
import { shared } from './registry';
import { type Statement, Statements, type TextRow } from './statements';

/**
 * How the planner works on this connection. A prepared statement keeps the plan that was best when it was made, and of a table with
 * a few rows the best is to read all of it: a minute later that is thousands for every write. Here every row is found by its
 * key whatever the table's size.
 */
const keyPlans = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off';

/**
 * The one connection for statements that are carried out together. Two calls are on it at once, the second already with the database
 * while it carries out the first: else it would wait for us each time, and we for it.
 */
interface Line {
  client: Promise<pg.Client> | null;
  socket: Socket | null;
  prepared: Set<string>;
  /** Settle when the latest call, and the one before it, have been carried out. */
  latest: Promise<void>;
  earlier: Promise<void>;
  /** How many are under way. */
  underWay: number;
}

/** How long the end of the process waits for what is under way, milliseconds. */
const endMs = 2_000;

function line(): Line {
  return shared('pg-line', () => {
    const nothing = { client: null, socket: null, prepared: new Set<string>() };
    const settled = Promise.resolve();
    return { ...nothing, latest: settled, earlier: settled, underWay: 0 };
  });
}

/**
 * Carries out prepared statements that find many rows by their keys, in one commit or none of them, and gives the rows of each; one
 * call after the other, in the order in which they came.
 * @throws what the database says; what the driver says of a connection that broke, after which nobody knows what was written
 */
export async function queryTogether(statements: Statement[]): Promise<TextRow[][]> {
  const kept = line();
  const rows = kept.earlier.then(() => carryOut(kept, statements));
  kept.underWay += 1;
  kept.earlier = kept.latest;
  kept.latest = rows.then(ignore, ignore);
  try {
    return await rows;
  } finally {
    kept.underWay -= 1;
  }
}

const ignore = (): void => undefined;

/** A statement that was to be prepared by a call which failed before it came to that is not there: then it is prepared anew. */
async function carryOut(kept: Line, statements: Statement[]): Promise<TextRow[][]> {
  try {
    return await carryOutOnce(kept, statements);
  } catch (error) {
    if (!isUnprepared(error)) throw error;
    return carryOutOnce(kept, statements);
  }
}

async function carryOutOnce(kept: Line, statements: Statement[]): Promise<TextRow[][]> {
  kept.client ??= connect(kept);
  const { client: opened } = kept;
  try {
    const client = await opened;
    const together = client.query(new Statements(statements, kept.prepared));
    // Behind another call the driver would keep them back until that is over.
    if (kept.client === opened) together.submit(client.connection);
    return await together.rows;
  } catch (error) {
    // The server says that it goes before it does: nothing more is said on this connection.
    if (isDatabaseAway(error) && kept.client === opened) {
      kept.client = null;
      kept.socket?.destroy();
    }
    throw error;
  }
}

async function connect(kept: Line): Promise<pg.Client> {
  const socket = new Socket();
  const client = new pg.Client({
    ...connectionSettings(),
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
    watchConnection(client);
    await client.query(keyPlans);
    return client;
  } catch (error) {
    lose();
    client.end().catch((failure) => log.debug('database.end_failed', errorFields(failure)));
    throw error;
  }
}

/** Closes the connection once nothing is under way; for the end of the process. */
export async function closeLine(): Promise<void> {
  const kept = line();
  for (let waited = 0; kept.underWay > 0 && waited < endMs; waited += 20) await delay(20);
  // One that could not be made was told of to whoever wanted it, and needs no closing.
  await (await kept.client?.catch(() => null))?.end();
}
