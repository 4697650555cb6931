import { type ErrorCode, ParleyError } from '../../platform/errors';
import type { AgentErrorObject } from '../../protocol/a2a/dialects';

/** Agents' JSON-RPC errors that mean the same to our caller. Others are the agent's own trouble. */
const errorCodes: Record<number, ErrorCode> = {
  [-32602]: 'invalid_params',
  [-32001]: 'task_not_found',
  [-32002]: 'task_not_cancelable',
  [-32004]: 'unsupported_operation',
  [-32005]: 'content_type_not_supported',
  [-32008]: 'extension_support_required',
};

/** An answer of the agent that is no A2A: the HTTP status tells whether it may be asked elsewhere or again. */
export class AgentHttpError extends ParleyError {
  constructor(
    readonly status: number,
    message: string,
    { agentCode, retryAfter }: { agentCode?: number; retryAfter?: number } = {},
  ) {
    super('agent_misbehaved', message, { retryAfter, ...(agentCode !== undefined && { data: { agentCode } }) });
  }
}

/** An error that the agent answered with in a protocol's own shape. */
class AgentProtocolError extends ParleyError {
  constructor(
    { code, message }: AgentErrorObject,
    /** Of the HTTP answer that carried it, where that was an error as well. */
    readonly status: number | undefined,
    retryAfter: number | undefined,
  ) {
    super(errorCodes[code] ?? 'agent_misbehaved', `The agent answered with an error: ${message.slice(0, 500)}`, {
      data: { agentCode: code },
      retryAfter,
    });
  }
}

/** The agent's own error as ours. Its text is the agent's and is shown as such, cut to 500 characters. */
export function toAgentError(fault: AgentErrorObject, status?: number, retryAfter?: number): ParleyError {
  return new AgentProtocolError(fault, status, retryAfter);
}

/** Longest wait that an agent may ask of its callers, seconds. */
const maxRetryAfterSeconds = 86_400;

/** The seconds of an answer's `Retry-After` (RFC 9110 §10.2.3); undefined without one, and for a date. */
export function parseRetryAfter(headers: Record<string, string>): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  return /^\d+$/.test(value) ? Math.min(Number(value), maxRetryAfterSeconds) : undefined;
}

/** True when the agent turned the call away unread: too many requests, or unavailable (RFC 9110 §15.6.4, RFC 6585 §4). */
export function isOverloaded(error: unknown): boolean {
  if (!(error instanceof AgentHttpError || error instanceof AgentProtocolError)) return false;
  return error.status === 429 || error.status === 503;
}

/** True for errors that the agent itself answered with, as opposed to a connection that failed. */
export function isAgentError(error: ParleyError, code?: number): boolean {
  const found = error.data?.agentCode;
  return typeof found === 'number' && (code === undefined || found === code);
}
