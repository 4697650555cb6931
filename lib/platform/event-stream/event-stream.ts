import type { JetStreamClient, JetStreamManager, MsgRequest } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type NatsSettings, natsOptions, natsServers, readDatabaseId } from '../bus/nats-options';
import { doPeersReadEvents } from '../bus/state';
import {
  BUS_RECONNECT_INITIAL_DELAY_MS,
  BUS_RECONNECT_MAX_DELAY_MS,
  STREAM_ACK_TIMEOUT_MS,
  STREAM_REFUSAL_PAUSE_MS,
  STREAM_REQUEST_TIMEOUT_MS,
} from '../limits';
import { env } from '../runtime/env';
import { errorFields, log } from '../runtime/log';
import { once } from '../runtime/once';
import { requireStream } from './stream-settings';

/** A message of the stream, and its number in it. */
export interface StreamMessage {
  number: number;
  data: string;
}

/** JetStream's codes for an unexpected last message of a subject. */
const CONFLICT_CODES = [10071, 10164];

/**
 * The JetStream stream of this deployment. It stores messages in order by subject; a message is stored when its
 * publish is acknowledged. Connects again after each loss until it is stopped.
 */
class EventStream {
  /** True while the connection is established and the stream is usable. */
  isUp = false;
  /** Why the stream is not usable; null if it is. */
  reason: string | null = 'not connected yet';
  private connection: NatsConnection | null = null;
  private client: JetStreamClient | null = null;
  private manager: JetStreamManager | null = null;
  private database = '';
  private retryMs = BUS_RECONNECT_INITIAL_DELAY_MS;
  private refusedUntil = 0;
  private stopped = false;
  private readonly downListeners = new Set<() => void>();
  private readonly followers = new Map<string, Set<(data: string) => void>>();
  private readonly subscriptions = new Map<string, { unsubscribe: () => void }>();

  /** Connects, and checks or creates the stream. Resolves after the first attempt. Never throws. */
  async start(): Promise<void> {
    await this.connect();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.isUp = false;
    await this.connection?.close();
  }

  /** True if a new segment may be opened: the stream is usable, and has not refused a message within seconds. */
  get accepts(): boolean {
    return this.isUp && performance.now() >= this.refusedUntil;
  }

  /** Calls `listener` when the stream becomes unusable. Returns a function that removes it. */
  onDown(listener: () => void): () => void {
    this.downListeners.add(listener);
    return () => this.downListeners.delete(listener);
  }

  /** Returns the subject of a segment of a task's events. `owner` must not identify a person. */
  subjectOf(owner: string, taskId: string, after: number): string {
    return `parley.events.${this.database}.${owner}.${taskId}.${after}`;
  }

  /**
   * Stores a message if `last` is the number of the subject's last message, 0 for none. Returns its number; null if
   * another message was stored before it.
   * @throws if it was not acknowledged, in which case it may be stored nevertheless
   */
  async publish(subject: string, data: string, { id, last }: { id: string; last: number }): Promise<number | null> {
    if (!this.client || !this.isUp) throw new Error('the event stream is unavailable');
    const { connection } = this;
    const options = { msgID: id, expect: { lastSubjectSequence: last }, timeout: STREAM_ACK_TIMEOUT_MS };
    const ack = await this.client.publish(subject, data, options).catch((error: unknown) => {
      const code = codeOf(error);
      if (code !== null && CONFLICT_CODES.includes(code)) return null;
      if (code === null) this.onLoss(connection, error);
      else this.onRefusal(error);
      throw error;
    });
    // A former owner of the run has published an event of this number, which was refused or not acknowledged.
    if (ack?.duplicate) throw new Error('the event stream has a message with this id already');
    return ack?.seq ?? null;
  }

  /**
   * Stores a message after which no publish to the subject is accepted that does not know it. Returns its number.
   * @throws if it was not acknowledged
   */
  async fence(subject: string): Promise<number> {
    if (!this.client || !this.isUp) throw new Error('the event stream is unavailable');
    return (await this.client.publish(subject, FENCE, { timeout: STREAM_REQUEST_TIMEOUT_MS })).seq;
  }

  /**
   * Reads the subject's messages after the number `after`, without fences, from the stream's leader. `until`: the number
   * of a message that exists.
   * @throws if the stream is unavailable, or a leader that was replaced responds
   */
  async read(subject: string, after: number, until = 0): Promise<StreamMessage[]> {
    if (!this.manager || !this.isUp) throw new Error('the event stream is unavailable');
    const messages: StreamMessage[] = [];
    for (let last = after; ; ) {
      // Missing in the client's type of the request.
      const query = { seq: last + 1, next_by_subj: subject } as MsgRequest;
      const found = await this.manager.streams.getMessage(this.name, query);
      if (!found) {
        if (last < until) throw new Error('the event stream returned an old state');
        return messages;
      }
      last = found.seq;
      const data = found.string();
      if (data !== FENCE) messages.push({ number: found.seq, data });
    }
  }

  /** Sends data to the followers of `key` on other nodes. It may be lost. */
  announce(key: string, data: string): void {
    if (!this.isUp) return;
    try {
      this.connection?.publish(this.liveSubjectOf(key), data);
    } catch (error) {
      this.onLoss(this.connection, error);
    }
  }

