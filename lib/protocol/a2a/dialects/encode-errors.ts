import type { JsonObject, JsonValue } from '../../json';

/** The JSON-RPC code and reason of an error in A2A 0.3 and 1.0, which share the codes (1.0 §5.4). */
interface ErrorMapping {
  code: number;
  reason: string;
}

const internal: ErrorMapping = { code: -32603, reason: 'INTERNAL' };

const errorsByCode = {
  parse_error: { code: -32700, reason: 'PARSE_ERROR' },
  invalid_request: { code: -32600, reason: 'INVALID_REQUEST' },
  payload_too_large: { code: -32600, reason: 'PAYLOAD_TOO_LARGE' },
  method_not_found: { code: -32601, reason: 'METHOD_NOT_FOUND' },
  invalid_params: { code: -32602, reason: 'INVALID_PARAMS' },
  idempotency_mismatch: { code: -32602, reason: 'IDEMPOTENCY_MISMATCH' },
  task_not_found: { code: -32001, reason: 'TASK_NOT_FOUND' },
  agent_not_found: { code: -32602, reason: 'AGENT_NOT_FOUND' },
  task_not_cancelable: { code: -32002, reason: 'TASK_NOT_CANCELABLE' },
  push_not_supported: { code: -32003, reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
  unsupported_operation: { code: -32004, reason: 'UNSUPPORTED_OPERATION' },
  task_busy: { code: -32004, reason: 'TASK_BUSY' },
  content_type_not_supported: { code: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  unsupported_media_type: { code: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  agent_misbehaved: { code: -32006, reason: 'INVALID_AGENT_RESPONSE' },
  extended_card_not_configured: { code: -32007, reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' },
  extended_card_not_declared: { code: -32007, reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' },
  extension_support_required: { code: -32008, reason: 'EXTENSION_SUPPORT_REQUIRED' },
  version_not_supported: { code: -32009, reason: 'VERSION_NOT_SUPPORTED' },
  agent_unreachable: { code: -32603, reason: 'AGENT_UNREACHABLE' },
  agent_timeout: { code: -32603, reason: 'AGENT_TIMEOUT' },
  agent_offline: { code: -32603, reason: 'AGENT_OFFLINE' },
  worker_lost: { code: -32603, reason: 'WORKER_LOST' },
  chain_repeat: { code: -32603, reason: 'CHAIN_REPEAT' },
  chain_stopped: { code: -32603, reason: 'CHAIN_STOPPED' },
  approval_pending: { code: -32603, reason: 'APPROVAL_PENDING' },
  approval_denied: { code: -32603, reason: 'APPROVAL_DENIED' },
  payment_required: { code: -32603, reason: 'PAYMENT_REQUIRED' },
  unauthenticated: { code: -32600, reason: 'UNAUTHENTICATED' },
  invalid_token: { code: -32600, reason: 'INVALID_TOKEN' },
  invalid_dpop_proof: { code: -32600, reason: 'INVALID_DPOP_PROOF' },
  use_dpop_nonce: { code: -32600, reason: 'USE_DPOP_NONCE' },
  insufficient_scope: { code: -32600, reason: 'INSUFFICIENT_SCOPE' },
  rate_limited: { code: -32600, reason: 'RATE_LIMITED' },
  too_many_tasks: { code: -32600, reason: 'TOO_MANY_TASKS' },
  too_many_streams: { code: -32600, reason: 'TOO_MANY_STREAMS' },
  unavailable: { code: -32603, reason: 'UNAVAILABLE' },
  // Only for client task ids, which these versions do not have.
  duplicate_task: internal,
  task_terminal: internal,
  task_canceled: internal,
  task_failed: internal,
} satisfies Record<string, ErrorMapping>;

/** Parley's error codes that have their own code or reason in a version of A2A. */
type MappedCode = keyof typeof errorsByCode;

/**
 * All other error codes of Parley, which are encoded as internal errors. Each code must be in this list or in the tables
 * of every version; otherwise lib/http does not compile.
 */
type UnmappedCode =
  | 'origin_required'
  | 'forbidden'
  | 'not_found'
  | 'gone'
  | 'conflict'
  // Has its own code in 1.1 only.
  | 'generation_mismatch'
  | 'sign_in_again'
  | 'passkey_required'
  | 'passkey_refused'
  | 'proof_required'
  | 'guest_limit_reached'
  | 'cart_refused'
  | 'amount_mismatch'
  | 'spending_limit_exceeded'
  | 'idempotency_key_missing'
  | 'idempotency_in_flight'
  | 'method_not_allowed'
  | 'misdirected_request'
  | 'invalid_client'
  | 'invalid_target'
  | 'card_invalid'
  | 'card_unreachable'
  | 'catalog_unreadable'
  | 'agent_url_taken'
  | 'confirm_origin'
  | 'url_refused'
  | 'not_implemented'
  | 'internal';

/** A value for some of Parley's error codes. */
export type ByCode<Value> = Partial<Record<ErrorToEncode['code'], Value>>;

const v03Errors: ByCode<ErrorMapping> = errorsByCode;

/** The mappings of 1.0 that differ from 0.3: an undeclared operation is unsupported (§3.3.4). */
const v10Overrides: ByCode<ErrorMapping> = {
  extended_card_not_declared: { code: -32004, reason: 'UNSUPPORTED_OPERATION' },
};

export interface ErrorToEncode {
  code: MappedCode | UnmappedCode;
  message: string;
  violations?: { field: string; description: string }[];
  data?: JsonObject;
}

/** The error object of a JSON-RPC response. */
export interface EncodedError {
  code: number;
  message: string;
  data: JsonValue;
}

/** Returns the error in A2A 0.3: `data` is an object with a stable `reason`. */
export function toV03Error(error: ErrorToEncode): EncodedError {
  const { code, reason } = v03Errors[error.code] ?? internal;
  const violations = error.violations?.length ? error.violations.map((violation) => ({ ...violation })) : undefined;
  return { code, message: error.message, data: { reason: reason.toLowerCase(), violations, ...error.data } };
}

/**
 * Returns the error in A2A 1.x: `data` is an array of `google.rpc` details (1.0 §9.5). `added`: the mappings that a later
 * minor version adds.
 */
export function toV10Error(error: ErrorToEncode, added: ByCode<ErrorMapping> = {}): EncodedError {
  const { code, reason } = added[error.code] ?? v10Overrides[error.code] ?? v03Errors[error.code] ?? internal;
  const metadata = Object.fromEntries(Object.entries(error.data ?? {}).map(([name, value]) => [name, String(value)]));
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org', metadata };
  if (!error.violations?.length) return { code, message: error.message, data: [info] };
  const fieldViolations = error.violations.map((violation) => ({ ...violation }));
  return {
    code,
    message: error.message,
    data: [info, { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }],
  };
}

const v01Internal: ErrorMapping = { code: -32603, reason: 'internal' };

/**
 * Codes of A2A 0.1 (v0.1.0, §6) and its variants, which end at -32005. As in Orloj, -32003 means that the agent cannot
 * be called; the meaning of -32003 in 0.1 has the code -32004 here.
 */
const v01ErrorsByCode: Record<MappedCode, ErrorMapping> = {
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
  task_failed: { code: -32603, reason: 'task_failed' },
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
  agent_offline: { code: -32603, reason: 'agent_offline' },
  worker_lost: { code: -32603, reason: 'worker_lost' },
  chain_repeat: { code: -32603, reason: 'chain_repeat' },
  chain_stopped: { code: -32603, reason: 'chain_stopped' },
  approval_pending: { code: -32603, reason: 'approval_pending' },
  approval_denied: { code: -32603, reason: 'approval_denied' },
  payment_required: { code: -32603, reason: 'payment_required' },
  unavailable: { code: -32603, reason: 'unavailable' },
};
const v01Errors: ByCode<ErrorMapping> = v01ErrorsByCode;

/** Returns the error in A2A 0.1: `data` is an object with a stable `reason`. */
export function toV01Error(error: ErrorToEncode): EncodedError {
  const { code, reason } = v01Errors[error.code] ?? v01Internal;
  const violations = error.violations?.length ? error.violations.map((violation) => ({ ...violation })) : undefined;
  return { code, message: error.message, data: { reason, violations, ...error.data } };
}

/** Returns the error for Society AI, which rejects oversized requests with the code of a parse error. */
export function toSocietyError(error: ErrorToEncode): EncodedError {
  const written = toV01Error(error);
  return error.code === 'payload_too_large' ? { ...written, code: -32700 } : written;
}

/** Returns the error with Orloj's own messages. A message to a canceled task has its own code. */
export function toOrlojError(error: ErrorToEncode): EncodedError {
  const written = toV01Error(error);
  if (error.code === 'task_not_found') return { ...written, message: 'task not found' };
  if (error.code === 'task_canceled') {
    return { code: -32002, message: 'task cancelled', data: { ...error.data, reason: 'already_canceled' } };
  }
  return written;
}

/** Errors of JSON-RPC calls with their own HTTP status. All others have 200 (A2A 1.0 §9.5). */
export const httpErrors: ReadonlySet<ErrorToEncode['code']> = new Set<ErrorToEncode['code']>([
  'unauthenticated',
  'invalid_token',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'insufficient_scope',
  'payload_too_large',
  'rate_limited',
  'too_many_tasks',
  'too_many_streams',
  'unavailable',
  'agent_not_found',
]);
