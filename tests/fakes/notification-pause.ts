import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to PostgreSQL that can hold back notifications, and nothing else. */
export interface NotificationPause {
  /** `url` through this proxy. */
  via(url: string): string;
  /** Holds back notifications until {@link NotificationPause.resume}. Neither side notices. */
  pause(): void;
  resume(): void;
  /** Notifications that are held back. */
  held(): number;
  stop(): Promise<void>;
}

/** NotificationResponse (PostgreSQL, "Message Formats"). */
const NOTIFICATION = 'A'.charCodeAt(0);
/** The type of a message, one byte, and its length without that byte, four bytes. */
const HEADER_BYTES = 5;

/** Opens a proxy to the host and port of `url`. */
export async function openNotificationPause(url: string): Promise<NotificationPause> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const held: { near: Socket; message: Buffer }[] = [];
  let isPaused = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    let rest = Buffer.alloc(0);
    far.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= HEADER_BYTES && rest.length > rest.readUInt32BE(1)) {
        const end = rest.readUInt32BE(1) + 1;
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        if (isPaused && message[0] === NOTIFICATION) held.push({ near, message });
        else near.write(message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    via(target) {
      const through = new URL(target);
      through.hostname = '127.0.0.1';
      through.port = String(own);
      return through.href;
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      for (const { near, message } of held.splice(0)) near.write(message);
    },
    held: () => held.length,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
