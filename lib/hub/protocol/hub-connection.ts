import type { WebSocket } from 'ws';
import { closeCodeOf, HUB_CLOSE, HubError } from '../../protocol/hub/errors';
import { type HubFrame, parseParams } from '../../protocol/hub/frames';
import { helloParams } from '../../protocol/hub/hub-schema';
import type { JsonObject, JsonValue } from '../../protocol/json';
import { type RpcRequest, rpcError, rpcResult } from '../../protocol/jsonrpc';
import { ProtocolError } from '../../protocol/protocol-error';
import { toRpcError } from '../channel';
import { authenticateWorker } from '../connections/authenticate-worker';
import { connectWorker } from '../connections/connect-worker';
import { type Connected, callingAgentOf, WorkerConnection } from '../connections/connection';
import { HELLO_TIMEOUT_MS, SILENCE_TIMEOUT_MS, TOKEN_GRACE_MS } from '../limits';
import { dispatchSoon } from '../runs/dispatch';
import { AgentMethods, type AgentReply } from './agent-methods';
import { HubChannel } from './hub-channel';
import { workerMethods } from './worker-methods';

/** The connection of a worker that uses `parley.hub.v1`: its hello, then requests of both sides. */
export class HubConnection extends WorkerConnection {
  private readonly channel = new HubChannel(this.channelSocket());
  private readonly agentMethods = new AgentMethods(this.channel);
  private saidHello = false;
  private isRenewing = false;
  /** The agent for which the worker connected, and its latest token. */
  private proof = { slug: '', token: '' };

  /** `token` is from the Authorization header of the upgrade, for workers that set one. */
  constructor(
    socket: WebSocket,
    private readonly token: string | null,
    onClose: (connection: WorkerConnection) => void,
  ) {
    super(socket, onClose, { helloTimeoutMs: HELLO_TIMEOUT_MS, silenceTimeoutMs: SILENCE_TIMEOUT_MS });
    socket.on('close', () => this.agentMethods.end());
  }

  protected handleFrame(frame: HubFrame, bytes: number): void {
    if (frame.kind === 'response') this.channel.receiveResponse(frame);
    else if (this.connected) this.handle(this.connected, frame.request, bytes);
    else this.handleHello(frame.request);
  }

  protected reauthorize(_connected: Connected, now: Date): Promise<unknown> {
    const { slug, token } = this.proof;
    return authenticateWorker(token, { slug, now: new Date(now.getTime() - TOKEN_GRACE_MS) });
  }

  /**
   * Handles a request or notification. An invalid notification closes the connection, because no response can report
   * it. An unknown one is ignored, and one for a run that no longer exists is answered with `run.gone`.
   */
  private handle(connected: Connected, { id, method, params }: RpcRequest, bytes: number): void {
    const handler = Object.hasOwn(workerMethods, method) ? workerMethods[method] : undefined;
    if (!handler) {
      this.callAgent(connected, { id, method, params });
      return;
    }
    const { channel } = this;
    const { session } = connected;
    const context = { session, channel, bytes, renewToken: (token: string) => this.renewToken(token) };
    try {
      const result = handler(context, params);
      if (id !== undefined) void this.respond(id, result);
      else if (result instanceof Promise) result.catch((error: unknown) => this.closeAfter(error));
    } catch (error) {
      if (id !== undefined) void this.respond(id, Promise.reject(error));
      else if (!isReportedByRunGone(error)) throw error;
    }
  }

  /** Calls a method of {@link AgentMethods}. Its response is sent before its notifications. */
  private callAgent({ session, authorization }: Connected, { id, method, params }: RpcRequest): void {
    const call = this.agentMethods.find(method);
    if (id === undefined) {
      if (call) throw new ProtocolError('invalid_request', `Expected ${method} to be a request with an "id".`);
      return;
    }
    if (!call) {
      const unknown = new ProtocolError('method_not_found', `Unknown method "${method.slice(0, 100)}".`);
      void this.respond(id, Promise.reject(unknown));
      return;
    }
    const worker = { session, from: callingAgentOf({ session, authorization }) };
    let follow: AgentReply['after'];
    const result = call(worker, params).then((reply) => {
      follow = reply.after;
      return reply.result;
    });
    void this.respond(id, result).then(() => follow?.());
  }

  private async respond(id: RpcRequest['id'], result: JsonValue | Promise<JsonValue>): Promise<void> {
    const idText = JSON.stringify(id ?? null);
    try {
      this.reply(rpcResult(idText, await result));
    } catch (error) {
      this.reply(rpcError(idText, toRpcError(error)));
    }
  }

  private closeAfter(error: unknown): void {
    this.close(HUB_CLOSE.protocol, toRpcError(error).message);
  }

  /**
   * Handles the hello.
   * @throws {ProtocolError} for another first frame, and for frames before the response to the hello
   */
  private handleHello({ id, method, params }: RpcRequest): void {
    if (this.saidHello || method !== 'hub.hello') {
      throw new ProtocolError(
        'invalid_request',
        'Expected hub.hello as the first frame, and no other frames before its response.',
      );
    }
    this.saidHello = true;
    this.stopHelloTimer();
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
    const { session, authorization, response } = await connectWorker(this.channel, hello, new Date());
    this.proof = { slug: hello.agent, token: hello.token };
    this.setConnected({ session, authorization });
    return response;
  }

  /**
   * Replaces the token.
   * @throws {HubError} `invalid_token`, `not_your_agent`, `suspended`, `rate_limited` while another token is checked
   */
  private async renewToken(token: string): Promise<void> {
    if (!this.connected) return;
    if (this.isRenewing) throw new HubError('rate_limited', 'The previous hub.auth request has not finished.');
    const { slug } = this.proof;
    this.isRenewing = true;
    try {
      this.connected.authorization = await authenticateWorker(token, { slug, now: new Date() });
      this.proof = { slug, token };
    } finally {
      this.isRenewing = false;
    }
  }
}

/**
 * Returns true if `run.gone` reports the error. Events may be sent at the same time as their run ends, so it is not an
 * error of the worker.
 */
function isReportedByRunGone(error: unknown): boolean {
  return error instanceof HubError && (error.reason === 'unknown_run' || error.reason === 'stale_epoch');
}
