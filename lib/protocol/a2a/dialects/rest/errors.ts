import type { JsonObject, JsonValue } from '../../../json';
import type { ErrorToEncode } from '../errors';

interface ErrorWriter {
  key: string;
  error: (error: ErrorToEncode) => { code: number; message: string; data: JsonValue };
}

/** HTTP statuses of A2A 1.0.1 (§5.4) that are not those which the rest of Parley answers the same error with. */
const statuses: Record<string, number> = {
  task_not_cancelable: 400,
  task_busy: 400,
  content_type_not_supported: 400,
  idempotency_mismatch: 400,
  agent_misbehaved: 500,
};

/** `google.rpc.Code` of an error, where its HTTP status does not tell. */
const codes: Record<string, string> = {
  task_not_cancelable: 'FAILED_PRECONDITION',
  task_busy: 'FAILED_PRECONDITION',
  push_not_supported: 'FAILED_PRECONDITION',
  unsupported_operation: 'FAILED_PRECONDITION',
  extended_card_not_configured: 'FAILED_PRECONDITION',
  extended_card_not_declared: 'FAILED_PRECONDITION',
  extension_support_required: 'FAILED_PRECONDITION',
  version_not_supported: 'FAILED_PRECONDITION',
  method_not_found: 'UNIMPLEMENTED',
};

const codeOfStatus: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/**
 * An error over HTTP: A2A 1.0's `google.rpc.Status` within `error` (§11.6), 0.3's bare JSON-RPC error. `status` is what
 * Parley answers with elsewhere.
 */
export function restErrorOf(
  dialect: ErrorWriter,
  error: ErrorToEncode,
  status: number,
): { status: number; body: JsonObject } {
  const { code, message, data } = dialect.error(error);
  if (dialect.key !== '1.0') return { status, body: { code, message, data } };
  const own = statuses[error.code] ?? status;
  const name = codes[error.code] ?? codeOfStatus[own] ?? 'INTERNAL';
  return { status: own, body: { error: { code: own, status: name, message, details: data } } };
}
