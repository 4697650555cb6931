import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectionSettings } from './database-connection';
import { isDatabaseUnavailable, isStatementMissing } from './database-errors';
import { watchConnection } from './database-watchdog';
import { errorFields, log } from './log';
import { PipelinedStatements, type Statement, type TextRow } from './pipelined-statements';
import { processSingleton } from './singleton';

/**
 * How the planner works on this connection. A prepared statement keeps the plan that was best when it was made, and of a table with
 * a few rows the best is to read all of it: a minute later that is thousands for every write. Here every row is found by its
 * key whatever the table's size.
 */
const indexOnlyPlanSettings = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off';

/**
 * The one connection for statements that are carried out together. Two calls are on it at once, the second already with the database
 * while it carries out the first: else it would wait for us each time, and we for it.
 */
interface PipelineConnection {
  client: Promise<pg.Client> | null;
  socket: Socket | null;
  prepared: Set<string>;
  /** Settle when the latest call, and the one before it, have been carried out. */
  lastCall: Promise<void>;
  previousCall: Promise<void>;
  /** How many are under way. */
  inFlight: number;
}

/** How long the end of the process waits for what is under way, milliseconds. */
const closeTimeoutMs = 2_000;

function pipelineConnection(): PipelineConnection {
  return processSingleton('pg-line', () => {
    const idle = { client: null, socket: null, prepared: new Set<string>() };
    const resolved = Promise.resolve();
    return { ...idle, lastCall: resolved, previousCall: resolved, inFlight: 0 };
  });
}

/**
 * Carries out prepared statements that find many rows by their keys, in one commit or none of them, and gives the rows of each; one
 * call after the other, in the order in which they came.
 * @throws what the database says; what the driver says of a connection that broke, after which nobody knows what was written
 */
export async function executePipelined(statements: Statement[]): Promise<TextRow[][]> {
  const connection = pipelineConnection();
  const rows = connection.previousCall.then(() => executeWithRetry(connection, statements));
  connection.inFlight += 1;
  connection.previousCall = connection.lastCall;
  connection.lastCall = rows.then(ignore, ignore);
  try {
    return await rows;
  } finally {
    connection.inFlight -= 1;
  }
}

const ignore = (): void => undefined;

/** A statement that was to be prepared by a call which failed before it came to that is not there: then it is prepared anew. */
async function executeWithRetry(connection: PipelineConnection, statements: Statement[]): Promise<TextRow[][]> {
  try {
    return await executeOnce(connection, statements);
  } catch (error) {
    if (!isStatementMissing(error)) throw error;
    return executeOnce(connection, statements);
  }
}

async function executeOnce(connection: PipelineConnection, statements: Statement[]): Promise<TextRow[][]> {
  connection.client ??= connect(connection);
  const { client: current } = connection;
  try {
    const client = await current;
    const pipeline = client.query(new PipelinedStatements(statements, connection.prepared));
    // Behind another call the driver would keep them back until that is over.
    if (connection.client === current) pipeline.submit(client.connection);
    return await pipeline.rows;
  } catch (error) {
    // The server says that it goes before it does: nothing more is said on this connection.
    if (isDatabaseUnavailable(error) && connection.client === current) {
      connection.client = null;
      connection.socket?.destroy();
    }
    throw error;
  }
}

async function connect(connection: PipelineConnection): Promise<pg.Client> {
  const socket = new Socket();
  const client = new pg.Client({
    ...connectionSettings(),
    stream: () => socket,
  });
  connection.socket = socket;
  connection.prepared = new Set();
  const markClosed = (): void => {
    if (connection.socket !== socket) return;
    connection.client = null;
    connection.socket = null;
  };
  client.on('error', (error) => {
    markClosed();
    log.warn('database.connection_lost', errorFields(error));
  });
  client.on('end', markClosed);
  try {
    await client.connect();
    watchConnection(client);
    await client.query(indexOnlyPlanSettings);
    return client;
  } catch (error) {
    markClosed();
    client.end().catch((failure) => log.debug('database.end_failed', errorFields(failure)));
    throw error;
  }
}

/** Closes the connection once nothing is under way; for the end of the process. */
export async function closePipeline(): Promise<void> {
  const connection = pipelineConnection();
  for (let waited = 0; connection.inFlight > 0 && waited < closeTimeoutMs; waited += 20) await delay(20);
  // One that could not be made was told of to whoever wanted it, and needs no closing.
  await (await connection.client?.catch(() => null))?.end();
}
