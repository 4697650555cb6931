import { randomUUID } from 'node:crypto';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { HubError } from '../../protocol/hub/errors';
import { parseParams } from '../../protocol/hub/frames';
import { type SendTaskParams, searchParams, sendTaskParams } from '../../protocol/hub/society';
import type { JsonObject, JsonValue } from '../../protocol/json';
import { ProtocolError } from '../../protocol/protocol-error';
import { MAX_SOCIETY_REQUESTS } from '../limits';
import { type AgentSend, agentCalls, type CallingAgent, type FoundAgent, type SentTask } from '../ports';
import type { SocietyChannel } from './society-channel';

/** The response to a request, and the work that follows it. */
export interface Reply {
  result: JsonValue;
  after?: () => void;
}

/** A send of the client. Its id is returned in the notification of the result. */
interface SendRequest {
  id: string | number | null;
  params: JsonObject;
}

/** The calls of a client to other agents. Refusals are results that contain `error`. */
export class ClientCalls {
  private open = 0;
  private readonly closed = new AbortController();

  constructor(private readonly channel: SocietyChannel) {}

  /** Handles `agent.search`. `from` is the client's agent; null before it has registered. */
  search(from: CallingAgent | null, params: JsonObject): Promise<Reply> {
    return this.answer(from, async () => {
      const found = await agentCalls().find(parseParams(searchParams, params));
      return { result: { agents: found.map(toResult) } };
    });
  }

  /** Handles `agent.send_task`. The response confirms the task; `delegation.result` follows at the end of its turn. */
  sendTask(from: CallingAgent | null, { id, params }: SendRequest): Promise<Reply> {
    return this.answer(from, async (calling) => {
      const { signal } = this.closed;
      const sent = await agentCalls().send(toSend(calling, parseParams(sendTaskParams, params)), signal);
      const result = { accepted: true, status: 'submitted', task_id: sent.taskId, session_id: sent.contextId };
      return { result, after: () => void this.notifyOutcome(id, sent) };
    });
  }

  /** Must be called when the connection has closed. Drops pending results. */
  end(): void {
    this.closed.abort();
  }

  private async notifyOutcome(id: SendRequest['id'], { taskId, contextId, outcome }: SentTask): Promise<void> {
    const { state, text } = await outcome(this.closed.signal);
    if (this.closed.signal.aborted) return;
    this.channel.notify('delegation.result', {
      ...{ original_id: id, text, session_id: contextId, status: state },
      metadata: { task_id: taskId },
    });
  }

  private async answer(from: CallingAgent | null, perform: (from: CallingAgent) => Promise<Reply>): Promise<Reply> {
    if (!from) return refusal('Register first.');
    if (this.open >= MAX_SOCIETY_REQUESTS) return refusal('Too many requests at the same time. Wait for a response.');
    this.open += 1;
    try {
      return await perform(from);
    } catch (error) {
      if (error instanceof HubError) return refusal(error.message, error.reason);
      if (error instanceof ParleyError || error instanceof ProtocolError) return refusal(error.message, error.code);
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

/** Returns a search result. Society AI's clients send to the `name`, so it contains the slug. */
function toResult({ slug, name, description, skills, bestSkillId, score }: FoundAgent): JsonObject {
  return { name: slug, display_name: name, description, skills, score, best_skill_id: bestSkillId };
}

/** Returns the send of a client. Its frames contain no run, so the agent always sends as its app. */
function toSend(from: CallingAgent, params: SendTaskParams): AgentSend {
  const { agent_id: to, message: text, skill_id, session_id, task_id } = params;
  const message = {
    ...{ messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
    ...(session_id && { contextId: session_id }),
    ...(task_id && { taskId: task_id }),
    ...(skill_id && { metadata: { skill_id } }),
  };
  return { from, to, request: { message }, parentTaskId: null };
}
