import { isObject, type JsonValue } from '../../json';
import type { RpcRequest } from '../../jsonrpc';

/**
 * True when the caller expects bare events instead of a JSON-RPC response, as Web42's clients do: a `message/send` that
 * accepts only event streams, or has no version, does not accept JSON, and has `kind` on its parts but not on the
 * message. Parts with `type` come from 0.1 clients, which read JSON (python-a2a).
 */
export function wantsBareEvents({ method, params }: RpcRequest, version: string, accept: string): boolean {
  if (method !== 'message/send') return false;
  const isBare = version === '' && isBareMessage(params.message);
  // Fast path for almost all calls; the header is parsed below.
  if (!isBare && !/event-stream/i.test(accept)) return false;
  const accepted = accept.split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (accepted.length === 1 && accepted[0] === 'text/event-stream') return true;
  return isBare && !accepted.includes('application/json');
}

function isBareMessage(message: JsonValue | undefined): boolean {
  if (!isObject(message) || message.kind || !Array.isArray(message.parts)) return false;
  return message.parts.some((part) => isObject(part) && Boolean(part.kind));
}
