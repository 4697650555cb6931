import type { WebSocket } from 'ws';
import { markActive } from '../platform/activity';
import { hasCode } from '../platform/errors';
import { errorFields, log } from '../platform/log';
import { closeCodeOf, HUB_CLOSE, HubError } from '../protocol/hub/errors';
import { type HubFrame, readFrame } from '../protocol/hub/frames';
import { ProtocolError } from '../protocol/protocol-error';
import type { CallingAgent } from './agent-calls';
import type { WorkerAuthorization } from './authenticate-worker';
import { disconnectWorker } from './connect-worker';
import { CLOSE_TIMEOUT_MS, MAX_BUFFERED_BYTES, MAX_BUFFERED_MS, MAX_CLOSE_REASON, RECHECK_PAUSE_MS } from './limits';
import { toRpcError } from './rpc-error';
import type { WorkerSocket } from './run-channel';
import type { WorkerSession } from './worker-session';

/** A connected worker and its right to serve the agent. */
export interface Connected {
  session: WorkerSession;
  authorization: WorkerAuthorization;
}

/** The agent of a worker as it calls others. */
export function callingAgentOf({ authorization }: Connected): CallingAgent {
  return { agentId: authorization.agent.id, credentialId: authorization.credentialId };
}

interface ConnectionTimes {
  /** How long the worker has to say whom it serves, milliseconds. */
  helloTimeoutMs: number;
  /** A connection without any frame for so long is dead, milliseconds. */
  silenceTimeoutMs: number;
}

/** The connection of one worker: its frames in order, whatever their protocol. */
export abstract class WorkerConnection {
  protected connected: Connected | null = null;
  private isDraining = false;
  private lastFrameAt = performance.now();
  private overloadedSince: number | null = null;
  /** Characters of the responses that the worker has not read. */
  private unread = 0;
  private resumeReading: (() => void) | null = null;
  /** Why no frames are read, see {@link stopReading}. */
  private holds = 0;
  private readonly helloTimer: NodeJS.Timeout;
  private recheckTimer: NodeJS.Timeout | null = null;

  constructor(
    protected readonly socket: WebSocket,
    private readonly onClose: (connection: WorkerConnection) => void,
    private readonly times: ConnectionTimes,
  ) {
    this.helloTimer = setTimeout(
      () => this.close(HUB_CLOSE.protocol, 'The worker did not send hub.hello in time.'),
      times.helloTimeoutMs,
    );
    this.helloTimer.unref();
    socket.on('message', (data, isBinary) => this.receive(data as Buffer, isBinary));
    socket.on('pong', () => {
      this.lastFrameAt = performance.now();
    });
    socket.on('close', () => this.end());
    // ws has closed with 1007 or 1009.
    socket.on('error', (error) => log.info('hub.connection_failed', errorFields(error)));
  }

  /**
   * Handles one frame of `bytes`.
   * @throws an error that closes the connection
   */
  protected abstract handleFrame(frame: HubFrame, bytes: number): void;

  /** @throws {HubError} when the worker may no longer serve the agent */
  protected abstract reauthorize(connected: Connected, now: Date): Promise<unknown>;

