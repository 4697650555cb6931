import type { JsonObject } from '../json';
import type { ClientCapabilities } from './client-capabilities';

export type RequestId = string | number;

export interface McpRequest {
  id: RequestId;
  method: string;
  params: JsonObject;
  /** True for 2026-07-28 or later; else a revision that begins with `initialize`. */
  isModern: boolean;
  /** Set if the client requests progress of this request. */
  progressToken: RequestId | null;
  client: ClientCapabilities;
}

/** The headers of a request that repeat members of its body. */
export interface McpHeaders {
  protocolVersion: string | null;
  method: string | null;
  name: string | null;
}
