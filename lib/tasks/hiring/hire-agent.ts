import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { sha256 } from '../../platform/secrets/crypto';
import type { Message } from '../../protocol/a2a/core/model';
import { extensionsToActivate } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { hiringSetting } from '../../tokens';
import { throwIfRefused } from '../log/turn';
import type { BuiltInTurn } from '../sources/built-in-source';
import { findActingAgents, findPosition } from '../store/chains';
import { startTurn } from '../turns/start-turn';

/** A message that a built-in agent forwards for its caller. */
interface HiredSend {
  agent: AgentRecord;
  message: Message;
  metadata?: JsonObject;
}

/** The task of a hired agent, and the sequence number after which its events follow; null to start with its state. */
export interface HiredTask {
  taskId: string;
  after: number | null;
}

/** Returns the task's agent and the agents above it in its chain, nearest first. */
export async function actingAgentsOf({ record }: Pick<BuiltInTurn, 'record'>): Promise<string[]> {
  return [record.agentId, ...(await findActingAgents(record))];
}

/**
 * Forwards a message to an agent for the turn's caller, as a delegated task of the turn's task. A message id is sent
 * only once. Requires approval only if the caller is itself an agent, because other callers asked the built-in agent to
 * choose.
 * @throws {ParleyError} `forbidden` if the user does not permit this agent to hire others; the errors of {@link
 * startTurn}; the agent's refusal
 */
export async function hireAgent(turn: BuiltInTurn, { agent, message, metadata }: HiredSend): Promise<HiredTask> {
  const { record } = turn;
  const caller = hiringCaller(turn, agent);
  const position = await findPosition(record);
  const { principal, credentialId } = record;
  const setting = principal.startsWith('usr_')
    ? await hiringSetting({ principal, credentialId, agentId: record.agentId })
    : 'yes';
  if (setting === 'never') {
    const text = `Your settings do not allow ${turn.agent.name} to call other agents for you. Change this in Settings → Connections.`;
    throw new ParleyError('forbidden', text);
  }
  const started = await startTurn({
    ctx: contextOf(turn, caller),
    input: {
      agent,
      request: {
        op: 'send',
        streaming: true,
        message: { ...message, contextId: record.contextId },
        configuration: { returnImmediately: true },
        metadata,
      },
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
      passesOn: record.id,
      hiredBy: {
        parent: {
          taskId: record.id,
          agentId: record.agentId,
          credentialId,
          rootTaskId: position?.rootTaskId ?? record.id,
          depth: (position?.depth ?? 0) + 1,
        },
        mayHire: record.delegation === null || setting === 'yes',
      },
      approvalWaitMs: Number.POSITIVE_INFINITY,
    },
  });
  throwIfRefused(started.last);
  return { taskId: started.record.id, after: started.seq };
}

/**
 * Forwards the caller's reply to a hired agent that asked for it. Does nothing for a task that no longer requires a
 * reply.
 * @throws {ParleyError} all other errors of {@link startTurn}
 */
export async function replyToHired(
  turn: BuiltInTurn,
  { agent, message, taskId }: HiredSend & { taskId: string },
): Promise<HiredTask> {
  // Sent as the caller, who may also answer directly in the hired agent's task.
  const { delegation: _own, ...direct } = hiringCaller(turn, agent);
  try {
    const started = await startTurn({
      ctx: contextOf(turn, direct),
      input: {
        agent,
        request: {
          op: 'send',
          streaming: true,
          message: { ...message, taskId },
          configuration: { returnImmediately: true },
        },
        extensions: { requested: extensionsToActivate(agent.card), activated: [] },
        passesOn: turn.record.id,
      },
    });
    throwIfRefused(started.last);
    return { taskId, after: started.seq };
  } catch (error) {
    // The task was answered directly, or has ended in the meantime.
    if (!hasCode(error, 'task_busy') && !hasCode(error, 'unsupported_operation')) throw error;
    return { taskId, after: null };
  }
}

function contextOf({ requestId, trace, signal }: BuiltInTurn, actor: CallerActor): Ctx {
  return { actor, requestId, trace, signal: toAbortSignal(signal), now: new Date() };
}

/**
 * Returns the turn's caller for calls to the hired agent. The resulting tasks are separate from those that the caller
 * creates there directly, and are the same for every credential of the caller.
 */
export function hiringCaller({ record }: Pick<BuiltInTurn, 'record'>, agent: Pick<AgentRecord, 'id'>): CallerActor {
  const { principal, credentialId, clientId, delegation, agentId } = record;
  return {
    kind: 'caller',
    principal,
    credentialId,
    clientId,
    agentId: agent.id,
    delegation: sha256(JSON.stringify(['hired by', agentId, delegation])).slice(0, 32),
    scopes: ['agent:call'],
  };
}

/** Returns an `AbortSignal` that aborts when `signal` does, for code that requires an `AbortSignal`. */
export function toAbortSignal(signal: AbortSignalLike): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason));
  return controller.signal;
}
