import type { RequestId } from './request';

/** A refusal of the protocol itself, as a JSON-RPC error with its HTTP status. */
export class McpError extends Error {
  override readonly name = 'McpError';

  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;
  readonly id: RequestId | null;

  constructor(message: string, { code, status = 400, data, id = null }: McpErrorDetails) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
    this.id = id;
  }
}

interface McpErrorDetails {
  code: number;
  /** The HTTP status. */
  status?: number;
  data?: object;
  /** The id of the request. */
  id?: RequestId | null;
}
