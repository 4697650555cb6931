import { EventEmitter, once } from 'node:events';
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
import { agentCardHandler, restHandler, UserBuilder } from 'a2a-sdk-0-3/server/express';
import express from 'express';
import type { RestAgent } from './rest10-agent';

/**
 * An A2A 0.3 agent on SDK 0.3.14 with HTTP+JSON only. Echoes every part, asks on `ask`, can be canceled. `extended`
 * adds to the card for authenticated callers.
 */
export async function startRest03({ extended = false } = {}): Promise<RestAgent> {
  const app = express();
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executor = new Echo();
  const card = cardOf(url, extended);
  const more = { ...card, skills: [...card.skills, ...card.skills.map((skill) => ({ ...skill, id: 'inside' }))] };
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    ...[undefined, undefined, undefined],
    async () => more,
  );
  const requests: string[] = [];
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use((request, _response, next) => {
    requests.push(`${request.method} ${request.path}`);
    next();
  });
  app.use('/rest', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    requests,
    followed: executor.followed,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function cardOf(url: string, extended: boolean): AgentCard {
  return {
    name: 'REST 0.3',
    description: 'Says again what it hears',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    // Some cards include the prefix of every path, others do not.
    url: `${url}/rest/v1`,
    preferredTransport: 'HTTP+JSON',
    capabilities: { streaming: true },
    ...(extended && { supportsAuthenticatedExtendedCard: true }),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
  };
}

class Echo implements AgentExecutor {
  readonly followed: (string | undefined)[] = [];
  private readonly cancels = new EventEmitter();

  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    this.followed.push(task?.id);
    const text = userMessage.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    const ids = { taskId, contextId };
    const end = (state: 'completed' | 'canceled'): void =>
      bus.publish({ kind: 'status-update', ...ids, status: { state }, final: true });
    const fresh = { kind: 'task' as const, id: taskId, contextId, history: [userMessage] };
    if (!task) bus.publish({ ...fresh, status: { state: 'submitted' } });
    if (text === 'ask') {
      const parts = [{ kind: 'text' as const, text: 'What?' }];
      const message = { kind: 'message' as const, messageId: `${taskId}-ask`, role: 'agent' as const, parts, ...ids };
      bus.publish({ kind: 'status-update', ...ids, status: { state: 'input-required', message }, final: true });
    } else if (text === 'slow') {
      bus.publish({ kind: 'status-update', ...ids, status: { state: 'working' }, final: false });
      await once(this.cancels, taskId);
      end('canceled');
    } else {
      const artifact = { artifactId: 'echo', parts: userMessage.parts };
      bus.publish({ kind: 'artifact-update', ...ids, artifact, lastChunk: true });
      end('completed');
    }
    bus.finished();
  }

  async cancelTask(taskId: string, _bus: ExecutionEventBus): Promise<void> {
    this.cancels.emit(taskId);
  }
}
