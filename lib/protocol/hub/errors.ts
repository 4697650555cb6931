import type { JsonValue } from '../json';

/** Reasons why the hub rejects a request. */
export type HubReason =
  | 'invalid_token'
  | 'not_your_agent'
  | 'suspended'
  | 'too_many_workers'
  | 'stale_epoch'
  | 'unknown_run'
  | 'window_exceeded'
  | 'rate_limited'
  | 'unavailable'
  | 'too_many_calls'
  | 'no_app'
  | 'no_person'
  | 'hiring_refused'
  | 'caller_ended';

/** The JSON-RPC code of every rejection. */
export const HUB_ERROR_CODE = -32050;
const retryableReasons: ReadonlySet<HubReason> = new Set([
  'invalid_token',
  'too_many_workers',
  'rate_limited',
  'unavailable',
  'too_many_calls',
]);

/** A request or connection that the hub rejects. */
export class HubError extends Error {
  override readonly name = 'HubError';

  constructor(
    readonly reason: HubReason,
    message: string,
    /** Delay until the request may be retried, milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }

  /** Returns the JSON-RPC error object. */
  toRpc(): { code: number; message: string; data: JsonValue } {
    const { reason, retryAfterMs } = this;
    const data = {
      reason,
      retryable: retryableReasons.has(reason),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
    return { code: HUB_ERROR_CODE, message: this.message, data };
  }
}

/** Close codes of the hub. RFC 6455 §7.4: 4000 to 4999 are private. */
export const HUB_CLOSE = {
  done: 1000,
  invalidText: 1007,
  frameTooLarge: 1009,
  restart: 1012,
  overloaded: 1013,
  /**
   * Closed for a frame that is not JSON-RPC, no hello in time, or more unacknowledged events than the window permits.
   */
  protocol: 4400,
  /** The token expired or was revoked. The worker should request a new one and reconnect. */
  tokenEnded: 4401,
  /** The agent is not that of the token, or is suspended or withdrawn. The worker should not reconnect. */
  forbidden: 4403,
  /** Another connection uses the same worker id. */
  replaced: 4409,
  /** Too many connections. The worker should wait at least one minute. */
  tooMany: 4429,
} as const;

/** Returns the close code after a rejected hello. */
export function closeCodeOf(reason: HubReason): number {
  switch (reason) {
    case 'invalid_token':
      return HUB_CLOSE.tokenEnded;
    case 'not_your_agent':
    case 'suspended':
      return HUB_CLOSE.forbidden;
    case 'too_many_workers':
    case 'rate_limited':
      return HUB_CLOSE.tooMany;
    case 'unavailable':
      return HUB_CLOSE.overloaded;
    default:
      return HUB_CLOSE.protocol;
  }
}
