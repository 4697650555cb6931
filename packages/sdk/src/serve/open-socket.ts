import { ParleyError } from '../errors.js';

/** The members of a WebSocket that are used here: those of browsers, and of `ws`. */
export type Socket = Pick<
  WebSocket,
  'send' | 'close' | 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'onerror' | 'protocol'
>;

export type SocketConstructor = new (url: string, protocols: string[]) => Socket;

const SUBPROTOCOL = 'parley.hub.v1';

/** Finds the runtime's WebSocket; for Node 20, which has none, that of the package `ws`. */
export async function findWebSocket(): Promise<SocketConstructor> {
  if (typeof globalThis.WebSocket === 'function') return globalThis.WebSocket;
  const found = await import('ws').catch((cause: unknown) => {
    throw new TypeError('this runtime does not support WebSocket; install the package "ws"', { cause });
  });
  return found.default as object as SocketConstructor;
}

/** Returns the URL at which workers connect to the Parley at `origin`. */
export function hubUrlOf(origin: string): string {
  return `${origin.replace(/^http/, 'ws')}/ws/agents`;
}

/** Opens a connection to the hub. @throws {ParleyError} `unreachable` */
export function openSocket(url: string, Constructor: SocketConstructor): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Constructor(url, [SUBPROTOCOL]);
    let reason = 'the connection was refused';
    socket.onopen = () => resolve(socket);
    // Only `ws` reports the reason: browsers hide it.
    socket.onerror = (event) => {
      if ('message' in event && typeof event.message === 'string' && event.message) reason = event.message;
    };
    socket.onclose = () => reject(new ParleyError('unreachable', `${new URL(url).host} does not respond: ${reason}`));
  });
}
