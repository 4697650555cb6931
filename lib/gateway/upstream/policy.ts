import type { AgentRecord } from '../../catalog';

/** What one call of an agent may take, milliseconds, and how many of its tasks may be worked on at once. */
export interface CallLimits {
  /** For the headers of a stream. */
  streamHeadersMs: number;
  /** For silence within an answer. */
  silenceMs: number;
  /** For a whole answer that is not a stream. */
  unaryMs: number;
  maxConcurrent: number;
}

const defaults: CallLimits = {
  streamHeadersMs: 30_000,
  silenceMs: 300_000,
  unaryMs: 300_000,
  maxConcurrent: 2_000,
};

/** The limits of calls to an agent: what its owner set, within the bounds that are the defaults. */
export function callLimitsOf({ callLimits }: Pick<AgentRecord, 'callLimits'>): CallLimits {
  const { maxConcurrent, unaryTimeoutSeconds, silenceTimeoutSeconds } = callLimits;
  const within = (wanted: number | undefined, most: number): number => Math.min(wanted ?? most, most);
  return {
    streamHeadersMs: defaults.streamHeadersMs,
    unaryMs: within(unaryTimeoutSeconds && unaryTimeoutSeconds * 1000, defaults.unaryMs),
    silenceMs: within(silenceTimeoutSeconds && silenceTimeoutSeconds * 1000, defaults.silenceMs),
    maxConcurrent: within(maxConcurrent, defaults.maxConcurrent),
  };
}
