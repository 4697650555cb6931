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
import express from 'express';

/**
 * An agent on A2A SDK 1.3.0: echoes text in two chunks, asks on `ask`, and can be canceled. `extended` adds to the
 * card for authenticated callers.
 */
export async function startSdk10Agent({ extended = false } = {}): Promise<{ url: string; stop: () => Promise<void> }> {
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
  // This SDK's handler serves the card in its in-memory form.
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

function cardOf(url: string, extendedAgentCard: boolean): AgentCard {
  return AgentCard.fromJSON({
    name: 'Echo 1.0',
    description: 'Says again what it hears',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, ...(extendedAgentCard && { extendedAgentCard }) },
    securitySchemes: { token: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
  });
}

class Echo implements AgentExecutor {
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
  }
}
