import { randomUUID } from 'node:crypto';
import { type AgentRecord, findAgent } from '../../catalog';
import type { CallerActor, Ctx, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import type { Part } from '../../protocol/a2a/core/model';
import { extensionsToActivate } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { collectTurn, sendMessage, streamMessage, type TaskStream, type TaskTurn } from '../../tasks';
import { mayCall } from '../../tokens';

/** A message to an agent from an app that uses another protocol. */
export interface HostMessage {
  parts: Part[];
  contextId?: string;
  taskId?: string;
  idempotencyKey?: string;
  /** Detects a different message with the same key; by default, the hash of the message. */
  bodyHash?: string;
  metadata?: JsonObject;
}

type SendCall = Parameters<typeof streamMessage>[0];
type CallerCtx = Ctx & { actor: CallerActor };

/**
 * Sends a message to an agent, and streams its turn.
 * @throws the errors of the gateway's `streamMessage`
 */
export function streamFromAgent(ctx: CallerCtx, agent: AgentRecord, message: HostMessage): Promise<TaskStream> {
  return streamMessage(toSend(ctx, agent, message));
}

/**
 * Sends a message to an agent, and returns its turn when it ends, or its items so far after `waitMs` milliseconds or
 * when the signal aborts. Requires half as much CPU time as a stream.
 * @throws the errors of the gateway's `collectTurn`
 */
export function callAgent(
  ctx: CallerCtx,
  agent: AgentRecord,
  { until, ...message }: HostMessage & { until: { waitMs: number; readonly signal: AbortSignalLike } },
): Promise<TaskTurn> {
  return collectTurn({ ...toSend(ctx, agent, message), until });
}

/**
 * Sends a message to an agent, and returns when its turn has started.
 * @throws the errors of the gateway's `sendMessage`
 */
export async function startTurnOfAgent(ctx: CallerCtx, agent: AgentRecord, message: HostMessage): Promise<void> {
  const { input } = toSend(ctx, agent, message);
  const request = { ...input.request, streaming: false, configuration: { returnImmediately: true } };
  await sendMessage({ ctx, input: { ...input, request } });
}

function toSend(ctx: CallerCtx, agent: AgentRecord, { idempotencyKey, bodyHash, ...message }: HostMessage): SendCall {
  return {
    ctx,
    input: {
      agent,
      request: {
        op: 'send',
        streaming: true,
        message: { messageId: randomUUID(), role: 'user', ...message },
        configuration: { returnImmediately: false },
      },
      // Every call has a new message id.
      idempotencyKey: idempotencyKey ?? null,
      bodyHash,
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
    },
  };
}

/**
 * Finds the agent with this id (slug) if the user may call it. `parameter` is the location of the id in the request.
 * @throws {ParleyError} `agent_not_found`, for unknown agents and those that are private to others
 */
export async function findCallableAgent(user: UserActor, slug: string, parameter: string): Promise<AgentRecord> {
  const agent = await findAgent(slug);
  if (agent && mayCall(user.userId, agent)) return agent;
  throw new ParleyError(
    'agent_not_found',
    `${parameter}: "${slug.slice(0, 100)}" does not exist, or you have no access to it. Expected the ID of an agent, such as "concierge".`,
    { data: { parameter } },
  );
}
