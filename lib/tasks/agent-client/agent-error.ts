import { type ErrorCode, ParleyError } from '../../platform/errors';
import type { AgentErrorObject } from '../../protocol/a2a/dialects';
import { MAX_AGENT_ERROR_CHARS, MAX_RETRY_AFTER_SECONDS } from '../limits';

/** JSON-RPC errors from agents that have the same meaning for the caller. All others are `agent_misbehaved`. */
const errorCodes: Record<number, ErrorCode> = {
  [-32602]: 'invalid_params',
  [-32001]: 'task_not_found',
  [-32002]: 'task_not_cancelable',
  [-32004]: 'unsupported_operation',
  [-32005]: 'content_type_not_supported',
  [-32008]: 'extension_support_required',
};

/**
 * An error response that is not an A2A error. Its HTTP status determines whether another endpoint is tried and whether
 * the call is retried.
 */
export class AgentHttpError extends ParleyError {
  constructor(
    readonly status: number,
    message: string,
    { agentCode, retryAfter }: { agentCode?: number; retryAfter?: number } = {},
  ) {
    super('agent_misbehaved', message, { retryAfter, ...(agentCode !== undefined && { data: { agentCode } }) });
  }
}

/** An error response in the protocol's own format. */
class AgentProtocolError extends ParleyError {
  constructor(
    { code, message }: AgentErrorObject,
    /** The HTTP status of the response, if it also indicated an error. */
    readonly status: number | undefined,
    retryAfter: number | undefined,
  ) {
    super(
      errorCodes[code] ?? 'agent_misbehaved',
      `The agent returned an error: ${message.slice(0, MAX_AGENT_ERROR_CHARS)}`,
      {
        data: { agentCode: code },
        retryAfter,
      },
    );
  }
}

/** Converts an agent's error. Its text is truncated and marked as the agent's. */
export function toAgentError(error: AgentErrorObject, status?: number, retryAfter?: number): ParleyError {
  return new AgentProtocolError(error, status, retryAfter);
}

/**
 * Returns the delay that a `Retry-After` header requests (RFC 9110 §10.2.3), from 1 to MAX_RETRY_AFTER_SECONDS seconds;
 * undefined if the header is absent or invalid. A date is compared with the response's own `Date`, so that clock
 * differences have no effect.
 */
export function parseRetryAfter(headers: Record<string, string>): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : secondsUntil(value, headers.date);
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER_SECONDS);
}

function secondsUntil(value: string, responseDate: string | undefined): number {
  const sentAt = parseHttpDate(responseDate ?? '');
  return (parseHttpDate(value) - (Number.isNaN(sentAt) ? Date.now() : sentAt)) / 1_000;
}

/** Parses an HTTP date in any of its formats (RFC 9110 §5.6.7) to milliseconds; NaN for other text. */
function parseHttpDate(value: string): number {
  if (!/^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /i.test(value)) return Number.NaN;
  // The format of asctime has no zone; it is UTC.
  return Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
}

/**
 * Returns true if the agent rejected the call without processing it: too many requests, or unavailable (RFC 9110
 * §15.6.4, RFC 6585 §4).
 */
export function isOverloaded(error: unknown): boolean {
  if (!(error instanceof AgentHttpError || error instanceof AgentProtocolError)) return false;
  return error.status === 429 || error.status === 503;
}

/** Returns true for errors that the agent itself returned, as opposed to connection errors. */
export function isAgentError(error: ParleyError, code?: number): boolean {
  const found = error.data?.agentCode;
  return typeof found === 'number' && (code === undefined || found === code);
}
