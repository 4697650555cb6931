import { connect, createServer } from 'node:net';

/**
 * Starts a TCP proxy whose connections can be delayed, cut, silenced and moved to another server, like a failover
 * address.
 *
 * @returns {Promise<{ port: number, moveTo: (port: number) => void, cut: () => void, restore: () => void,
 *   swallow: (farGivesUpMs?: number) => void, setDelay: (ms: number) => void, urlOf: (databaseUrl: string) => string,
 *   stop: () => void }>}
 *   `cut` closes all connections and refuses new ones until `restore`; `swallow` is a partition until `restore`: no
 *   data
 *   arrives on either side, not even the end of a connection, and the server closes its sockets after `farGivesUpMs`,
 *   as
 *   its TCP keepalive does; `urlOf` starts proxying a database and returns the URL of the proxy
 */
export async function startProxy() {
  let target = 0;
  let isCut = false;
  let isSilent = false;
  let delayMs = 0;
  /** Actions at the end of a partition, in order. */
  const held = [];
  const nearSockets = new Set();
  const farSockets = new Set();
  const deliver = (action) => (isSilent ? held.push(action) : action());

  function pipe(from, to, all) {
    all.add(from);
    from.on('error', () => undefined);
    from.on('data', (chunk) =>
      deliver(() => {
        if (all === nearSockets && delayMs > 0) setTimeout(() => to.write(chunk), delayMs);
        else to.write(chunk);
      }),
    );
    from.on('close', () => {
      all.delete(from);
      deliver(() => to.destroy());
    });
  }

  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return near.destroy();
    near.on('error', () => undefined);
    deliver(() => {
      if (near.destroyed) return;
      const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
      pipe(near, far, nearSockets);
      pipe(far, near, farSockets);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const closeAll = () => {
    for (const socket of [...nearSockets, ...farSockets]) socket.destroy();
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
    swallow(farGivesUpMs) {
      isSilent = true;
      if (farGivesUpMs === undefined) return;
      setTimeout(() => {
        if (isSilent) for (const socket of farSockets) socket.destroy();
      }, farGivesUpMs);
    },
    restore() {
      isCut = false;
      isSilent = false;
      for (const action of held.splice(0)) action();
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
