import { connect } from 'node:net';
import { textOf } from './load.mjs';
import { messagesIn } from './raw-http.mjs';

const perSecond = 100;
/** One in this many introspections is of a token that the node has not seen. */
const freshEvery = 20;

/**
 * Returns a function that introspects at a constant rate over persistent connections, without waiting for responses.
 *
 * @param {{ origin: string, app: { clientId: string, clientSecret: string }, fresh: string[] }} plan tokens that no
 *   node has seen; the last one is also
 *   the one that is introspected repeatedly
 * @returns {(seconds: number) => Promise<{ p50: number, p99: number, wrong: number }>}
 */
export function probe({ origin, app, fresh }) {
  const { hostname, port, host } = new URL(origin);
  const known = fresh.pop();
  const authorization = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const idle = [];
  let count = 0;

  function open() {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    const client = { socket, done: undefined };
    socket.on('error', () => undefined);
    socket.on('close', () => client.done?.('closed', ''));
    socket.on(
      'data',
      messagesIn((head, body) => client.done?.(head, body)),
    );
    return client;
  }

  function introspect() {
    const token = ++count % freshEvery === 0 ? (fresh.pop() ?? known) : known;
    const client = idle.pop() ?? open();
    const sentAt = performance.now();
    return new Promise((resolve) => {
      client.done = (head, body) => {
        client.done = undefined;
        if (head !== 'closed') idle.push(client);
        resolve({ ms: performance.now() - sentAt, isRight: body.includes('"active":true') });
      };
      client.socket.write(
        textOf({ method: 'POST', path: '/api/auth/introspect', headers, body: `token=${token}` }, host),
      );
    });
  }

  return async (seconds) => {
    const startedAt = performance.now();
    const results = [];
    while (performance.now() - startedAt < seconds * 1_000) {
      const dueAt = startedAt + (results.length * 1_000) / perSecond;
      const ahead = dueAt - performance.now();
      if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
      results.push(introspect());
    }
    const probes = await Promise.all(results);
    const times = probes.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (quantile) => Number(times[Math.floor(times.length * quantile)].toFixed(1));
    return { p50: at(0.5), p99: at(0.99), wrong: probes.filter(({ isRight }) => !isRight).length };
  };
}
