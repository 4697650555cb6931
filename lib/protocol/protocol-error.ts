/** Codes of protocol errors. They are a subset of the platform's error codes, so that one table maps both. */
export type ProtocolErrorCode =
  | 'parse_error'
  | 'invalid_request'
  | 'method_not_found'
  | 'invalid_params'
  | 'version_not_supported';

export interface FieldViolation {
  /** The path of the member, such as `message.parts[0].text`. */
  field: string;
  description: string;
}

/** A request that violates its protocol. `message` states the actual and the expected value. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(
    readonly code: ProtocolErrorCode,
    message: string,
    readonly violations: FieldViolation[] = [],
  ) {
    super(message);
  }
}
