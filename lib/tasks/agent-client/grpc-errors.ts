import type { ParleyError } from '../../platform/errors';
import type { GrpcStatus, StatusName } from '../../platform/grpc/status';
import type { AgentRequest } from '../../protocol/a2a/dialects';
import { AgentHttpError, toAgentError } from './agent-error';

/** The JSON-RPC codes of the errors of A2A 1.0 (§5.4) by their reason, which is also in gRPC's details. */
const codesByReason: Record<string, number> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
};

/** The JSON-RPC codes of statuses without a reason. */
const codesByStatus: Partial<Record<StatusName, number>> = {
  INVALID_ARGUMENT: -32602,
  UNIMPLEMENTED: -32601,
  FAILED_PRECONDITION: -32004,
};

/** The HTTP statuses with the same meaning for retries, other interfaces and the circuit breaker. */
const httpStatuses: Partial<Record<StatusName, number>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** Returns the HTTP status with the meaning of a gRPC status. */
export function httpStatusOf(name: StatusName): number {
  return name === 'OK' ? 200 : (httpStatuses[name] ?? 500);
}

/** Converts an agent's gRPC status. `message` was redacted. */
export function toGrpcError({ name, message, details }: GrpcStatus, request: AgentRequest): ParleyError {
  const reason = details.find(({ domain }) => domain === 'a2a-protocol.org')?.reason;
  const code = (typeof reason === 'string' ? codesByReason[reason] : undefined) ?? codeOfStatus(name, request);
  if (code !== undefined) return toAgentError({ code, message });
  const status = httpStatuses[name];
  if (status === 401 || status === 403) return new AgentHttpError(status, `The agent rejected the call (${name}).`);
  if (status !== undefined) return new AgentHttpError(status, `The agent returned ${name}.`);
  return toAgentError({ code: -32603, message: message || name });
}

function codeOfStatus(name: StatusName, request: AgentRequest): number | undefined {
  if (name === 'NOT_FOUND') return 'taskId' in request ? -32001 : undefined;
  if (name === 'FAILED_PRECONDITION' && request.op === 'cancel') return -32002;
  return codesByStatus[name];
}
