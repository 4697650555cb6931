import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentCard } from 'a2a-sdk-0-3';
import {
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from 'a2a-sdk-0-3/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from 'a2a-sdk-0-3/server/express';
import express from 'express';

/**
 * An agent on A2A SDK 0.3.14: echoes text and data in two chunks, asks on `ask`, asks with a form on `form`, and can be
 * canceled. `extended` adds to the
 * card for authenticated callers.
 */
export async function startSdk03Agent({ extended = false } = {}): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = express();
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = cardOf(url, extended);
  const more = { ...card, skills: [...card.skills, ...card.skills.map((skill) => ({ ...skill, id: 'inside' }))] };
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    new Echo(),
    ...[undefined, undefined, undefined],
    async () => more,
  );
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function cardOf(url: string, extended: boolean): AgentCard {
  return {
    name: 'Echo 0.3',
    description: 'Says again what it hears',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: `${url}/rpc`,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true },
    ...(extended && { supportsAuthenticatedExtendedCard: true }),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
  };
}

const form = {
  kind: 'form',
  message: 'Which pizza?',
  schema: {
    type: 'object',
    properties: {
      size: {
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
        title: 'Size',
      },
      count: { type: 'integer', minimum: 1, default: 1 },
      toppings: { type: 'array', items: { enum: ['olives', 'basil'] } },
      email: { type: 'string', format: 'email' },
      gift: { type: 'boolean' },
    },
    required: ['size', 'email'],
  },
};

class Echo implements AgentExecutor {
  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const text = userMessage.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    const ids = { taskId, contextId };
    if (!task)
      bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] });
    const [answer] = userMessage.parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));
    if (text === 'ask' || text === 'form') {
      const question =
        text === 'ask' ? { kind: 'text' as const, text: 'What?' } : { kind: 'data' as const, data: form };
      const parts = [question];
      const message = { kind: 'message' as const, messageId: `${taskId}-ask`, role: 'agent' as const, parts, ...ids };
      bus.publish({ kind: 'status-update', ...ids, status: { state: 'input-required', message }, final: true });
    } else {
      bus.publish({ kind: 'status-update', ...ids, status: { state: 'working' }, final: false });
      const said = answer ? JSON.stringify(answer) : text;
      [said.slice(0, 2), said.slice(2)].forEach((piece, at) => {
        const artifact = { artifactId: 'echo', parts: [{ kind: 'text' as const, text: piece }] };
        bus.publish({ kind: 'artifact-update', ...ids, artifact, append: at > 0, lastChunk: at > 0 });
      });
      bus.publish({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true });
    }
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    bus.publish({ kind: 'status-update', taskId, contextId: '', status: { state: 'canceled' }, final: true });
    bus.finished();
  }
}
