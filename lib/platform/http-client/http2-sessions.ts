import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { EXTERNAL_CONNECT_TIMEOUT_MS, EXTERNAL_KEEP_ALIVE_MS } from '../limits';
import { checkExternalUrl, isExempt } from './external-urls';
import { guardedLookup, markUnsent } from './safe-fetch';

/** The code of a stream that its client no longer needs. */
export const HTTP2_CANCEL = constants.NGHTTP2_CANCEL;

/** A connection that is being opened, or open. */
interface PooledSession {
  ready: Promise<ClientHttp2Session>;
  /** Undefined until it is open. */
  session?: ClientHttp2Session;
}

/** One connection per origin, shared by all calls to it. */
const sessions = new Map<string, PooledSession>();

/**
 * Returns an HTTP/2 connection to the origin of a checked URL. Like every connection to an untrusted address, it goes
 * only to addresses that were checked, with TLS unless the URL is exempt.
 * @throws {ParleyError} `url_refused`
 * @throws a connection error, which counts as not sent
 */
export async function http2SessionTo(text: string): Promise<ClientHttp2Session> {
  const url = checkExternalUrl(text);
  const pooled = sessions.get(url.origin);
  if (pooled && !(pooled.session?.closed || pooled.session?.destroyed)) return pooled.ready;
  const opened: PooledSession = { ready: open(url) };
  sessions.set(url.origin, opened);
  const forget = (): void => {
    if (sessions.get(url.origin) === opened) sessions.delete(url.origin);
  };
  opened.ready.then(
    (session) => {
      opened.session = session;
      session.once('close', forget);
      session.once('goaway', forget);
    },
    () => forget(),
  );
  return opened.ready;
}

function open(url: URL): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connect(url.origin, { createConnection: () => openSocket(url), settings: { enablePush: false } });
    const timer = setTimeout(
      () => session.destroy(new Error('The connection was not established in time.')),
      EXTERNAL_CONNECT_TIMEOUT_MS,
    );
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(markUnsent(error));
    };
    session.once('error', fail);
    session.once('close', () => fail(new Error('The connection was closed.')));
    session.once('connect', () => {
      clearTimeout(timer);
      if (url.protocol === 'https:' && session.alpnProtocol !== 'h2') {
        session.destroy(new Error('The server does not support HTTP/2.'));
        return;
      }
      session.on('error', () => undefined);
      session.setTimeout(EXTERNAL_KEEP_ALIVE_MS, () => session.close(() => session.destroy()));
      session.unref();
      resolve(session);
    });
  });
}

function openSocket({ protocol, hostname, port, href }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  const lookup = isExempt(new URL(href)) ? undefined : guardedLookup;
  if (protocol === 'http:') return connectTcp({ host, port: Number(port || 80), lookup });
  const isName = /[a-z]/i.test(host) && !host.includes(':');
  const names = { ALPNProtocols: ['h2'], ...(isName && { servername: host }) };
  return connectTls({ host, port: Number(port || 443), lookup, ...names });
}

/** Returns true if the server has certainly not processed the call that it reset. */
export function isRefusedStream(code: number | undefined): boolean {
  return code === constants.NGHTTP2_REFUSED_STREAM;
}
