import { asParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { parseParams } from '../../protocol/hub/frames';
import { searchParams, sendTaskParams } from '../../protocol/hub/society';
import type { JsonObject, JsonValue } from '../../protocol/json';
import { asProtocolError } from '../../protocol/protocol-error';
import { agentCalls, type FoundAgent, type SentTask } from '../agent-calls';
import { MAX_SOCIETY_REQUESTS } from '../limits';
import type { SocietyChannel } from './society-channel';

/** The response to a request, and what follows it. */
export interface Reply {
  result: JsonValue;
  after?: () => void;
}

/** A send of the client: its id returns in the notification of the result. */
interface SendRequest {
  id: string | number | null;
  params: JsonObject;
}

/** What a client does with other agents. Refusals are results with `error`. */
export class ClientCalls {
  private open = 0;
  private readonly closed = new AbortController();

  constructor(private readonly channel: SocietyChannel) {}

  /** `agent.search`. `agentId`: the client's agent; undefined before it has registered. */
  search(agentId: string | undefined, params: JsonObject): Promise<Reply> {
    return this.answer(agentId, async () => {
      const found = await agentCalls().search(parseParams(searchParams, params));
      return { result: { agents: found.map(toResult) } };
    });
  }

  /** `agent.send_task`: the response says that the task exists; `delegation.result` follows at the end of its turn. */
  sendTask(agentId: string | undefined, { id, params }: SendRequest): Promise<Reply> {
    return this.answer(agentId, async (from) => {
      const { agent_id, message, skill_id, session_id, task_id } = parseParams(sendTaskParams, params);
      const input = {
        ...{ from, to: agent_id, text: message },
        ...(skill_id && { skillId: skill_id }),
        ...(session_id && { contextId: session_id }),
        ...(task_id && { taskId: task_id }),
      };
      const sent = await agentCalls().send(input, this.closed.signal);
      const result = { accepted: true, status: 'submitted', task_id: sent.taskId, session_id: sent.contextId };
      return { result, after: () => void this.notifyOutcome(id, sent) };
    });
  }

  /** The connection has closed: no outcome is awaited. */
  end(): void {
    this.closed.abort();
  }

  private async notifyOutcome(id: SendRequest['id'], { taskId, contextId, outcome }: SentTask): Promise<void> {
    const { state, text } = await outcome;
    if (this.closed.signal.aborted) return;
    this.channel.notify('delegation.result', {
      ...{ original_id: id, text, session_id: contextId, status: state },
      metadata: { task_id: taskId },
    });
  }

  private async answer(agentId: string | undefined, perform: (agentId: string) => Promise<Reply>): Promise<Reply> {
    if (agentId === undefined) return refusal('Register first.');
    if (this.open >= MAX_SOCIETY_REQUESTS) return refusal('Too many requests at the same time. Wait for an answer.');
    this.open += 1;
    try {
      return await perform(agentId);
    } catch (error) {
      const known = asParleyError(error) ?? asProtocolError(error);
      if (known) return refusal(known.message, known.code);
      log.error('hub.request_failed', errorFields(error));
      return refusal('Something went wrong on our side. Try again.');
    } finally {
      this.open -= 1;
    }
  }
}

function refusal(message: string, code?: string): Reply {
  return { result: { error: true, message, ...(code !== undefined && { code }) } };
}

/** Their clients send to the `name`, so it is the slug. */
function toResult({ slug, name, description, skills, bestSkillId, score }: FoundAgent): JsonObject {
  return { name: slug, display_name: name, description, skills, score, best_skill_id: bestSkillId };
}
