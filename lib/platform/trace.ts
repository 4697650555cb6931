import { newHex } from './ids';

/** Which trace a call belongs to (W3C Trace Context): what of the caller's headers is passed on. */
export interface Trace {
  /** 32 hex digits. */
  traceId: string;
  /** Two hex digits. */
  flags: string;
  state?: string;
}

const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;

/** The caller's trace; undefined when `traceparent` is missing or malformed, `tracestate` then counts for nothing. */
export function readTrace(headers: Pick<Headers, 'get'>): Trace | undefined {
  const [, version, traceId, flags, more] = pattern.exec(headers.get('traceparent') ?? '') ?? [];
  if (!traceId || !flags || (version === '00' && more !== undefined)) return undefined;
  const state = headers.get('tracestate') ?? '';
  return { traceId, flags, ...(/^[\x20-\x7e]{1,512}$/.test(state) && { state }) };
}

/** The headers of a call that is a new span of the trace; of a trace of its own when there is none yet. */
export function traceHeaders(trace: Trace | undefined): Record<string, string> {
  const { traceId, flags, state } = trace ?? { traceId: newHex(16), flags: '00', state: undefined };
  return { traceparent: `00-${traceId}-${newHex(8)}-${flags}`, ...(state && { tracestate: state }) };
}