  close(code: number, reason: string): void {
    this.socket.close(code, reason.slice(0, MAX_CLOSE_REASON));
    setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  /** Closes the connection without waiting for the worker. */
  terminate(): void {
    this.socket.terminate();
  }

  /** Offers nothing more, and asks the worker to connect again; for shutdown. */
  drain(reconnectWithinMs: number): void {
    if (!this.connected || this.isDraining) return;
    this.isDraining = true;
    this.connected.session.draining = true;
    this.connected.session.channel.drain(reconnectWithinMs);
  }

  /** Pings, and ends a connection that is dead or overloaded, or whose token has expired. Called at every interval. */
  check(now: number): void {
    const isOverloaded = this.socket.bufferedAmount > MAX_BUFFERED_BYTES;
    this.overloadedSince = isOverloaded ? (this.overloadedSince ?? now) : null;
    const isStuck = this.overloadedSince !== null && now - this.overloadedSince > MAX_BUFFERED_MS;
    if (isStuck) {
      this.close(HUB_CLOSE.overloaded, 'The worker does not read from the connection.');
      return;
    }
    if (this.endIfSilent(now)) return;
    this.socket.ping();
    this.recheck();
  }

  /** Ends a connection that is dead; true then. Called between checks too: until then its agent is shown as online. */
  endIfSilent(now: number): boolean {
    // While we do not read, no frame arrives.
    if (this.socket.isPaused) this.lastFrameAt = now;
    const isSilent = now - this.lastFrameAt > this.times.silenceTimeoutMs;
    if (isSilent) this.socket.terminate();
    return isSilent;
  }

  /** True when a change of this credential, user, app or agent can end the right to serve. */
  dependsOn(key: string): boolean {
    if (!this.connected) return false;
    const { principal, credentialId, agent } = this.connected.authorization;
    // An app depends on its owner, whom the authorization does not name.
    return (
      [principal, credentialId, agent.id].includes(key) || (principal.startsWith('app_') && key.startsWith('usr_'))
    );
  }

  /** Closes the connection when the right to serve has ended. */
  recheck(): void {
    if (!this.connected) return;
    this.reauthorize(this.connected, new Date()).catch((error: unknown) => {
      if (error instanceof HubError) this.close(closeCodeOf(error.reason), error.message);
      // Of many workers that are checked together, some did not get a turn.
      else if (hasCode(error, 'unavailable')) this.recheckLater();
      else log.warn('hub.check_failed', errorFields(error));
    });
  }

  private recheckLater(): void {
    this.recheckTimer ??= setTimeout(
      () => {
        this.recheckTimer = null;
        this.recheck();
      },
      RECHECK_PAUSE_MS * (0.5 + Math.random()),
    ).unref();
  }

  /** Sends a response. A worker that leaves its responses unread is not read either: they would fill our memory. */
  protected reply(text: string): void {
    this.unread += text.length;
    if (this.unread > MAX_BUFFERED_BYTES) this.resumeReading ??= this.stopReading();
    this.socket.send(text, () => {
      this.unread -= text.length;
      if (this.unread > MAX_BUFFERED_BYTES) return;
      this.resumeReading?.();
      this.resumeReading = null;
    });
  }

  /** Reads no more frames until the returned function is called. */
  protected stopReading(): () => void {
    this.holds += 1;
    this.socket.pause();
    return () => {
      this.holds -= 1;
      if (this.holds === 0) this.socket.resume();
    };
  }

  /** What a channel sends with. */
  protected channelSocket(): WorkerSocket {
    return {
      send: (text) => this.socket.send(text),
      sendFlushed: (text) => new Promise((resolve) => this.socket.send(text, () => resolve())),
      close: (code, reason) => this.close(code, reason),
    };
  }

  /** The worker has said whom it serves: what follows takes our time, not the worker's. */
  protected stopHelloTimer(): void {
    clearTimeout(this.helloTimer);
  }

  /** The worker serves the agent. It may have disconnected meanwhile. */
  protected setConnected(connected: Connected): void {
    this.stopHelloTimer();
    this.connected = connected;
    if (this.socket.readyState !== this.socket.OPEN) disconnectWorker(connected.session);
  }

  private end(): void {
    this.stopHelloTimer();
    markActive();
    if (this.connected) disconnectWorker(this.connected.session);
    this.onClose(this);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    this.lastFrameAt = performance.now();
    markActive();
    // A worker that was disconnected may still be sending.
    if (this.socket.readyState !== this.socket.OPEN) return;
    try {
      if (isBinary) throw new ProtocolError('invalid_request', 'Expected text frames.');
      this.handleFrame(readFrame(data.toString('utf8')), data.length);
    } catch (error) {
      this.close(HUB_CLOSE.protocol, toRpcError(error).message);
    }
  }
}
