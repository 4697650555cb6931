import { type AgentRecord, findAgent } from '../catalog';
import { ParleyError } from '../platform/errors';
import { sha256 } from '../platform/secrets/crypto';
import type { Message, Part } from '../protocol/a2a/core/model';
import type { AgentItem } from '../protocol/a2a/dialects';
import { type BuiltInTurn, followHired, type HiredTask, hireAgent, replyToHired } from '../tasks';
import { lastMessageOf } from './read-request';
import { type Routing, toMetadata } from './routing';

/** Errors from an agent that temporarily cannot accept a task. */
const unavailableCodes: ReadonlySet<string> = new Set([
  'agent_unreachable',
  'agent_offline',
  'agent_timeout',
  'agent_not_found',
  'unavailable',
  'content_type_not_supported',
]);

/** The error if the chosen agent could not accept the message. */
export class AgentUnavailable extends Error {
  override readonly name = 'AgentUnavailable';
}

/**
 * Forwards the routed messages to the chosen agent and yields its output.
 * @throws {AgentUnavailable} if the agent did not accept the message
 */
export async function* passOn(
  turn: BuiltInTurn,
  { routing, agent, parts }: { routing: Routing; agent: AgentRecord; parts: Part[] },
): AsyncGenerator<AgentItem[]> {
  const { skill } = routing;
  const message = passedMessage(turn, { agent, parts, cause: routing.turn });
  const metadata = skill === null ? undefined : { skill_used: skill };
  yield* relay(turn, agent, async () => {
    const hired = await hireAgent(turn, { agent, message, metadata });
    if (routing.task !== hired.taskId) await turn.annotate(toMetadata({ ...routing, task: hired.taskId }));
    return hired;
  });
}

/** Forwards the last message to the agent that asked for it, and yields its output. */
export async function* passReply(
  turn: BuiltInTurn,
  { agent, taskId }: { agent: AgentRecord; taskId: string },
): AsyncGenerator<AgentItem[]> {
  const { parts, messageId } = lastMessageOf(turn.task);
  const message = passedMessage(turn, { agent, parts, cause: messageId });
  const hired = await replyToHired(turn, { agent, message, taskId });
  yield* followHired(turn, { agent, hired: resumed(turn, hired) });
}

async function* relay(
  turn: BuiltInTurn,
  agent: AgentRecord,
  start: () => Promise<HiredTask>,
): AsyncGenerator<AgentItem[]> {
  let hasOutput = false;
  try {
    const hired = await start();
    for await (const items of followHired(turn, { agent, hired: resumed(turn, hired) })) {
      yield items;
      hasOutput = true;
    }
  } catch (error) {
    const isUnavailable = error instanceof ParleyError && unavailableCodes.has(error.code);
    if (hasOutput || turn.signal.aborted || !isUnavailable) throw error;
    throw new AgentUnavailable(`${agent.name} could not accept this.`, { cause: error });
  }
}

/**
 * Returns the output that is still missing, according to the state. A turn that another node started may already have
 * published some output.
 */
function resumed({ isResumed }: BuiltInTurn, hired: HiredTask): HiredTask {
  return isResumed ? { ...hired, after: null } : hired;
}

/**
 * Returns the forwarded message. If the turn is processed again, its id is the same, so that the message is sent only
 * once.
 */
function passedMessage(
  { record }: BuiltInTurn,
  { agent, parts, cause }: { agent: AgentRecord; parts: Part[]; cause: string },
): Message {
  const hash = sha256(JSON.stringify([record.id, cause, agent.id]));
  const messageId = [8, 4, 4, 4, 12]
    .reduce<{ at: number; groups: string[] }>(
      ({ at, groups }, length) => ({ at: at + length, groups: [...groups, hash.slice(at, at + length)] }),
      { at: 0, groups: [] },
    )
    .groups.join('-');
  return { messageId, role: 'user', parts };
}

/** Returns the agent of a decision; null if it no longer exists. */
export async function routedAgent({ agent }: Pick<Routing, 'agent'>): Promise<AgentRecord | null> {
  return agent === null ? null : findAgent(agent);
}
