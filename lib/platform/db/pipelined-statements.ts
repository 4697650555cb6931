import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Connection, Submittable } from 'pg';
import { PIPELINE_CLOSE_TIMEOUT_MS } from '../limits';
import { errorFields, log } from '../runtime/log';
import { connectionSettings, watchConnection } from './database-connection';
import { isDatabaseUnavailable, isQueryError, isStatementMissing } from './database-errors';
import { PrimaryClient } from './primary-client';
import { perDatabase, type TaskDatabase } from './task-databases/task-databases';

/** A prepared statement and its parameters in PostgreSQL's text format. One name per statement text. */
export interface Statement {
  name: string;
  text: string;
  values: (string | null)[];
}

/** The columns of a row, in PostgreSQL's text format. */
export type TextRow = (string | null)[];

/**
 * Prepared statements sent in one round trip and committed as one transaction ("Extended Query": everything up to one
 * Sync).
 */
class PipelinedStatements implements Submittable {
  readonly rows: Promise<TextRow[][]>;
  private readonly results: TextRow[][] = [[]];
  private deferred!: { resolve: (rows: TextRow[][]) => void; reject: (error: unknown) => void };
  private isSent = false;

  /**
   * `prepared`: the names of the statements that the connection has prepared, including those in flight. Updated by
   * this class.
   */
  constructor(
    private readonly statements: Statement[],
    private readonly prepared: Set<string>,
  ) {
    this.rows = new Promise((resolve, reject) => {
      this.deferred = { resolve, reject };
    });
  }

  /** Sends the statements. Called by the driver in order, or earlier, so that the database is never idle. */
  submit(connection: Connection): void {
    if (this.isSent) return;
    this.isSent = true;
    connection.stream.cork();
    try {
      for (const statement of this.statements) this.send(statement, connection);
      connection.sync();
    } catch (error) {
      // A part of it may have been sent, so the connection is unusable.
      connection.stream.destroy();
      this.handleError(error);
    } finally {
      connection.stream.uncork();
    }
  }

  private send({ name, text, values }: Statement, connection: Connection): void {
    if (!this.prepared.has(name)) {
      // A failed attempt may have prepared the name; closing one that does not exist is allowed.
      connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
      this.prepared.add(name);
    }
    connection.bind({ statement: name, values }, true);
    connection.execute({}, true);
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.results.at(-1)?.push(fields);
  }

  handleCommandComplete(): void {
    this.results.push([]);
  }

  handleReadyForQuery(): void {
    this.deferred.resolve(this.results.slice(0, this.statements.length));
  }

  handleError(error: unknown): void {
    for (const { name } of this.statements) this.prepared.delete(name);
    this.deferred.reject(error);
  }
}

/**
 * Planner settings of this connection. A prepared statement keeps its first plan, which for a small table is a
 * sequential scan and becomes slow as the table grows. With these, every row is found by its key.
 */
const indexOnlyPlanSettings = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off';

/**
 * The connection for pipelined statements. Up to two calls are in flight: the server receives the second one while it
 * executes the first, so that neither side waits for the other.
 */
interface PipelineConnection {
  database: TaskDatabase;
  client: Promise<pg.Client> | null;
  socket: Socket | null;
  prepared: Set<string>;
  /** Settle when the latest call and the one before it have finished. */
  lastCall: Promise<void>;
  previousCall: Promise<void>;
  /** Calls in flight. */
  inFlight: number;
}

const connections = new Set<PipelineConnection>();

/** The connection to each task database. */
const connectionTo = perDatabase((database): PipelineConnection => {
  const created: PipelineConnection = {
    database,
    client: null,
    socket: null,
    prepared: new Set(),
    lastCall: Promise.resolve(),
    previousCall: Promise.resolve(),
    inFlight: 0,
  };
  connections.add(created);
  return created;
});

/**
 * Executes prepared statements in one transaction of a task database and returns the rows of each; calls for one
 * database run one after the other, in order.
 * @throws the database's error; the driver's error for a broken connection, after which the outcome is unknown
 */
export async function executePipelined(database: TaskDatabase, statements: Statement[]): Promise<TextRow[][]> {
  const connection = connectionTo(database);
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

/** Retries once if a statement is missing because the call that should have prepared it failed. */
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
    // While another call is in flight, the driver would wait for its end.
    if (connection.client === current) pipeline.submit(client.connection);
    return await pipeline.rows;
  } catch (error) {
    // The server has announced that it will close the connection, which must not be used again.
    if (isDatabaseUnavailable(error) && !isQueryError(error) && connection.client === current) {
      connection.client = null;
      connection.socket?.destroy();
    }
    throw error;
  }
}

async function connect(connection: PipelineConnection): Promise<pg.Client> {
  const socket = new Socket();
  const client = new PrimaryClient({
    ...connectionSettings(connection.database.cluster()),
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
    watchConnection(client, connection.database.cluster());
    await client.query(indexOnlyPlanSettings);
    return client;
  } catch (error) {
    markClosed();
    client.end().catch((failure) => log.debug('database.end_failed', errorFields(failure)));
    throw error;
  }
}

/** Closes the connections as soon as no call is in flight. For shutdown. */
export async function closePipeline(): Promise<void> {
  await Promise.all([...connections].map(close));
}

async function close(connection: PipelineConnection): Promise<void> {
  for (let waited = 0; connection.inFlight > 0 && waited < PIPELINE_CLOSE_TIMEOUT_MS; waited += 20) await delay(20);
  // A failed connection attempt was already reported to its caller.
  await (await connection.client?.catch(() => null))?.end();
}
