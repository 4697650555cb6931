import { int4, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { deriveUuid } from '../../platform/ids';
import { deriveKey, sha256 } from '../../platform/secrets/crypto';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { TaskState } from '../../protocol/a2a/core/model';

/** The row format of {@link taskColumns}. */
export const taskRow = row({
  id: uuid(),
  principal: text(),
  agentId: text(),
  contextId: text(),
  /** The agent's context id; null until it has responded in the context. */
  upstreamContextId: nullable(text()),
  /**
   * Our context id at the agent. Stored only for contexts older than the rule by which it is derived; null for all
   * others.
   */
  ownContextId: nullable(text()),
  upstreamTaskId: nullable(text()),
  state: text<TaskState>(),
  stateAt: timestamptz(),
  lastSeq: int4(),
  runNode: nullable(text()),
  credentialId: text(),
  clientId: text(),
  /** The delegation that created it; null for the principal's own credentials. */
  delegation: nullable(text()),
  createdAt: timestamptz(),
  /** Set while events after `lastSeq` may be in the event stream: the owner's token in their subject. */
  streamKey: nullable(text()),
});

/** A task row. */
export interface TaskRecord extends RowOf<typeof taskRow> {
  /** Our context id at the agent, for agents that return none, and where the client must choose it. */
  ownContextId: string;
}

/** A task and its owner, whose database has it. */
export type TaskRef = Pick<TaskRecord, 'principal' | 'id'>;

/** A persisted event. `seq` counts from 1 within the task. */
export interface StoredEvent {
  seq: number;
  event: TaskEvent;
}

/** Columns of a task `t`, for {@link taskRow}. */
export const taskColumns = `t.id, t.principal, t.agent_id AS "agentId", t.context_id AS "contextId",
  t.upstream_context_id AS "upstreamContextId", (SELECT c.upstream_context_id FROM context c
   WHERE c.principal = t.principal AND c.agent_id = t.agent_id AND c.id = t.context_id
     AND c.delegation = coalesce(t.delegation, '')) AS "ownContextId",
  t.upstream_task_id AS "upstreamTaskId", t.state, t.state_at AS "stateAt", t.last_seq AS "lastSeq", t.run_node AS "runNode",
  t.credential_id AS "credentialId", t.client_id AS "clientId", t.delegation,
  t.created_at AS "createdAt", t.stream_key AS "streamKey"`;

/**
 * A source of tasks for queries by principal. Running and idle tasks have separate partial indexes, which the planner
 * uses only if they are queried separately.
 */
export const allTasksSql = `(SELECT * FROM task WHERE run_node IS NULL
  UNION ALL SELECT * FROM task WHERE run_node IS NOT NULL)`;

/** Converts the rows of a query that selects {@link taskColumns}. */
export async function toTaskRecords(rows: Promise<RowOf<typeof taskRow>[]>): Promise<TaskRecord[]> {
  return (await rows).map(toTaskRecord);
}

/** Adds the context ids that the agent uses. */
export function toTaskRecord(task: RowOf<typeof taskRow>): TaskRecord {
  return Object.assign(task, upstreamContextOf(task, task));
}

/** A client's context at one agent. Each delegation has its own contexts. */
type ContextRef = Pick<TaskRecord, 'principal' | 'agentId' | 'contextId' | 'delegation'>;

/** Returns the bus key of a context, which is a hash, because clients choose context ids. */
export function contextKey({ contextId, ...owner }: ContextRef): string {
  return sha256(JSON.stringify(contextPath(owner, contextId))).slice(0, 32);
}

/** The stored ids of a context at the agent. */
export interface StoredUpstreamContext {
  upstreamContextId: string | null;
  ownContextId: string | null;
}

/**
 * Returns the ids of a context at its agent. An empty stored id marks a task that was created before the agent's id was
 * stored, for which our id was sent to the agent.
 */
export function upstreamContextOf(
  context: ContextRef,
  stored: StoredUpstreamContext,
): Pick<TaskRecord, 'upstreamContextId' | 'ownContextId'> {
  const ownContextId = stored.ownContextId ?? ownContextIdOf(context);
  return { ownContextId, upstreamContextId: stored.upstreamContextId === '' ? ownContextId : stored.upstreamContextId };
}

/**
 * Derives the UUID by which an agent knows a context from the owner, the client's id and a secret key, because some
 * agents grant access to anyone who has the id. The UUID is not stored, except for contexts created before this rule.
 */
export function ownContextIdOf({ contextId, ...owner }: ContextRef): string {
  // The database replaces lone surrogates.
  const name = JSON.stringify(contextPath(owner, contextId.toWellFormed()));
  // Less than half of the digest is used, which makes length extension impossible, so one keyed hash replaces the two
  // of HMAC.
  return deriveUuid(deriveKey('upstream-context').toString('hex') + name);
}

function contextPath({ principal, agentId, delegation }: Omit<ContextRef, 'contextId'>, contextId: string): string[] {
  return delegation === null ? [principal, agentId, contextId] : [principal, agentId, contextId, delegation];
}

/** SQL for the tasks of {@link refValues}, the first two parameters: rows with `principal` and `id`. */
export const refsSql = 'unnest($1::text[], $2::uuid[]) AS r(principal, id)';

/** Returns the principals of tasks, each once. */
export function principalsOf(tasks: readonly TaskRef[]): string[] {
  return [...new Set(tasks.map(({ principal }) => principal))];
}

/** Returns the parameters of {@link refsSql} for the tasks of these principals, or for all tasks. */
export function refValues(tasks: readonly TaskRef[], principals?: readonly string[]): [string[], string[]] {
  const wanted = principals && new Set(principals);
  const some = wanted ? tasks.filter(({ principal }) => wanted.has(principal)) : tasks;
  return [some.map(({ principal }) => principal), some.map(({ id }) => id)];
}
