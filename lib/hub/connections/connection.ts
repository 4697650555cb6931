import type { WebSocket } from 'ws';
import { hasCode } from '../../platform/errors';
import { markActive } from '../../platform/runtime/activity';
import { errorFields, log } from '../../platform/runtime/log';
import { closeCodeOf, HUB_CLOSE, HubError } from '../../protocol/hub/errors';
import { type HubFrame, readFrame } from '../../protocol/hub/frames';
import { ProtocolError } from '../../protocol/protocol-error';
import { toRpcError, type WorkerSocket } from '../channel';
import { CLOSE_TIMEOUT_MS, MAX_BUFFERED_BYTES, MAX_BUFFERED_MS, MAX_CLOSE_REASON, RECHECK_PAUSE_MS } from '../limits';
import type { CallingAgent } from '../ports';
import type { WorkerSession } from '../worker-session';
import type { WorkerAuthorization } from './authenticate-worker';
import { disconnectWorker } from './connect-worker';

/** A connected worker and its authorization for the agent. */
export interface Connected {
  session: WorkerSession;
  authorization: WorkerAuthorization;
}

/** Returns the agent of a worker as a caller of other agents. */
export function callingAgentOf({ authorization }: Connected): CallingAgent {
  return { agentId: authorization.agent.id, credentialId: authorization.credentialId };
}

interface ConnectionTimes {
  /** Timeout of the worker's hello, milliseconds. */
  helloTimeoutMs: number;
  /** Maximum time without a frame before a connection is closed, milliseconds. */
  silenceTimeoutMs: number;
}

/** The connection of one worker, in any protocol, with its frames in order. */
export abstract class WorkerConnection {
  protected connected: Connected | null = null;
  private isDraining = false;
  private lastFrameAt = performance.now();
  private overloadedSince: number | null = null;
  /** Characters of the responses that the worker has not read. */
  private unread = 0;
  private resumeReading: (() => void) | null = null;
  /** The number of reasons why frames are not read (see {@link stopReading}). */
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
    // ws has already closed the connection with 1007 or 1009.
    socket.on('error', (error) => log.info('hub.connection_failed', errorFields(error)));
  }

  /**
   * Handles one frame of `bytes` bytes.
   * @throws an error, which closes the connection
   */
  protected abstract handleFrame(frame: HubFrame, bytes: number): void;

  /**
   * Checks the authorization again.
   * @throws {HubError} if the worker may no longer serve the agent
   */
  protected abstract reauthorize(connected: Connected, now: Date): Promise<unknown>;

  close(code: number, reason: string): void {
    this.socket.close(code, reason.slice(0, MAX_CLOSE_REASON));
    setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  /** Closes the connection without waiting for the worker. */
  terminate(): void {
    this.socket.terminate();
  }

  /** Stops offering runs, and asks the worker to reconnect. For shutdown. */
  drain(reconnectWithinMs: number): void {
    if (!this.connected || this.isDraining) return;
    this.isDraining = true;
    this.connected.session.draining = true;
    this.connected.session.channel.drain(reconnectWithinMs);
  }

  /**
   * Sends a ping, and ends a connection that is silent or overloaded, or whose token has expired. Called at every
   * interval.
   */
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

  /**
   * Ends a connection that has been silent for too long, and then returns true. Also called between checks, because the
   * agent appears online until then.
   */
  endIfSilent(now: number): boolean {
    // No frames arrive while reading is paused.
    if (this.socket.isPaused) this.lastFrameAt = now;
    const isSilent = now - this.lastFrameAt > this.times.silenceTimeoutMs;
    if (isSilent) this.socket.terminate();
    return isSilent;
  }

  /** Returns true if a change of this credential, user, app or agent can revoke the authorization. */
  dependsOn(key: string): boolean {
    if (!this.connected) return false;
    const { principal, credentialId, agent } = this.connected.authorization;
    // An app depends on its owner, whom the authorization does not contain.
    return (
      [principal, credentialId, agent.id].includes(key) || (principal.startsWith('app_') && key.startsWith('usr_'))
    );
  }

  /** Closes the connection if the authorization was revoked. */
  recheck(): void {
    if (!this.connected) return;
    this.reauthorize(this.connected, new Date()).catch((error: unknown) => {
      if (error instanceof HubError) this.close(closeCodeOf(error.reason), error.message);
      // If many workers are checked at the same time, some checks may be rejected.
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

  /**
   * Sends a response. If a worker does not read its responses, its frames are not read either, because the responses
   * would otherwise fill the memory.
   */
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

  /** Stops reading frames until the returned function is called. */
  protected stopReading(): () => void {
    this.holds += 1;
    this.socket.pause();
    return () => {
      this.holds -= 1;
      if (this.holds === 0) this.socket.resume();
    };
  }

  /** Returns the socket with which a channel sends. */
  protected channelSocket(): WorkerSocket {
    return {
      send: (text) => this.socket.send(text),
      sendFlushed: (text) => new Promise((resolve) => this.socket.send(text, () => resolve())),
      close: (code, reason) => this.close(code, reason),
    };
  }

  /** Must be called when the hello has arrived: the worker has then met its deadline. */
  protected stopHelloTimer(): void {
    clearTimeout(this.helloTimer);
  }

  /** Must be called when the worker serves the agent. It may have disconnected in the meantime. */
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
