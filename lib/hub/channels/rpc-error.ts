import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { HUB_ERROR_CODE, HubError } from '../../protocol/hub/errors';
import type { JsonValue } from '../../protocol/json';
import { ProtocolError } from '../../protocol/protocol-error';

const rpcCodes: Record<string, number> = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
};

/** Converts an error to a JSON-RPC error object. Logs an unexpected error of Parley. */
export function toRpcError(error: unknown): { code: number; message: string; data?: JsonValue } {
  if (error instanceof HubError) return error.toRpc();
  if (error instanceof ProtocolError) {
    const { code, message } = error;
    return { code: rpcCodes[code] ?? -32602, message, data: { reason: code, retryable: false } };
  }
  if (error instanceof ParleyError) {
    const { code: reason, message, retryAfter } = error;
    const retry =
      retryAfter === undefined ? { retryable: false } : { retryable: true, retryAfterMs: retryAfter * 1_000 };
    return { code: HUB_ERROR_CODE, message, data: { reason, ...retry } };
  }
  log.error('hub.request_failed', errorFields(error));
  return { code: -32603, message: 'Something went wrong on our side.' };
}
