import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server as GrpcServer, type Metadata, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';

/** An agent, and the metadata of its gRPC calls. */
interface Sdk10Agent {
  url: string;
  metadata: Metadata[];
  stop: () => Promise<void>;
}

/**
 * An agent on A2A SDK 1.3.0: echoes text in two chunks, asks on `ask`, waits on `wait`, and can be canceled. `extended`
 * adds to the card for authenticated callers. With `binding` GRPC, its card has only that interface, as `host:port`. Its
 * handler accepts the version that the card declares.
 */
export async function startSdk10Agent({
  extended = false,
  binding = 'JSONRPC',
  protocolVersion = '1.0',
}: {
  extended?: boolean;
  binding?: 'JSONRPC' | 'GRPC';
  protocolVersion?: '1.0' | '1.1';
} = {}): Promise<Sdk10Agent> {
  const app = express();
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grpc = new GrpcServer();
  const address = binding === 'GRPC' ? await bind(grpc) : `${url}/rpc`;
  const card = cardOf({ address, binding, protocolVersion, extendedAgentCard: extended });
  const more = { ...card, skills: [...card.skills, ...card.skills.map((skill) => ({ ...skill, id: 'inside' }))] };
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    new Echo(),
    ...[undefined, undefined, undefined],
    async () => more,
  );
  // This SDK's handler serves the card in its in-memory form.
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  const metadata: Metadata[] = [];
  const service = grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication });
  grpc.addService(A2AService, recorded(service, metadata));
  return {
    url,
    metadata,
    async stop() {
      grpc.forceShutdown();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function bind(server: GrpcServer): Promise<string> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
}

type Service = ReturnType<typeof grpcService>;

/** The service, which adds the metadata of each call to `calls`. */
function recorded(service: Service, calls: Metadata[]): Service {
  const methods = Object.entries(service).map(([name, serve]) => [
    name,
    (call: { metadata: Metadata }, ...rest: unknown[]) => {
      calls.push(call.metadata);
      return (serve as (...all: unknown[]) => unknown)(call, ...rest);
    },
  ]);
  return Object.fromEntries(methods);
}

interface CardOptions {
  address: string;
  binding: string;
  protocolVersion: string;
  extendedAgentCard: boolean;
}

function cardOf({ address, binding, protocolVersion, extendedAgentCard }: CardOptions): AgentCard {
  return AgentCard.fromJSON({
    name: 'Echo 1.0',
    description: 'Says again what it hears',
    version: '1.0.0',
    supportedInterfaces: [{ url: address, protocolBinding: binding, protocolVersion }],
    capabilities: { streaming: true, ...(extendedAgentCard && { extendedAgentCard }) },
    securitySchemes: { token: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
  });
}

class Echo implements AgentExecutor {
  private readonly waiting = new Map<string, () => void>();

  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const text = userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
    const ids = { taskId, contextId };
    const status = (state: string, message?: object): void =>
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...ids, status: { state, message } })));
    const history = [Message.toJSON(userMessage)];
    const fresh = Task.fromJSON({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, history });
    bus.publish(AgentEvent.task(task ?? fresh));
    if (text === 'ask') {
      status('TASK_STATE_INPUT_REQUIRED', {
        messageId: `${taskId}-ask`,
        role: 'ROLE_AGENT',
        parts: [{ text: 'What?' }],
        ...ids,
      });
    } else if (text === 'wait') {
      status('TASK_STATE_WORKING');
      await new Promise<void>((resolve) => this.waiting.set(taskId, resolve));
    } else {
      status('TASK_STATE_WORKING');
      [text.slice(0, 2), text.slice(2)].forEach((piece, at) => {
        const artifact = { artifactId: 'echo', parts: [{ text: piece }] };
        const update = TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact, append: at > 0, lastChunk: at > 0 });
        bus.publish(AgentEvent.artifactUpdate(update));
      });
      status('TASK_STATE_COMPLETED');
    }
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const update = TaskStatusUpdateEvent.fromJSON({ taskId, contextId: '', status: { state: 'TASK_STATE_CANCELED' } });
    bus.publish(AgentEvent.statusUpdate(update));
    bus.finished();
    this.waiting.get(taskId)?.();
  }
}
