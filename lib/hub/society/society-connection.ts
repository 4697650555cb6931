import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { log } from '../../platform/runtime/log';
import type { HubFrame } from '../../protocol/hub/frames';
import { registerParams } from '../../protocol/hub/society';
import type { JsonObject } from '../../protocol/json';
import { type RpcRequest, rpcError, rpcResult } from '../../protocol/jsonrpc';
import { ProtocolError } from '../../protocol/protocol-error';
import { toRpcError } from '../channel';
import { recheckWorker } from '../connections/authenticate-worker';
import { type Connected, callingAgentOf, WorkerConnection } from '../connections/connection';
import { SOCIETY_REGISTER_TIMEOUT_MS, SOCIETY_SILENCE_TIMEOUT_MS } from '../limits';
import { dispatchSoon } from '../runs/dispatch';
import { receiveTaskFrame } from './answer';
import { ClientCalls, type Reply } from './client-calls';
import { registerClient } from './register-client';
import { SocietyChannel } from './society-channel';

/** The connection of a Society AI client. Refusals are sent as results, because Society AI clients only log JSON-RPC errors. */
export class SocietyConnection extends WorkerConnection {
  private readonly channel = new SocietyChannel(this.channelSocket());
  private readonly calls = new ClientCalls(this.channel);
  private isRegistering = false;

  /** `token` is from the URL or the Authorization header, for clients that send no token with `agent.register`. */
  constructor(
    socket: WebSocket,
    private readonly token: string | null,
    onClose: (connection: WorkerConnection) => void,
  ) {
    super(socket, onClose, {
      helloTimeoutMs: SOCIETY_REGISTER_TIMEOUT_MS,
      silenceTimeoutMs: SOCIETY_SILENCE_TIMEOUT_MS,
    });
    socket.on('close', () => this.calls.end());
    this.channel.notify('connection.established', { connection_id: randomUUID() });
  }

  protected handleFrame(frame: HubFrame, bytes: number): void {
    if (frame.kind === 'response') return;
    const { id } = frame.request;
    this.handle(frame.request, bytes).then(
      ({ result, after }) => {
        if (id !== undefined) this.reply(rpcResult(JSON.stringify(id), result));
        after?.();
      },
      (error) => {
        const rpc = toRpcError(error);
        if (id === undefined) log.info('hub.frame_rejected', { error: rpc.message });
        else this.reply(rpcError(JSON.stringify(id), rpc));
      },
    );
  }

  /** The authorization remains valid after the token expires, because clients send the token only once. */
  protected reauthorize({ authorization }: Connected, now: Date): Promise<void> {
    return recheckWorker(authorization, now);
  }

  private async handle({ id = null, method, params }: RpcRequest, bytes: number): Promise<Reply> {
    switch (method) {
      case 'agent.register':
        return this.register(params);
      case 'heartbeat':
        this.channel.notify('heartbeat_ack', {});
        return { result: {} };
      case 'task.status':
      case 'task.artifact':
      case 'task.complete':
        return { result: this.receiveTask({ method, params, bytes }) };
      case 'agent.search':
        return this.calls.search(this.connected && callingAgentOf(this.connected), params);
      case 'agent.send_task':
        return this.calls.sendTask(this.connected && callingAgentOf(this.connected), { id, params });
      default:
        throw new ProtocolError('method_not_found', `Unknown method "${method.slice(0, 100)}".`);
    }
  }

  private async register(given: JsonObject): Promise<Reply> {
    if (this.isRegistering || this.connected) return refused('This connection is already registered.');
    const params = registerParams.safeParse({ ...given, auth_token: given.auth_token ?? this.token });
    if (!params.success) return refused('Expected agent_name and auth_token to be strings.');
    this.isRegistering = true;
    try {
      const registration = await registerClient(this.channel, params.data, new Date());
      if (typeof registration === 'string') return refused(registration);
      this.setConnected(registration);
      const { slug, id } = registration.authorization.agent;
      // After the response, because a client that is not registered cannot process tasks.
      return { result: { registered: true, agent_id: slug }, after: () => dispatchSoon(id) };
    } finally {
      this.isRegistering = false;
    }
  }

  private receiveTask(frame: { method: string; params: JsonObject; bytes: number }): JsonObject {
    const delivery = this.connected && receiveTaskFrame(this.connected.session, frame);
    if (!delivery) return { accepted: false, reason: 'unknown_task' };
    // The protocol has no acknowledgments, so events beyond the window stay in the client's socket.
    if (delivery.isFull && !this.socket.isPaused) {
      void delivery.room().then(this.stopReading());
    }
    return { accepted: true };
  }
}

function refused(error: string): Reply {
  return { result: { registered: false, error } };
}
