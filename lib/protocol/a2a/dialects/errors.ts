import type { JsonObject, JsonValue } from '../../json';

/** Number and reason of an error on the JSON-RPC wires of A2A 0.3 and 1.0 (1.0 §5.4; 0.3 shares the numbers). */
export interface WireError {
  code: number;
  reason: string;
}

const internal: WireError = { code: -32603, reason: 'INTERNAL' };

const table: Record<string, WireError> = {
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
  unauthenticated: { code: -32600, reason: 'UNAUTHENTICATED' },
  invalid_token: { code: -32600, reason: 'INVALID_TOKEN' },
  invalid_dpop_proof: { code: -32600, reason: 'INVALID_DPOP_PROOF' },
  use_dpop_nonce: { code: -32600, reason: 'USE_DPOP_NONCE' },
  insufficient_scope: { code: -32600, reason: 'INSUFFICIENT_SCOPE' },
  rate_limited: { code: -32600, reason: 'RATE_LIMITED' },
  too_many_tasks: { code: -32600, reason: 'TOO_MANY_TASKS' },
  too_many_streams: { code: -32600, reason: 'TOO_MANY_STREAMS' },
  unavailable: { code: -32603, reason: 'UNAVAILABLE' },
};

/** What 1.0 tells apart and 0.3 does not: an operation that the card does not declare is an unsupported one (§3.3.4). */
const v10Overrides: Record<string, WireError> = {
  extended_card_not_declared: { code: -32004, reason: 'UNSUPPORTED_OPERATION' },
};

export interface ErrorToEncode {
  code: string;
  message: string;
  violations?: { field: string; description: string }[];
  data?: JsonObject;
}

/** The error in A2A 0.3's clothes: `data` is an object with a stable `reason`. */
export function toV03Error(error: ErrorToEncode): { code: number; message: string; data: JsonValue } {
  const { code, reason } = table[error.code] ?? internal;
  const violations = error.violations?.length ? error.violations.map((violation) => ({ ...violation })) : undefined;
  return { code, message: error.message, data: { reason: reason.toLowerCase(), violations, ...error.data } };
}

/** The error in A2A 1.0's clothes: `data` is an array of `google.rpc` details (1.0 §9.5). */
export function toV10Error(error: ErrorToEncode): { code: number; message: string; data: JsonValue } {
  const { code, reason } = v10Overrides[error.code] ?? table[error.code] ?? internal;
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
