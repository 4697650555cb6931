import { randomUUID } from 'node:crypto';
import type { AgentRecord } from '../../catalog';
import { streamMessage, type TaskStream } from '../../gateway';
import type { CallerActor, Ctx } from '../../platform/context';
import type { Part } from '../../protocol/a2a/core/model';
import { extensionsToActivate } from '../../protocol/extensions';

interface HostMessage {
  parts: Part[];
  contextId?: string;
  taskId?: string;
  idempotencyKey?: string;
}

/**
 * Sends a message to an agent, and streams its turn.
 * @throws what the gateway's `streamMessage` throws
 */
export function sendToAgent(
  ctx: Ctx & { actor: CallerActor },
  agent: AgentRecord,
  { parts, contextId, taskId, idempotencyKey }: HostMessage,
): Promise<TaskStream> {
  return streamMessage({
    ctx,
    input: {
      agent,
      request: {
        op: 'send',
        streaming: true,
        message: { messageId: randomUUID(), role: 'user', parts, contextId, taskId },
        configuration: { returnImmediately: false },
      },
      idempotencyKey,
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
    },
  });
}
