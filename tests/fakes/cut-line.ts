import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP line to a server, which a test can cut and mend. */
export interface CutLine {
  /** `url` by way of this line. */
  via(url: string): string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Nothing passes on the connections that are open now, and neither end is told; new ones work. */
  freeze(): void;
  /** Nothing passes on any connection, those to come included, until {@link CutLine.resume}: the host accepts and says nothing. */
  stall(): void;
  /** New connections work again; those that were made before stay frozen. */
  resume(): void;
  /** The server's end of every connection that said `word` is gone, and this end is not told. */
  deafen(word: string): void;
}

/** Opens a line to the host and port of `url`. */
export async function openLine(url: string): Promise<CutLine> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const said: { near: Socket; far: Socket; text: string; isDeaf: boolean }[] = [];
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
    said.push(pair);
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
    for (const { near, far } of said.filter(({ far }) => !far.destroyed)) {
      near.unpipe(far);
      far.unpipe(near);
      // Read by nobody: the sender's buffers fill up as behind a path that lost its state.
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
    mend: () => listen(own),
    freeze,
    stall() {
      isStalled = true;
      freeze();
    },
    resume() {
      isStalled = false;
    },
    deafen(word) {
      for (const pair of said.filter(({ text, far }) => text.includes(word) && !far.destroyed)) {
        pair.isDeaf = true;
        pair.near.unpipe(pair.far);
        pair.far.unpipe(pair.near);
        pair.far.destroy();
        pair.near.resume();
      }
    },
  };
}