  /** Calls `listener` with the announcements of other nodes until the returned function is called. */
  follow(key: string, listener: (data: string) => void): () => void {
    const listeners = this.followers.get(key) ?? new Set();
    this.followers.set(key, listeners.add(listener));
    if (listeners.size === 1) this.subscribe(key);
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.followers.delete(key);
      this.subscriptions.get(key)?.unsubscribe();
      this.subscriptions.delete(key);
    };
  }

  private get name(): string {
    return eventStreamName(this.database);
  }

  private liveSubjectOf(key: string): string {
    return `parley.live.${this.database}.${key}`;
  }

  private async connect(): Promise<void> {
    if (this.stopped) return;
    let connection: NatsConnection | null = null;
    try {
      this.database ||= await readDatabaseId();
      const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
      connection = await connect({ ...natsOptions(eventStreamSettings()), name: 'parley events' });
      this.connection = connection;
      this.watch(connection);
      const manager = await jetstreamManager(connection, { timeout: STREAM_REQUEST_TIMEOUT_MS, checkAPI: false });
      await requireStream(manager, { name: this.name, subjects: [`parley.events.${this.database}.>`] });
      if (this.connection !== connection) return;
      this.client = jetstream(connection);
      this.manager = manager;
      for (const key of this.followers.keys()) this.subscribe(key);
      await connection.flush();
      if (this.connection !== connection) return;
      this.isUp = true;
      this.reason = null;
      this.retryMs = BUS_RECONNECT_INITIAL_DELAY_MS;
      log.info('events.stream_connected', { server: connection.getServer(), stream: this.name });
    } catch (error) {
      this.onLoss(connection, error);
    }
  }

  private subscribe(key: string): void {
    if (!this.connection) return;
    try {
      const subscription = this.connection.subscribe(this.liveSubjectOf(key), {
        callback: (error, message) => {
          if (error) return;
          for (const listener of this.followers.get(key) ?? []) listener(message.string());
        },
      });
      this.subscriptions.set(key, subscription);
    } catch (error) {
      this.onLoss(this.connection, error);
    }
  }

  private watch(connection: NatsConnection): void {
    void connection.closed().then((error) => this.onLoss(connection, error ?? new Error('the connection was lost')));
  }

  /** `null`: the connection was never established. */
  private onLoss(connection: NatsConnection | null, error: unknown): void {
    if (this.connection !== connection) return;
    const wasUp = this.isUp;
    this.connection = null;
    this.client = null;
    this.manager = null;
    this.isUp = false;
    this.subscriptions.clear();
    if (this.stopped) return;
    void connection?.close();
    const reason = error instanceof Error ? error.message : 'unknown';
    if (wasUp || this.reason !== reason) {
      const fields = { servers: natsServers(eventStreamSettings()).join(), reason };
      log.warn('events.stream_unavailable', { ...fields, instead: 'PostgreSQL carries all events' });
    }
    this.reason = reason;
    if (wasUp) for (const listener of [...this.downListeners]) listener();
    setTimeout(() => void this.connect(), this.retryMs).unref();
    this.retryMs = Math.min(this.retryMs * 2, BUS_RECONNECT_MAX_DELAY_MS);
  }

  /** The stream is full, or has lost its quorum. */
  private onRefusal(error: unknown): void {
    const isNew = performance.now() >= this.refusedUntil;
    this.refusedUntil = performance.now() + STREAM_REFUSAL_PAUSE_MS;
    if (isNew) log.warn('events.stream_refused', { ...errorFields(error), instead: 'PostgreSQL carries new events' });
  }
}

const FENCE = '"fence"';

/** Returns the code of an error that JetStream responded; null for any other error. */
function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || error.name !== 'JetStreamApiError') return null;
  return (error as Error & { code: number }).code;
}

/** Returns the name of the stream of the database with this id. */
export function eventStreamName(database: string): string {
  return `parley-events-${database}`;
}

/** Returns the servers of EVENTS_URL, and their credentials. */
export function eventStreamSettings(): NatsSettings {
  const { EVENTS_URL, EVENTS_CREDENTIALS } = env();
  return { urls: EVENTS_URL, credentials: EVENTS_CREDENTIALS };
}

/** The event stream; null unless EVENTS_URL is set. */
export const eventStream = once((): EventStream | null => (env().EVENTS_URL.length > 0 ? new EventStream() : null));

/** Returns where events of running tasks are stored first, and why; null if EVENTS_URL is not set. */
export function describeEventStream(): { over: 'jetstream' | 'postgresql'; reason: string | null } | null {
  const stream = eventStream();
  if (!stream) return null;
  if (!stream.isUp) return { over: 'postgresql', reason: `JetStream is unavailable: ${stream.reason}` };
  if (!stream.accepts) return { over: 'postgresql', reason: 'JetStream refuses messages' };
  if (!doPeersReadEvents()) return { over: 'postgresql', reason: 'another node does not read the stream yet' };
  return { over: 'jetstream', reason: null };
}
