import type { AgentRecord } from '../../catalog';

/** What one call of an agent may take, milliseconds, and how many of its tasks may be worked on at once. */
export interface CallLimits {
  /** For the headers of a stream. */
  streamHeadersTimeoutMs: number;
  /** For silence within an answer. */
  idleTimeoutMs: number;
  /** For a whole answer that is not a stream. */
  unaryTimeoutMs: number;
  maxConcurrent: number;
}

const defaults: CallLimits = {
  streamHeadersTimeoutMs: 30_000,
  idleTimeoutMs: 300_000,
  unaryTimeoutMs: 300_000,
  maxConcurrent: 2_000,
};

/** The limits of calls to an agent: what its owner set, within the bounds that are the defaults. */
export function callLimitsOf({ callLimits }: Pick<AgentRecord, 'callLimits'>): CallLimits {
  const { maxConcurrent, unaryTimeoutSeconds, silenceTimeoutSeconds } = callLimits;
  const clamp = (wanted: number | undefined, max: number): number => Math.min(wanted ?? max, max);
  return {
    streamHeadersTimeoutMs: defaults.streamHeadersTimeoutMs,
    unaryTimeoutMs: clamp(unaryTimeoutSeconds && unaryTimeoutSeconds * 1000, defaults.unaryTimeoutMs),
    idleTimeoutMs: clamp(silenceTimeoutSeconds && silenceTimeoutSeconds * 1000, defaults.idleTimeoutMs),
    maxConcurrent: clamp(maxConcurrent, defaults.maxConcurrent),
  };
}
