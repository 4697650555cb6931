import { type ErrorCode, ParleyError } from '../../platform/errors';
import type { JsonObject } from '../../protocol/json';

/** Agents' JSON-RPC errors that mean the same to our caller. Others are the agent's own trouble. */
const known: Record<number, ErrorCode> = {
  [-32602]: 'invalid_params',
  [-32001]: 'task_not_found',
  [-32002]: 'task_not_cancelable',
  [-32004]: 'unsupported_operation',
  [-32005]: 'content_type_not_supported',
};

/** The agent's JSON-RPC error as ours. Its text is the agent's and is shown as such, cut to 500 characters. */
export function agentError(error: JsonObject): ParleyError {
  const number = typeof error.code === 'number' ? error.code : 0;
  const text = typeof error.message === 'string' ? error.message.slice(0, 500) : 'no message';
  return new ParleyError(known[number] ?? 'agent_misbehaved', `The agent answered with an error: ${text}`, {
    data: { agentCode: number },
  });
}

/** True for errors that the agent itself answered with, as opposed to a connection that failed. */
export function isAgentError(error: ParleyError, code?: number): boolean {
  const found = error.data?.agentCode;
  return typeof found === 'number' && (code === undefined || found === code);
}
