import type { AgentRecord } from '../../../catalog';
import { DEFAULT_QUEUE_SECONDS } from '../../limits';

/** Maximum time that runs of the agent wait for a worker, seconds. */
export function queueSecondsOf({ callLimits }: Pick<AgentRecord, 'callLimits'>): number {
  return callLimits.queueSeconds ?? DEFAULT_QUEUE_SECONDS;
}
