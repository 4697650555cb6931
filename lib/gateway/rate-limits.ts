import type { AgentRecord } from '../catalog';
import type { ConcurrencyRule, TokenBucketRule } from '../limits';
import { CALL_IDLE_TIMEOUT_MS, CALL_STREAM_HEADERS_TIMEOUT_MS, CALL_UNARY_TIMEOUT_MS, MAX_AGENT_TASKS } from './limits';

/** Open streams of one principal. */
export const streamSlots: ConcurrencyRule = { name: 'streams', max: 20 };
/** Running tasks of one principal. */
export const activeTaskSlots: ConcurrencyRule = { name: 'live-tasks', max: 100 };

/** Running tasks of one agent, for all callers. */
export function agentTaskSlots(agent: AgentRecord): ConcurrencyRule {
  return { name: 'agent-tasks', max: callLimitsOf(agent).maxConcurrent };
}

/** Sends of one principal: a burst, then 10 per second. */
export const sendRateLimit: TokenBucketRule = {
  name: 'messages',
  burst: 100,
  perMinute: 600,
  onDatabaseDown: 'count-here',
};

/** Pushes from an agent for one task. */
export const agentPushRateLimit: TokenBucketRule = {
  name: 'agent push updates',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** The limits of one call to an agent, milliseconds, and of its concurrent tasks. */
export interface CallLimits {
  /** For the headers of a stream. */
  streamHeadersTimeoutMs: number;
  /** Between chunks of a response. */
  idleTimeoutMs: number;
  /** For a whole response that is not a stream. */
  unaryTimeoutMs: number;
  maxConcurrent: number;
}

const defaults: CallLimits = {
  streamHeadersTimeoutMs: CALL_STREAM_HEADERS_TIMEOUT_MS,
  idleTimeoutMs: CALL_IDLE_TIMEOUT_MS,
  unaryTimeoutMs: CALL_UNARY_TIMEOUT_MS,
  maxConcurrent: MAX_AGENT_TASKS,
};

/** The limits of calls to an agent: what its owner set, capped by the defaults. */
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
