import {
  AuthorizationError,
  connect,
  type NatsConnection,
  PermissionViolationError,
  type Subscription,
} from '@nats-io/transport-node';
import { BUS_RECONNECT_INITIAL_DELAY_MS, BUS_RECONNECT_MAX_DELAY_MS, NATS_NOTICE_POLL_MS } from '../limits';
import { env } from '../runtime/env';
import { type LogFields, log } from '../runtime/log';
import { once } from '../runtime/once';
import { type NatsSettings, natsOptions, natsServers, readDatabaseId } from './nats-options';
import { keyOf, type NoticeTransport, subjectOf, type Topic } from './topics';

/** A subject that this node subscribes to, with its number of subscribers. */
interface Interest {
  topic: Topic;
  key: string | '*';
  count: number;
  subscription: Subscription | null;
}

interface NatsEvents {
  /** Called when the connection was established or lost. */
  onChange: (isUp: boolean) => void;
  onNotice: (topic: Topic, key: string) => void;
}

/**
 * NATS: notifies after the commit, and only the nodes that subscribe to the key. A notification may be lost with the
 * connection or the sender. Reconnects after each loss until it is stopped.
 */
class NatsTransport implements NoticeTransport {
  /** True while the connection is established and the server has the subscriptions. */
  isUp = false;
  private connection: NatsConnection | null = null;
  private prefix = '';
  private readonly interests = new Map<string, Interest>();
  /** The subjects to publish at the end of this turn of the event loop: in one write, without duplicates. */
  private readonly pending = new Set<string>();
  private events: NatsEvents | null = null;
  private retryMs = BUS_RECONNECT_INITIAL_DELAY_MS;
  /** The last state that was logged: connected, unavailable, or the name of the server's error. */
  private reported = '';
  private stopped = false;

  /** Connects, once. */
  start(events: NatsEvents): void {
    if (this.events) return;
    this.events = events;
    void this.connect();
  }

  async stop(): Promise<void> {
    this.publishPending();
    this.stopped = true;
    this.isUp = false;
    await this.connection?.close();
  }

  inCommit(): [] {
    return [];
  }

  afterCommit(topic: Topic, key: string): void {
    if (!this.isUp) return;
    if (this.pending.size === 0) setImmediate(() => this.publishPending());
    this.pending.add(subjectOf(this.prefix, topic, key));
  }

  private publishPending(): void {
    const { connection } = this;
    const subjects = [...this.pending];
    this.pending.clear();
    if (!connection) return;
    try {
      for (const subject of subjects) connection.publish(subject);
    } catch (error) {
      this.onLoss(connection, error);
    }
  }

  async publish(topic: Topic, key: string): Promise<void> {
    this.afterCommit(topic, key);
  }

  /** Subscribes this node to notifications about `key` until the returned function is called. */
  keepInterest(topic: Topic, key: string | '*'): () => void {
    const name = `${topic} ${key}`;
    const interest = this.interests.get(name) ?? { topic, key, count: 0, subscription: null };
    interest.count += 1;
    if (interest.count === 1) {
      this.interests.set(name, interest);
      if (this.connection) this.subscribe(this.connection, interest);
    }
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      interest.count -= 1;
      if (interest.count > 0) return;
      this.interests.delete(name);
      interest.subscription?.unsubscribe();
    };
  }

  private async connect(): Promise<void> {
    if (this.stopped) return;
    let connection: NatsConnection | null = null;
    try {
      this.prefix ||= `parley.${await readDatabaseId()}`;
      connection = await connect(natsOptions(settings()));
      this.connection = connection;
      this.watch(connection);
      for (const interest of this.interests.values()) this.subscribe(connection, interest);
      // The server responds to the flush after it has processed all subscriptions and rejected those that are not
      // permitted.
      this.subscribe(connection, { topic: 'test', key: 'permission', count: 1, subscription: null });
      connection.publish(subjectOf(this.prefix, 'test', 'permission'));
      await connection.flush();
      if (this.connection !== connection) return;
      this.isUp = true;
      this.retryMs = BUS_RECONNECT_INITIAL_DELAY_MS;
      this.report('connected', { server: connection.getServer() });
      this.events?.onChange(true);
    } catch (error) {
      this.onLoss(connection, error);
    }
  }

  private subscribe(connection: NatsConnection, interest: Interest): void {
    const { topic, key } = interest;
    const onNotice = (subject: string): void => this.events?.onNotice(topic, key === '*' ? keyOf(subject) : key);
    try {
      interest.subscription = connection.subscribe(subjectOf(this.prefix, topic, key), {
        callback: (error, message) => (error ? this.onLoss(connection, error) : onNotice(message.subject)),
      });
    } catch (error) {
      this.onLoss(connection, error);
    }
  }

  private watch(connection: NatsConnection): void {
    const watchErrors = async (): Promise<void> => {
      for await (const status of connection.status()) if (status.type === 'error') throw status.error;
    };
    watchErrors().catch((error) => this.onLoss(connection, error));
    void connection.closed().then((error) => this.onLoss(connection, error ?? new Error('the connection was lost')));
  }

  /**
   * Closes the connection after any error, because notifications may have been lost. `connection` is null if it was
   * never established.
   */
  private onLoss(connection: NatsConnection | null, error: unknown): void {
    if (this.connection !== connection) return;
    this.connection = null;
    const wasUp = this.isUp;
    this.isUp = false;
    for (const interest of this.interests.values()) interest.subscription = null;
    if (this.stopped) return;
    void connection?.close();
    this.report(isRefusal(error) ? error.name : 'unavailable', {
      servers: natsServers(settings()).join(),
      reason: error instanceof Error ? error.message : 'unknown',
    });
    if (wasUp) this.events?.onChange(false);
    setTimeout(() => void this.connect(), this.retryMs).unref();
    this.retryMs = Math.min(this.retryMs * 2, BUS_RECONNECT_MAX_DELAY_MS);
  }

  private report(state: string, fields: LogFields): void {
    if (this.reported === state) return;
    this.reported = state;
    if (state === 'connected') log.info('notices.nats_connected', fields);
    else log.warn('notices.nats_unavailable', { ...fields, instead: 'PostgreSQL carries all notifications' });
  }
}

/** Returns true if an operator has to resolve the loss. Such a loss may follow a temporary one. */
function isRefusal(error: unknown): error is Error {
  return error instanceof PermissionViolationError || error instanceof AuthorizationError;
}

/** The NATS transport; null unless NOTICES_URL is set. */
export const nats = once((): NatsTransport | null => (env().NOTICES_URL.length > 0 ? new NatsTransport() : null));

/**
 * Returns true if notifications of hot topics may be lost, in which case their readers poll the database while they
 * wait.
 */
export function looksForNotices(): boolean {
  return nats() !== null;
}

/**
 * Returns the interval at which a waiting reader of a hot topic polls the database; `withNotify` if NATS is not
 * configured.
 */
export function noticePollMs(withNotify: number): number {
  if (!looksForNotices()) return withNotify;
  // Jitter, so that readers that start to wait together do not read together.
  return Math.min(withNotify, NATS_NOTICE_POLL_MS * (0.8 + Math.random() * 0.2));
}

function settings(): NatsSettings {
  const { NOTICES_URL, NOTICES_CREDENTIALS } = env();
  return { urls: NOTICES_URL, credentials: NOTICES_CREDENTIALS };
}
