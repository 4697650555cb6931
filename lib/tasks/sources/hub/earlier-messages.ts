import type { Task } from '../../../protocol/a2a/core/model';
import { chooseDialect } from '../../../protocol/a2a/dialects';
import { isObject, type JsonObject, type JsonValue } from '../../../protocol/json';
import { MAX_OFFERED_HISTORY_BYTES, MAX_OFFERED_MESSAGES } from '../../limits';

/**
 * The messages of the task before the one that this run answers, oldest first, in A2A 1.0: the latest that fit into an
 * offer. `contextId`: our id of the context for the agent.
 */
export function earlierMessages(task: Task, request: JsonObject, contextId: string): JsonValue[] {
  const current = isObject(request.message) ? request.message.messageId : undefined;
  const at = task.history.findLastIndex(({ messageId }) => messageId === current);
  const earlier = task.history.slice(0, at < 0 ? undefined : at).slice(-MAX_OFFERED_MESSAGES);
  if (earlier.length === 0) return [];
  const history = earlier.map((message) => ({ ...message, taskId: task.id, contextId }));
  const written = chooseDialect('GetTask', '1.0').taskResult({ ...task, history, artifacts: [] });
  const messages = isObject(written) && Array.isArray(written.history) ? written.history : [];
  let bytes = 0;
  const tooMuch = messages.findLastIndex((message) => {
    bytes += Buffer.byteLength(JSON.stringify(message));
    return bytes > MAX_OFFERED_HISTORY_BYTES;
  });
  return messages.slice(tooMuch + 1);
}
