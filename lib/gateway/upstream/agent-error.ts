import { type ErrorCode, ParleyError } from '../../platform/errors';
import type { AgentFault } from '../../protocol/a2a/dialects';

/** Agents' JSON-RPC errors that mean the same to our caller. Others are the agent's own trouble. */
const known: Record<number, ErrorCode> = {
  [-32602]: 'invalid_params',
  [-32001]: 'task_not_found',
  [-32002]: 'task_not_cancelable',
  [-32004]: 'unsupported_operation',
  [-32005]: 'content_type_not_supported',
  [-32008]: 'extension_support_required',
};

/** An answer of the agent that is no A2A: the HTTP status tells whether it may be asked elsewhere or again. */
export class AgentRefusal extends ParleyError {
  constructor(
    readonly status: number,
    message: string,
    agentCode?: number,
  ) {
    super('agent_misbehaved', message, agentCode === undefined ? {} : { data: { agentCode } });
  }
}

/** The agent's own error as ours. Its text is the agent's and is shown as such, cut to 500 characters. */
export function agentError({ code, message }: AgentFault): ParleyError {
  return new ParleyError(
    known[code] ?? 'agent_misbehaved',
    `The agent answered with an error: ${message.slice(0, 500)}`,
    {
      data: { agentCode: code },
    },
  );
}

/** True for errors that the agent itself answered with, as opposed to a connection that failed. */
export function isAgentError(error: ParleyError, code?: number): boolean {
  const found = error.data?.agentCode;
  return typeof found === 'number' && (code === undefined || found === code);
}
