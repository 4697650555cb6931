import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { TaskState } from '../../protocol/a2a/core/model';

/** A task's row: who owns it, where it stands, who runs it. */
export interface TaskRecord {
  id: string;
  principal: string;
  agentId: string;
  contextId: string;
  upstreamContextId: string;
  upstreamTaskId: string | null;
  state: TaskState;
  stateAt: Date;
  lastSeq: number;
  runNode: string | null;
  credentialId: string;
  clientId: string;
  createdAt: Date;
}

/** One event on disk; `seq` counts from 1 within the task. */
export interface StoredEvent {
  seq: number;
  event: TaskEvent;
}

/** Columns of a task joined with its context, for queries that answer a {@link TaskRecord}. */
export const taskColumns = `t.id, t.principal, t.agent_id AS "agentId", t.context_id AS "contextId",
  c.upstream_context_id AS "upstreamContextId", t.upstream_task_id AS "upstreamTaskId", t.state, t.state_at AS "stateAt",
  t.last_seq AS "lastSeq", t.run_node AS "runNode", t.credential_id AS "credentialId", t.client_id AS "clientId",
  t.created_at AS "createdAt"`;

/** The join that {@link taskColumns} needs. */
export const taskSource = `task t JOIN context c ON c.principal = t.principal AND c.agent_id = t.agent_id AND c.id = t.context_id`;
