import { connectionSettings, watchConnection } from '../db/database-connection';
import { PrimaryClient } from '../db/primary-client';
import { execute } from '../db/sql';
import { listAdded } from '../db/task-databases/inspect-databases';
import { cacheOwnersWhile, forgetOwner, forgetOwners } from '../db/task-databases/owner-directory';
import { extraTaskDatabases, type TaskDatabase } from '../db/task-databases/task-databases';
import {
  BUS_RECONNECT_INITIAL_DELAY_MS,
  BUS_RECONNECT_MAX_DELAY_MS,
  HEARTBEAT_INTERVAL_MS,
  PEER_RECONNECT_MS,
} from '../limits';
import { errorFields, log } from '../runtime/log';
import { onNotification } from './connection';
import { listenAndLock } from './node-session';
import { emitGap, onConnectionGap, subscribe } from './notifications';
import { isListening, nodeId } from './state';

/** The listening connections to the databases of `TASK_DATABASE_URLS`, which notify of commits there. */
const listeners = new Set<TaskListener>();

/**
 * Subscribes to the notifications of each task database other than the main one, and reconnects until {@link
 * stopTaskListeners}. Resolves after the first attempt at each of them.
 */
export async function startTaskListeners(): Promise<void> {
  if (extraTaskDatabases().length === 0) return;
  followOwnerMoves();
  for (const database of extraTaskDatabases()) listeners.add(new TaskListener(database));
  await Promise.all([...listeners].map((listener) => listener.connect()));
}

/** Makes this node look up an owner again that is moved to another database, and acknowledge that. */
function followOwnerMoves(): void {
  cacheOwnersWhile(isListening);
  onConnectionGap(forgetOwners);
  subscribe('owner', '*', (principal) => {
    forgetOwner(principal);
    acknowledge(principal).catch((error) => log.warn('owner_move.acknowledgement_failed', errorFields(error)));
  });
}

async function acknowledge(principal: string): Promise<void> {
  await execute(
    'acknowledge-owner-move',
    'UPDATE task_move SET acknowledged = array_append(acknowledged, $2) WHERE principal = $1 AND paused_at IS NOT NULL',
    [principal, nodeId()],
  );
}

/** Ends the connections permanently. For shutdown. */
export async function stopTaskListeners(): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener.stop()));
}

class TaskListener {
  private client: PrimaryClient | null = null;
  private delayMs = BUS_RECONNECT_INITIAL_DELAY_MS;
  private isStopped = false;
  private hadConnection = false;
  sessionPid: number | null = null;

  constructor(private readonly database: TaskDatabase) {
    database.isReachable = false;
  }

  async connect(): Promise<void> {
    if (this.isStopped) return;
    const cluster = this.database.cluster();
    const client = new PrimaryClient(connectionSettings(cluster));
    this.client = client;
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    client.on('error', (error) => this.onDisconnect(client, error));
    client.on('end', () => this.onDisconnect(client, new Error('connection closed')));
    try {
      await client.connect();
      watchConnection(client, cluster);
      await listenAndLock(client, this);
      this.delayMs = BUS_RECONNECT_INITIAL_DELAY_MS;
      this.becomeReachable(client);
      this.checkPeriodically(client);
    } catch (error) {
      this.onDisconnect(client, error);
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.client?.end();
  }

  /** After a reconnect, peers that lost their connections too have time to hold their locks again. */
  private becomeReachable(client: PrimaryClient): void {
    const waitMs = this.hadConnection ? PEER_RECONNECT_MS : 0;
    this.hadConnection = true;
    emitGap('any');
    const settle = (): void => {
      if (this.client === client) this.database.isReachable = true;
    };
    if (waitMs === 0) settle();
    else setTimeout(settle, waitMs).unref();
  }

  /** The watchdog of the connection detects a server that does not respond to the statement. */
  private checkPeriodically(client: PrimaryClient): void {
    const timer = setInterval(() => {
      if (this.client !== client) return clearInterval(timer);
      client.query('SELECT 1').catch((error) => this.onDisconnect(client, error));
      if (this.database.isAdded) return;
      listAdded().catch((error) => log.debug('bus.task_databases_unknown', errorFields(error)));
    }, HEARTBEAT_INTERVAL_MS);
    timer.unref();
  }

  private onDisconnect(client: PrimaryClient, error: unknown): void {
    if (this.client !== client) return;
    this.client = null;
    this.database.isReachable = false;
    if (this.isStopped) return;
    log.warn('bus.task_connection_lost', { database: this.database.name, ...errorFields(error) });
    emitGap('any');
    client.end().catch((failure) => log.debug('bus.end_failed', errorFields(failure)));
    setTimeout(() => void this.connect(), this.delayMs).unref();
    this.delayMs = Math.min(this.delayMs * 2, BUS_RECONNECT_MAX_DELAY_MS);
  }
}
