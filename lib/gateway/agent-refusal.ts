import { type ErrorCode, ParleyError } from '../platform/errors';
import type { TaskEvent } from '../protocol/a2a/core/events';

/** Codes with which an agent refuses a message as such; the caller gets them as an error, not as a failed task. */
const refusals: ReadonlySet<string> = new Set([
  'invalid_params',
  'unsupported_operation',
  'content_type_not_supported',
  'extension_support_required',
]);

/**
 * Throws the agent's refusal when it was the first and only thing it said.
 * @throws {ParleyError} the refusal, with the agent's own text
 */
export function refuseAgentError(event: TaskEvent, isFirst: boolean): void {
  if (!isFirst || event.type !== 'status' || event.status.state !== 'failed') return;
  const code = event.metadata?.['parley.error'];
  if (typeof code !== 'string' || !refusals.has(code)) return;
  const part = event.status.message?.parts[0];
  throw new ParleyError(code as ErrorCode, part?.kind === 'text' ? part.text : 'The agent refused the message.');
}
