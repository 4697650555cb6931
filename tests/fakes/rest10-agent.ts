import { EventEmitter, once } from 'node:events';
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
import { restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

/** Requests to the agent: `VERB path` of every call except for the card, and the task of every message. */
export interface RestAgent {
  url: string;
  requests: string[];
  followed: (string | undefined)[];
  stop: () => Promise<void>;
}

/**
 * An A2A 1.0 agent on SDK 1.3.0 with HTTP+JSON only, for one tenant. Echoes every part, asks, can be canceled.
 * `extended` adds to the card for authenticated callers.
 */
export async function startRest10({ extended = false } = {}): Promise<RestAgent> {
  const app = express();
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = cardOf(url, extended);
  const more = { ...card, skills: [...card.skills, ...card.skills.map((skill) => ({ ...skill, id: 'inside' }))] };
  const executor = new Echo();
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    ...[undefined, undefined, undefined],
    async () => more,
  );
  const requests: string[] = [];
  app.get('/.well-known/agent-card.json', (_, response) => void response.json(AgentCard.toJSON(card)));
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

function cardOf(url: string, extendedAgentCard: boolean): AgentCard {
  return AgentCard.fromJSON({
    name: 'REST 1.0',
    description: 'Says again what it hears',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'acme' },
      { url: `${url}/grpc`, protocolBinding: 'GRPC', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true, ...(extendedAgentCard && { extendedAgentCard }) },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
  });
}

class Echo implements AgentExecutor {
  readonly followed: (string | undefined)[] = [];
  private readonly cancels = new EventEmitter();

  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    this.followed.push(task?.id);
    const text = userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
    const ids = { taskId, contextId };
    const status = (state: string, message?: object): void =>
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...ids, status: { state, message } })));
    const fresh = {
      id: taskId,
      contextId,
      status: { state: 'TASK_STATE_SUBMITTED' },
      history: [Message.toJSON(userMessage)],
    };
    bus.publish(AgentEvent.task(task ?? Task.fromJSON(fresh)));
    if (text === 'ask') {
      const parts = [{ text: 'What?' }];
      status('TASK_STATE_INPUT_REQUIRED', { messageId: `${taskId}-ask`, role: 'ROLE_AGENT', parts, ...ids });
    } else if (text === 'slow') {
      status('TASK_STATE_WORKING');
      await once(this.cancels, taskId);
      status('TASK_STATE_CANCELED');
    } else {
      const { parts } = Message.toJSON(userMessage) as { parts: object[] };
      const artifact = { artifactId: 'echo', parts };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact, lastChunk: true })));
      status('TASK_STATE_COMPLETED');
    }
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    if (this.cancels.emit(taskId)) return;
    // A task that waits for an answer is not being executed.
    const update = { taskId, contextId: '', status: { state: 'TASK_STATE_CANCELED' } };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(update)));
    bus.finished();
  }
}
