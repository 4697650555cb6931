import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { findUserTask } from '../answers/find-user-task';
import type { ResponseRequest } from '../schema-responses';
import { type Completion, completeChat } from './complete-chat';
import { messagesOf, taskIdOfResponse, unknownResponse } from './read-input';

/**
 * Sends the input of a response to an agent: in the context of the previous response, or as a chat completion does.
 * @throws {ParleyError} `not_found` for a previous response that is unknown or of another agent; what
 *   {@link completeChat} throws
 */
export async function respondToInput({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ResponseRequest & { idempotencyKey?: string };
}): Promise<Completion> {
  const { model, stream, previous_response_id: previous, idempotencyKey } = input;
  const contextId = previous ? await contextOf(ctx, { id: previous, model }) : undefined;
  return completeChat({ ctx, input: { model, stream, messages: messagesOf(input), contextId, idempotencyKey } });
}

async function contextOf(ctx: Ctx, { id, model }: { id: string; model: string }): Promise<string> {
  const user = authorize(ctx.actor, { hostScope: 'agents:call' });
  const found = await findUserTask(ctx, user, taskIdOfResponse(id));
  if (found?.agent.slug === model) return found.task.contextId;
  throw unknownResponse(id);
}
