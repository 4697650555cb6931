import type { Socket } from 'node:net';
import pg from 'pg';
import { findPrimary, forgetPrimary, isSame, onPrimaryChange, type Primary } from './primary';

type Callback = (error: Error | null) => void;

/** Members that the driver's types do not declare. */
interface Internals {
  connection: { stream: Socket; on: (event: 'parameterStatus', listener: (status: Status) => void) => void };
}

interface Status {
  parameterName: string;
  parameterValue: string;
}

/** The open connections and those being opened, with their server. */
const connections = new Map<PrimaryClient, Primary>();

onPrimaryChange((primary) => {
  for (const [client, other] of connections) if (!isSame(primary, other)) client.internals.connection.stream.destroy();
});

/**
 * A connection to the primary among the servers of `DATABASE_URL`. It is closed as soon as another server has become
 * the primary. With one server, it is a plain connection to it.
 */
export class PrimaryClient extends pg.Client {
  /** True if the server reported that it is a standby. */
  private isStandby = false;

  get internals(): Internals {
    return this as unknown as Internals;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | undefined {
    const connected = this.connectToPrimary();
    if (!callback) return connected;
    connected.then(() => callback(null), callback);
    return undefined;
  }

  private async connectToPrimary(): Promise<pg.Client> {
    const primary = await findPrimary();
    if (!primary) return this.open();
    Object.assign(this, { host: primary.host, port: primary.port });
    connections.set(this, primary);
    this.once('end', () => connections.delete(this));
    this.on('error', () => forgetPrimary(primary));
    this.internals.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on';
    });
    try {
      await this.open();
    } catch (error) {
      connections.delete(this);
      forgetPrimary(primary);
      throw error;
    }
    if (!this.isStandby) return this;
    forgetPrimary(primary);
    this.internals.connection.stream.destroy();
    throw Object.assign(new Error('The server has become a standby.'), { code: '57P03' });
  }

  private open(): Promise<pg.Client> {
    return new Promise((resolve, reject) => {
      super.connect((error: Error | null) => (error ? reject(error) : resolve(this)));
    });
  }
}
