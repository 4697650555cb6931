import { a2aDraftFields } from '../../protocol/a2a/proto/a2a-draft-fields';
import { a2aEnums, a2aMessages, a2aRpcs } from '../../protocol/a2a/proto/a2a-messages';
import type { JsonObject } from '../../protocol/json';
import type { MessageTable } from '../../protocol/message-tables';
import { FRAME_PREFIX_BYTES, withFramePrefix } from './frames';
import { createMessageCodec } from './message-codec';

/** The full name of the A2A 1.0 service. */
export const A2A_SERVICE = 'lf.a2a.v1.A2AService';

/** A method of the service, which is also the name of the JSON-RPC method. */
export type A2aRpc = keyof typeof a2aRpcs;

export const a2aRpcNames = Object.keys(a2aRpcs) as A2aRpc[];

const added: MessageTable = a2aDraftFields;
const fields = Object.entries<MessageTable[string]>({ ...a2aDraftFields, ...a2aMessages });
const messages = Object.fromEntries(fields.map(([name, rows]) => [name, withDraft(name, rows)]));
const codec = createMessageCodec(messages, a2aEnums);

/** Returns the fields of a message of A2A 1.0 with those of the draft of 1.1. */
function withDraft(name: string, rows: MessageTable[string]): MessageTable[string] {
  const more = added[name];
  return more === undefined || more === rows ? rows : [...rows, ...more];
}

/**
 * Returns the params of a method in JSON.
 * @throws {ParleyError} `parse_error`
 */
export function decodeA2aRequest(rpc: A2aRpc, bytes: Buffer): JsonObject {
  return codec.decode(a2aRpcs[rpc][0], bytes);
}

/** Returns the request of a method as a frame. */
export function encodeA2aRequest(rpc: A2aRpc, params: JsonObject): Buffer {
  return withFramePrefix(codec.encode(a2aRpcs[rpc][0], params, FRAME_PREFIX_BYTES));
}

/**
 * Returns a response of a method, or one event of its stream, in JSON.
 * @throws {ParleyError} `parse_error`, also for more than `maxMembers`
 */
export function decodeA2aResponse(rpc: A2aRpc, bytes: Buffer, maxMembers: number): JsonObject {
  return codec.decode(a2aRpcs[rpc][1] as ResponseName, bytes, maxMembers);
}

/** Returns the result of a method, or one event of its stream, as a frame. */
export function encodeA2aResponse(rpc: A2aRpc, result: JsonObject): Buffer {
  return withFramePrefix(codec.encode(a2aRpcs[rpc][1] as ResponseName, result, FRAME_PREFIX_BYTES));
}

/** `Empty` is not in the table, but known to every codec. */
type ResponseName = keyof typeof a2aMessages;
