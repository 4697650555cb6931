import type { AgentRecord } from '../../catalog';
import type { Trace } from '../../platform/context';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { upstreamTokenForTask } from '../../tokens';
import { hasTaskReferences, toCallerReferences } from '../log/upstream-task-ids';
import { httpTraceOfRun } from '../runs/run-state';
import { callAgent } from '../sources/http/call-agent';
import type { TaskRecord } from '../store/records';

interface AgentCancel {
  agent: AgentRecord;
  record: TaskRecord;
  /** The agent's id of the task. */
  taskId: string;
  metadata?: JsonObject;
  extensions?: ExtensionUse;
  requestId: string;
  trace?: Trace;
  signal: AbortSignalLike;
}

/**
 * Requests that the agent cancel its task. Returns the response, usually the task, with the caller's ids of referenced
 * tasks.
 * @throws what {@link callAgent} throws
 */
export async function askToCancel({ record, taskId, metadata, ...call }: AgentCancel): Promise<AgentItem[]> {
  const token = await upstreamTokenForTask(record, call.agent, new Date());
  const request = { op: 'cancel' as const, taskId, metadata };
  for await (const batch of await callAgent({ ...call, request, token, httpTraceOf: httpTraceOfRun(record) }))
    return batch.some(hasTaskReferences) ? toCallerReferences(batch, record) : batch;
  return [];
}
