import type { AgentRecord } from '../catalog';
import type { ConcurrencyRule, TokenBucketRule } from '../limits';
import { CALL_IDLE_TIMEOUT_MS, CALL_STREAM_HEADERS_TIMEOUT_MS, CALL_UNARY_TIMEOUT_MS, MAX_AGENT_TASKS } from './limits';

/** Limits the open streams of one principal. */
export const streamSlots: ConcurrencyRule = { name: 'streams', max: 20 };
/** Limits the running tasks of one principal. */
export const activeTaskSlots: ConcurrencyRule = { name: 'live-tasks', max: 100 };

/** Limits the running tasks of one agent, for all callers. */
export function agentTaskSlots(agent: AgentRecord): ConcurrencyRule {
  return { name: 'agent-tasks', max: callLimitsOf(agent).maxConcurrent };
}

/** Limits the sends of one principal: a burst, then 10 per second. */
export const sendRateLimit: TokenBucketRule = {
  name: 'messages',
  burst: 100,
  perMinute: 600,
  onDatabaseDown: 'count-here',
};

/** Limits the pushes from an agent for one task. */
export const agentPushRateLimit: TokenBucketRule = {
  name: 'agent push updates',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** The timeouts of one call to an agent, milliseconds, and the maximum number of concurrent tasks of the agent. */
export interface CallLimits {
  /** Timeout of the headers of a stream. */
  streamHeadersTimeoutMs: number;
  /** Timeout between chunks of a response. */
  idleTimeoutMs: number;
  /** Timeout of a whole response that is not a stream. */
  unaryTimeoutMs: number;
  maxConcurrent: number;
}

const defaults: CallLimits = {
  streamHeadersTimeoutMs: CALL_STREAM_HEADERS_TIMEOUT_MS,
  idleTimeoutMs: CALL_IDLE_TIMEOUT_MS,
  unaryTimeoutMs: CALL_UNARY_TIMEOUT_MS,
  maxConcurrent: MAX_AGENT_TASKS,
};

/** Returns the limits of calls to an agent: the owner's settings, capped by the defaults. */
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
