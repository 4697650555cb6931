import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type Counter, metrics } from '@opentelemetry/api';
import { log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import { GRPC_MAX_RESETS, GRPC_PING_INTERVAL_MS, GRPC_RESET_WINDOW_MS, KEEP_ALIVE_MS } from '../limits';

/**
 * Why a connection or a call was closed: the client canceled too many calls, did not read a response, did not answer a
 * ping, or violated HTTP/2, as floods of CONTINUATION, PING, SETTINGS and empty frames do.
 */
type CloseReason = 'resets' | 'stalled' | 'ping' | 'protocol';

const closedCounter = once(
  (): Counter =>
    metrics.getMeter('parley').createCounter('grpc.server.closed', {
      description: 'gRPC connections and calls that were closed because of the behavior of the client',
    }),
);

/** Counts a connection or a call that the server closed. */
export function countClosed(reason: CloseReason): void {
  closedCounter().add(1, { reason });
}

function reportClosed(session: ServerHttp2Session, reason: CloseReason): void {
  countClosed(reason);
  log.warn('grpc.connection_closed', { reason, address: session.socket?.remoteAddress });
}

/**
 * Guards the connections of a gRPC server: closes those whose client cancels too many calls, those that are idle, and
 * those whose client does not answer pings. Node's HTTP/2 closes a connection with too many other frames itself.
 */
export class SessionGuard {
  private readonly sessions = new Map<ServerHttp2Session, SessionState>();
  private readonly timer: NodeJS.Timeout;

  constructor() {
    this.timer = setInterval(() => this.pingAll(), GRPC_PING_INTERVAL_MS);
    this.timer.unref();
  }

  /** Starts to guard a new connection. */
  add(session: ServerHttp2Session): void {
    this.sessions.set(session, { openCalls: 0, resets: 0, windowStart: 0, awaitsPong: false });
    session.on('error', () => reportClosed(session, 'protocol'));
    session.once('close', () => this.sessions.delete(session));
    session.setTimeout(KEEP_ALIVE_MS, () => {
      if (this.sessions.get(session)?.openCalls === 0) session.close();
    });
  }

  /** Counts a call until it is closed. Returns false if the client has canceled it already. */
  begin(session: ServerHttp2Session, stream: ServerHttp2Stream): boolean {
    const state = this.sessions.get(session);
    if (!state) return false;
    if (stream.closed || stream.destroyed) {
      this.countReset(session, state);
      return false;
    }
    state.openCalls += 1;
    stream.once('close', () => {
      state.openCalls -= 1;
      if (isCanceled(stream)) this.countReset(session, state);
    });
    return true;
  }

  /** Stops accepting calls on every connection; open calls may end. */
  closeAll(): void {
    clearInterval(this.timer);
    for (const session of this.sessions.keys()) session.close();
  }

  destroyAll(): void {
    for (const session of this.sessions.keys()) session.destroy();
  }

  private countReset(session: ServerHttp2Session, state: SessionState): void {
    const now = performance.now();
    if (now - state.windowStart > GRPC_RESET_WINDOW_MS) Object.assign(state, { windowStart: now, resets: 0 });
    state.resets += 1;
    if (state.resets <= GRPC_MAX_RESETS || session.destroyed) return;
    reportClosed(session, 'resets');
    session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  /** Closes connections that did not answer the last ping, and pings the others that have open calls. */
  private pingAll(): void {
    for (const [session, state] of this.sessions) {
      if (session.destroyed || state.openCalls === 0) continue;
      if (state.awaitsPong) {
        reportClosed(session, 'ping');
        session.destroy();
        continue;
      }
      state.awaitsPong = session.ping(() => {
        state.awaitsPong = false;
      });
    }
  }
}

/** Returns true for a call that the client canceled, or that was in progress when its connection closed. */
export function isCanceled(stream: ServerHttp2Stream): boolean {
  return stream.rstCode === constants.NGHTTP2_CANCEL;
}

interface SessionState {
  openCalls: number;
  /** The number of calls that the client canceled since `windowStart`. */
  resets: number;
  windowStart: number;
  /** True from a ping until its answer. */
  awaitsPong: boolean;
}
