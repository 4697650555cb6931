import pg from 'pg';
import { DATABASE_ACQUIRE_TIMEOUT_MS } from '../limits';
import { isQueryError } from './database-errors';
import { type Cluster, mainCluster, NoPrimaryError, readTimeline } from './primary';

type Callback = (error: Error | null) => void;

/** The open connections to the servers of each database, with the timeline of their server. */
const openConnections = new WeakMap<Cluster, Map<PrimaryClient, number>>();

function connectionsOf(cluster: Cluster): Map<PrimaryClient, number> {
  const known = openConnections.get(cluster);
  if (known) return known;
  const connections = new Map<PrimaryClient, number>();
  cluster.onPromotion((promoted) => {
    for (const [client, timeline] of connections) if (timeline < promoted) client.destroy();
  });
  openConnections.set(cluster, connections);
  return connections;
}

/** The settings of a connection to one of the servers of `cluster`. */
export interface PrimaryClientConfig extends pg.ClientConfig {
  cluster: Cluster;
}

/**
 * A connection to the primary among the servers of a database, or to its only server. A former primary, also one
 * behind a proxy, is refused as soon as this node has used a server that was promoted after it; then all connections to
 * the former one are closed.
 */
export class PrimaryClient extends pg.Client {
  private readonly cluster: Cluster;

  constructor(config?: PrimaryClientConfig) {
    super(config);
    this.cluster = config?.cluster ?? mainCluster();
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | undefined {
    const connected = this.connectToPrimary();
    if (!callback) return connected;
    connected.then(() => callback(null), callback);
    return undefined;
  }

  /** Closes the connection at once. Statements in progress fail. */
  destroy(): void {
    this.connection.stream.destroy();
  }

  private async connectToPrimary(): Promise<pg.Client> {
    const { cluster } = this;
    const connections = connectionsOf(cluster);
    const primary = await cluster.findPrimary();
    if (primary) Object.assign(this, { host: primary.host, port: primary.port });
    const forget = (): void => {
      if (primary) cluster.forgetPrimary(primary);
    };
    this.on('error', forget);
    this.once('end', () => connections.delete(this));
    try {
      await this.open();
      const timeline = await this.timelineOf(primary !== null);
      if (timeline === null && primary) throw new NoPrimaryError('The server has become a standby.');
      if (timeline !== null) cluster.checkTimeline(timeline);
      // A standby that is promoted later writes a timeline that is unknown here.
      connections.set(this, timeline ?? 0);
      return this;
    } catch (error) {
      forget();
      this.destroy();
      throw error;
    }
  }

  /** Returns null if the database does not support the query, as some managed databases with one address do not. */
  private async timelineOf(isOneOfSeveral: boolean): Promise<number | null> {
    const timer = setTimeout(() => this.destroy(), DATABASE_ACQUIRE_TIMEOUT_MS);
    try {
      return await readTimeline(this);
    } catch (error) {
      if (isOneOfSeveral || !isQueryError(error)) throw error;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  private open(): Promise<void> {
    return new Promise((resolve, reject) => {
      super.connect((error: Error | null) => (error ? reject(error) : resolve()));
    });
  }
}
