import { deriveKey, sha256 } from '../../platform/crypto';
import { deriveUuid } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { TaskState } from '../../protocol/a2a/core/model';

/** A task's row: who owns it, where it stands, who runs it. */
export interface TaskRecord {
  id: string;
  principal: string;
  agentId: string;
  contextId: string;
  /** The agent's own id of the context; null until the agent has answered in it. */
  upstreamContextId: string | null;
  /** Our id of the context for agents that give none, and where the protocol has the client choose it. */
  ownContextId: string;
  upstreamTaskId: string | null;
  state: TaskState;
  stateAt: Date;
  lastSeq: number;
  runNode: string | null;
  credentialId: string;
  clientId: string;
  /** Which delegation created it; null for the principal's own credentials. */
  delegation: string | null;
  createdAt: Date;
}

/** One event on disk; `seq` counts from 1 within the task. */
export interface StoredEvent {
  seq: number;
  event: TaskEvent;
}

/** Columns of a task `t`, for {@link queryTasks}. */
export const taskColumns = `t.id, t.principal, t.agent_id AS "agentId", t.context_id AS "contextId",
  t.upstream_context_id AS "upstreamContextId", (SELECT c.upstream_context_id FROM context c
   WHERE c.principal = t.principal AND c.agent_id = t.agent_id AND c.id = t.context_id
     AND c.delegation = coalesce(t.delegation, '')) AS "ownContextId",
  t.upstream_task_id AS "upstreamTaskId", t.state, t.state_at AS "stateAt", t.last_seq AS "lastSeq", t.run_node AS "runNode",
  t.credential_id AS "credentialId", t.client_id AS "clientId", t.delegation,
  t.created_at AS "createdAt"`;

/**
 * Tasks as a source for queries by principal. Each is in an index of its own while it runs and in others when its turn is over
 * (migration 0040), which the database does not put together by itself.
 */
export const allTasksSql = `(SELECT * FROM task WHERE run_node IS NULL
  UNION ALL SELECT * FROM task WHERE run_node IS NOT NULL)`;

/** Runs a statement that answers {@link taskColumns}, and further ones where it says so. */
export async function queryTasks<More extends object = object>(
  name: string,
  text: string,
  values: unknown[],
): Promise<(TaskRecord & More)[]> {
  const rows = await query<TaskRecord & More>(name, text, values);
  for (const row of rows) Object.assign(row, upstreamContextOf(row, row));
  return rows;
}

/** Whose context, at which agent, and what its client calls it. Each delegation has contexts of its own. */
type ContextRef = Pick<TaskRecord, 'principal' | 'agentId' | 'contextId' | 'delegation'>;

/** The key under which the bus speaks of a context; a hash, because clients choose context ids. */
export function contextKey({ contextId, ...owner }: ContextRef): string {
  return sha256(JSON.stringify(contextPath(owner, contextId))).slice(0, 32);
}

/** What is stored of a context's ids at the agent, as the database has it. */
export interface StoredUpstreamContext {
  upstreamContextId: string | null;
  ownContextId: string | null;
}

/**
 * The ids of a context at its agent. An empty stored id marks a task from before the agent's id was stored: that agent was sent
 * ours.
 */
export function upstreamContextOf(
  context: ContextRef,
  stored: StoredUpstreamContext,
): Pick<TaskRecord, 'upstreamContextId' | 'ownContextId'> {
  const ownContextId = stored.ownContextId ?? ownContextIdOf(context);
  return { ownContextId, upstreamContextId: stored.upstreamContextId === '' ? ownContextId : stored.upstreamContextId };
}

/**
 * The UUID that Parley has for a context towards its agent. It follows from whose context it is and what they call it, so that it
 * need not be stored, and from a key of ours: some agents give a conversation to whoever names it. A context of before this rule has
 * a row that says what its agent was sent.
 */
export function ownContextIdOf({ contextId, ...owner }: ContextRef): string {
  // Half of a character pair comes back from the database as another character.
  const name = JSON.stringify(contextPath(owner, contextId.toWellFormed()));
  // Not half of the digest is shown, so that nobody can go on from it with more text: one hash does what HMAC does with two.
  return deriveUuid(deriveKey('upstream-context').toString('hex') + name);
}

function contextPath({ principal, agentId, delegation }: Omit<ContextRef, 'contextId'>, contextId: string): string[] {
  return delegation === null ? [principal, agentId, contextId] : [principal, agentId, contextId, delegation];
}
