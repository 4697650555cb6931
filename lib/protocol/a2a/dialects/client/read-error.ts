import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../json';

/** An agent's own error: its JSON-RPC number (0 when it named none that we know) and its text. */
export interface AgentErrorObject {
  code: number;
  message: string;
}

/** A2A's reasons by their JSON-RPC numbers (1.0 §5.4): HTTP+JSON tells the reason alone. */
const codesByReason: Record<string, number> = {
  INVALID_ARGUMENT: -32602,
  INVALID_PARAMS: -32602,
  METHOD_NOT_FOUND: -32601,
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
};

/**
 * Reads the error in an agent's answer: JSON-RPC's, HTTP+JSON's of 1.0 (`google.rpc.Status`, §11.6) and 0.3 (number at the
 * top), and problem JSON, which 1.0 asked for in its drafts. Null when the value is no error.
 */
export function readAgentError(value: JsonValue): AgentErrorObject | null {
  if (!isObject(value)) return null;
  const body = isObject(value.error) ? value.error : value;
  const message = nonEmptyString(body.message) ?? nonEmptyString(body.detail) ?? nonEmptyString(body.title);
  if (body === value && (message === undefined || !looksLikeError(value))) return null;
  return { code: numberOf(body), message: message ?? 'no message' };
}

function looksLikeError(value: JsonObject): boolean {
  const { code, type, title, status } = value;
  return typeof code === 'number' || (typeof type === 'string' && typeof (title ?? status) !== 'object');
}

function numberOf(body: JsonObject): number {
  const { code } = body;
  if (typeof code === 'number' && code < 0) return code;
  const details = Array.isArray(body.details) ? body.details : [];
  const reasons = details.map((detail) => (isObject(detail) ? nonEmptyString(detail.reason) : undefined));
  const type = nonEmptyString(body.type)
    ?.split('/')
    .at(-1)
    ?.toUpperCase()
    .replaceAll('-', '_')
    .replace(/_ERROR$/, '');
  const known = [...reasons, type, nonEmptyString(body.status)].find(
    (name) => name !== undefined && Object.hasOwn(codesByReason, name),
  );
  return (known !== undefined && codesByReason[known]) || 0;
}
