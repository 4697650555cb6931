import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP line to a server, which a test can cut and mend. */
export interface CutLine {
  /** `url` by way of this line. */
  via(url: string): string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a line to the host and port of `url`. */
export async function openLine(url: string): Promise<CutLine> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = (on: number): Promise<void> => new Promise((resolve) => server.listen(on, '127.0.0.1', resolve));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  return {
    via(target) {
      const through = new URL(target);
      through.hostname = '127.0.0.1';
      through.port = String(own);
      return through.href;
    },
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    mend: () => listen(own),
  };
}
