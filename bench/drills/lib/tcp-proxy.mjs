import { connect, createServer } from 'node:net';

/**
 * A TCP proxy whose connections can be delayed, cut and moved to another server, as a failover address is.
 *
 * @returns {Promise<{ port: number, moveTo: (port: number) => void, cut: () => void, restore: () => void,
 *   setDelay: (ms: number) => void, urlOf: (databaseUrl: string) => string, stop: () => void }>}
 *   `cut` closes all connections and refuses new ones until `restore`; `urlOf` starts proxying a database and returns
 *   the URL of the proxy
 */
export async function startProxy() {
  let target = 0;
  let isCut = false;
  let delayMs = 0;
  const sockets = new Set();
  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return near.destroy();
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (chunk) =>
        from === near && delayMs > 0 ? setTimeout(() => to.write(chunk), delayMs) : to.write(chunk),
      );
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    moveTo(next) {
      target = next;
      closeAll();
    },
    cut() {
      isCut = true;
      closeAll();
    },
    restore() {
      isCut = false;
    },
    setDelay(ms) {
      delayMs = ms;
    },
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      target = Number(url.port);
      url.port = String(port);
      return String(url);
    },
    stop() {
      closeAll();
      server.close();
    },
  };
}
