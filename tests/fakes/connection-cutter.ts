import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a server whose connections a test can cut and restore. */
export interface ConnectionCutter {
  /** `url` through this proxy. */
  via(url: string): string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Open connections pass nothing, and neither end is notified; new ones work. */
  freeze(): void;
  /** No connection passes anything, new ones included, until {@link ConnectionCutter.resume}: accepted but silent. */
  stall(): void;
  /** New connections work again; earlier ones stay frozen. */
  resume(): void;
  /** Closes the server side of every connection that sent `word`, without notifying the client side. */
  closeServerEnd(word: string): void;
}

/** Opens a proxy to the host and port of `url`. */
export async function openConnectionCutter(url: string): Promise<ConnectionCutter> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const pairs: { near: Socket; far: Socket; text: string; isDeaf: boolean }[] = [];
  let isStalled = false;
  const server = createServer((near) => {
    if (isStalled) {
      open.add(near);
      near.on('error', () => near.destroy());
      near.on('close', () => open.delete(near));
      near.pause();
      return;
    }
    const far = connect(Number(port), hostname);
    const pair = { near, far, text: '', isDeaf: false };
    pairs.push(pair);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        if (pair.isDeaf) return;
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => {
      pair.text += bytes.toString('latin1');
    });
    near.pipe(far).pipe(near, { end: false });
  });
  const freeze = (): void => {
    for (const { near, far } of pairs.filter(({ far }) => !far.destroyed)) {
      near.unpipe(far);
      far.unpipe(near);
      // Left unread: the sender's buffers fill up, as behind a middlebox that lost its state.
      near.removeAllListeners('data');
      for (const socket of [near, far]) socket.pause();
    }
  };
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
    restore: () => listen(own),
    freeze,
    stall() {
      isStalled = true;
      freeze();
    },
    resume() {
      isStalled = false;
    },
    closeServerEnd(word) {
      for (const pair of pairs.filter(({ text, far }) => text.includes(word) && !far.destroyed)) {
        pair.isDeaf = true;
        pair.near.unpipe(pair.far);
        pair.far.unpipe(pair.near);
        pair.far.destroy();
        pair.near.resume();
      }
    },
  };
}
