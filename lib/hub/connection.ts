import type { WebSocket } from 'ws';
import { errorFields, log } from '../platform/log';
import { closeCodeOf, HUB_CLOSE, HubError } from '../protocol/hub/errors';
import { parseParams, readFrame } from '../protocol/hub/frames';
import { helloParams } from '../protocol/hub/schema';
import type { JsonObject, JsonValue } from '../protocol/json';
import { type RpcRequest, rpcError, rpcResult } from '../protocol/jsonrpc';
import { asProtocolError, ProtocolError } from '../protocol/protocol-error';
import { authenticateWorker, type WorkerAuthorization } from './authenticate-worker';
import { connectWorker, disconnectWorker } from './connect-worker';
import { dispatchSoon } from './dispatch';
import {
  CLOSE_TIMEOUT_MS,
  HELLO_TIMEOUT_MS,
  MAX_BUFFERED_BYTES,
  MAX_BUFFERED_MS,
  MAX_CLOSE_REASON,
  SILENCE_TIMEOUT_MS,
  TOKEN_GRACE_MS,
} from './limits';
import { workerMethods } from './worker-methods';
import type { WorkerSession } from './worker-session';

/** A connected worker and its right to serve the agent. */
interface Connected {
  session: WorkerSession;
  authorization: WorkerAuthorization;
  slug: string;
  token: string;
}

/** The connection of one worker: its hello, then its frames in order. */
export class WorkerConnection {
  private connected: Connected | null = null;
  private saidHello = false;
  private isDraining = false;
  private lastFrameAt = Date.now();
  private overloadedSince: number | null = null;
  private readonly helloTimer: NodeJS.Timeout;

  /** `token`: from the Authorization header of the upgrade, for workers that set one. */
  constructor(
    private readonly socket: WebSocket,
    private readonly token: string | null,
    private readonly onClose: (connection: WorkerConnection) => void,
  ) {
    this.helloTimer = setTimeout(() => this.close(HUB_CLOSE.protocol, 'Expected hub.hello.'), HELLO_TIMEOUT_MS);
    this.helloTimer.unref();
    socket.on('message', (data, isBinary) => this.receive(data as Buffer, isBinary));
    socket.on('pong', () => {
      this.lastFrameAt = Date.now();
    });
    socket.on('close', () => this.end());
    // ws has closed with 1007 or 1009.
    socket.on('error', (error) => log.info('hub.connection_failed', errorFields(error)));
  }

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
    this.connected.session.notify('hub.draining', { reconnectWithinMs });
  }

  /** Pings, and ends a connection that is dead or overloaded, or whose token has expired. Called at every interval. */
  check(now: number): void {
    const isOverloaded = this.socket.bufferedAmount > MAX_BUFFERED_BYTES;
    this.overloadedSince = isOverloaded ? (this.overloadedSince ?? now) : null;
    const isStuck = this.overloadedSince !== null && now - this.overloadedSince > MAX_BUFFERED_MS;
    if (isStuck) this.close(HUB_CLOSE.overloaded, 'The worker does not read.');
    if (isStuck || now - this.lastFrameAt > SILENCE_TIMEOUT_MS) {
      this.socket.terminate();
      return;
    }
    this.socket.ping();
    this.recheck();
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
    const { token, slug } = this.connected;
    const now = new Date(Date.now() - TOKEN_GRACE_MS);
    authenticateWorker(token, { slug, now }).catch((error: unknown) => {
      if (error instanceof HubError) this.close(closeCodeOf(error.reason), error.message);
      else log.warn('hub.check_failed', errorFields(error));
    });
  }

  private end(): void {
    clearTimeout(this.helloTimer);
    if (this.connected) disconnectWorker(this.connected.session);
    this.onClose(this);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    this.lastFrameAt = Date.now();
    // A worker that was disconnected may still be sending.
    if (this.socket.readyState !== this.socket.OPEN) return;
    try {
      if (isBinary) throw new ProtocolError('invalid_request', 'Expected text frames.');
      const frame = readFrame(data.toString('utf8'));
      if (frame.kind === 'response') this.connected?.session.receiveResponse(frame);
      else if (this.connected) this.handle(this.connected.session, frame.request, data.length);
      else this.handleHello(frame.request);
    } catch (error) {
      this.close(HUB_CLOSE.protocol, toRpcError(error).message);
    }
  }

  /** An invalid notification closes the connection, because no response can report it; an unknown one is ignored. */
  private handle(session: WorkerSession, { id, method, params }: RpcRequest, bytes: number): void {
    const handler = Object.hasOwn(workerMethods, method) ? workerMethods[method] : undefined;
    if (!handler && id === undefined) return;
    const context = { session, bytes, renewToken: (token: string) => this.renewToken(token) };
    try {
      if (!handler) throw new ProtocolError('method_not_found', `There is no method "${method.slice(0, 100)}".`);
      const result = handler(context, params);
      if (id !== undefined) void this.respond(id, result);
    } catch (error) {
      if (id === undefined) throw error;
      void this.respond(id, Promise.reject(error));
    }
  }

  private async respond(id: RpcRequest['id'], result: JsonValue | Promise<JsonValue>): Promise<void> {
    const idText = JSON.stringify(id ?? null);
    try {
      this.socket.send(rpcResult(idText, await result));
    } catch (error) {
      this.socket.send(rpcError(idText, toRpcError(error)));
    }
  }

  /** @throws {ProtocolError} for another first frame, and for frames before the response to the hello */
  private handleHello({ id, method, params }: RpcRequest): void {
    if (this.saidHello || method !== 'hub.hello') {
      throw new ProtocolError(
        'invalid_request',
        'Expected hub.hello as the first frame, and its response before others.',
      );
    }
    this.saidHello = true;
    this.hello(params).then(
      (response) => {
        this.socket.send(rpcResult(JSON.stringify(id ?? null), response));
        if (this.connected) dispatchSoon(this.connected.session.identity.agentId);
      },
      (error) => {
        const rpc = toRpcError(error);
        this.socket.send(rpcError(JSON.stringify(id ?? null), rpc));
        this.close(error instanceof HubError ? closeCodeOf(error.reason) : HUB_CLOSE.protocol, rpc.message);
      },
    );
  }

  private async hello(params: JsonObject): Promise<JsonObject> {
    const hello = parseParams(helloParams, this.token === null ? params : { token: this.token, ...params });
    const socket = {
      send: (text: string): void => this.socket.send(text),
      close: (code: number, reason: string): void => this.close(code, reason),
    };
    const { session, authorization, response } = await connectWorker(socket, hello, new Date());
    clearTimeout(this.helloTimer);
    this.connected = { session, authorization, slug: hello.agent, token: hello.token };
    if (this.socket.readyState !== this.socket.OPEN) disconnectWorker(session);
    return response;
  }

  /** @throws {HubError} `invalid_token`, `not_your_agent`, `suspended` */
  private async renewToken(token: string): Promise<void> {
    if (!this.connected) return;
    const { slug } = this.connected;
    const authorization = await authenticateWorker(token, { slug, now: new Date() });
    Object.assign(this.connected, { authorization, token });
  }
}

const rpcCodes: Record<string, number> = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
};

function toRpcError(error: unknown): { code: number; message: string; data?: JsonValue } {
  if (error instanceof HubError) return error.toRpc();
  const protocolError = asProtocolError(error);
  if (protocolError) return { code: rpcCodes[protocolError.code] ?? -32602, message: protocolError.message };
  log.error('hub.request_failed', errorFields(error));
  return { code: -32603, message: 'Something went wrong on our side.' };
}
