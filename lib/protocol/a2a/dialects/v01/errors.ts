import type { JsonValue } from '../../../json';
import type { ErrorToEncode, WireError } from '../errors';

const internal: WireError = { code: -32603, reason: 'internal' };

/**
 * Numbers of A2A 0.1 (specification at v0.1.0, §6) and of the systems that speak it. Nothing from -32006 on: 0.1 has none of
 * them. -32003 is an agent that cannot be called, as Orloj prints it; what 0.1 says with that number is -32004 here.
 */
const table: Record<string, WireError> = {
  parse_error: { code: -32700, reason: 'parse_error' },
  invalid_request: { code: -32600, reason: 'invalid_request' },
  payload_too_large: { code: -32600, reason: 'payload_too_large' },
  duplicate_task: { code: -32600, reason: 'duplicate_task' },
  unauthenticated: { code: -32600, reason: 'unauthenticated' },
  invalid_token: { code: -32600, reason: 'invalid_token' },
  invalid_dpop_proof: { code: -32600, reason: 'invalid_dpop_proof' },
  use_dpop_nonce: { code: -32600, reason: 'use_dpop_nonce' },
  insufficient_scope: { code: -32600, reason: 'insufficient_scope' },
  rate_limited: { code: -32600, reason: 'rate_limited' },
  too_many_tasks: { code: -32600, reason: 'too_many_tasks' },
  too_many_streams: { code: -32600, reason: 'too_many_streams' },
  method_not_found: { code: -32601, reason: 'method_not_found' },
  invalid_params: { code: -32602, reason: 'invalid_params' },
  idempotency_mismatch: { code: -32602, reason: 'idempotency_mismatch' },
  task_terminal: { code: -32602, reason: 'task_terminal' },
  task_not_found: { code: -32001, reason: 'task_not_found' },
  task_not_cancelable: { code: -32002, reason: 'not_cancelable' },
  task_canceled: { code: -32602, reason: 'task_terminal' },
  agent_not_found: { code: -32003, reason: 'agent_not_found' },
  push_not_supported: { code: -32004, reason: 'push_notification_not_supported' },
  unsupported_operation: { code: -32004, reason: 'unsupported_operation' },
  extension_support_required: { code: -32004, reason: 'extension_support_required' },
  version_not_supported: { code: -32004, reason: 'version_not_supported' },
  extended_card_not_configured: { code: -32004, reason: 'extended_agent_card_not_configured' },
  extended_card_not_declared: { code: -32004, reason: 'extended_agent_card_not_configured' },
  task_busy: { code: -32603, reason: 'task_busy' },
  content_type_not_supported: { code: -32005, reason: 'content_type_not_supported' },
  unsupported_media_type: { code: -32005, reason: 'content_type_not_supported' },
  agent_misbehaved: { code: -32603, reason: 'invalid_agent_response' },
  agent_unreachable: { code: -32603, reason: 'agent_unreachable' },
  agent_timeout: { code: -32603, reason: 'agent_timeout' },
  unavailable: { code: -32603, reason: 'unavailable' },
};

/** The error in A2A 0.1's clothes: `data` is an object with a stable `reason`. */
export function toV01Error(error: ErrorToEncode): { code: number; message: string; data: JsonValue } {
  const { code, reason } = table[error.code] ?? internal;
  const violations = error.violations?.length ? error.violations.map((violation) => ({ ...violation })) : undefined;
  return { code, message: error.message, data: { reason, violations, ...error.data } };
}

/** Society refuses what is too large like what it cannot parse: there it is one limit of one reader. */
export function toSocietyError(error: ErrorToEncode): { code: number; message: string; data: JsonValue } {
  const written = toV01Error(error);
  return error.code === 'payload_too_large' ? { ...written, code: -32700 } : written;
}

/** Orloj's own texts, where it prints them; a message to a canceled task has the number of the cancel. */
export function toOrlojError(error: ErrorToEncode): { code: number; message: string; data: JsonValue } {
  const written = toV01Error(error);
  if (error.code === 'task_not_found') return { ...written, message: 'task not found' };
  if (error.code === 'task_canceled') {
    return { code: -32002, message: 'task cancelled', data: { ...error.data, reason: 'already_canceled' } };
  }
  return error.data?.reason === 'already_canceled' ? { ...written, message: 'task cancelled' } : written;
}
