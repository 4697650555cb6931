import { ParleyError } from '../errors.js';

/** Action after a connection has ended: never reconnect, or reconnect after at least `waitMs`. */
export type Retry = { stop: ParleyError } | { waitMs: number; newToken: boolean };

const TOO_MANY_WAIT_MS = 60_000;
/** Delay after a violation of the protocol by this worker, which the next connection may repeat. */
const PROTOCOL_WAIT_MS = 5_000;

/** Close codes of the hub (RFC 6455, section 7.4: 4000 to 4999 are private). */
const CLOSE = { protocol: 4400, tokenEnded: 4401, forbidden: 4403, replaced: 4409, tooMany: 4429 } as const;

/** Determines the reconnection after the hub closed the connection. */
export function retryAfterClose({ code, reason }: { code: number; reason: string }): Retry {
  switch (code) {
    case CLOSE.forbidden:
      return { stop: new ParleyError('not_your_agent', reason || 'This worker may not serve the agent.') };
    case CLOSE.replaced:
      return { stop: new ParleyError('replaced', 'Another worker connected with the same worker id.') };
    case CLOSE.tokenEnded:
      return { waitMs: 0, newToken: true };
    case CLOSE.tooMany:
      return { waitMs: TOO_MANY_WAIT_MS, newToken: false };
    case CLOSE.protocol:
      return { waitMs: PROTOCOL_WAIT_MS, newToken: false };
    default:
      return { waitMs: 0, newToken: false };
  }
}

/** Determines the reconnection after a connection could not be opened or its hello was refused. */
export function retryAfterError(error: unknown): Retry {
  if (!(error instanceof ParleyError)) return { waitMs: 0, newToken: false };
  const waitMs = (error.retryAfter ?? 0) * 1_000;
  switch (error.code) {
    case 'not_your_agent':
    case 'suspended':
      return { stop: error };
    case 'invalid_token':
      return { waitMs, newToken: true };
    case 'too_many_workers':
    case 'rate_limited':
      return { waitMs: Math.max(TOO_MANY_WAIT_MS, waitMs), newToken: false };
    default:
      return isPermanent(error) ? { stop: error } : { waitMs, newToken: false };
  }
}

/** Returns true for a refusal that would be repeated: the hello or the credentials are wrong. */
function isPermanent({ code, status, details }: ParleyError): boolean {
  const { rpcCode } = details;
  const isInvalidRequest = typeof rpcCode === 'number' && rpcCode !== -32603 && code.startsWith('rpc_');
  return isInvalidRequest || (status !== null && status >= 400 && status < 500 && status !== 429 && status !== 408);
}
