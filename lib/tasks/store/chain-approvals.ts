import { publish } from '../../platform/bus';
import { bool, json, nullable, type RowOf, row, text, textArray, timestamptz, uuid } from '../../platform/db/rows';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import { newId } from '../../platform/ids';
import { MAX_CHAIN_CALLS, MAX_CHAIN_MS, MAX_CHAIN_OPEN_TASKS, MAX_VIEWED_APPROVALS } from '../limits';
import type { ApprovalReason, StoredSentPart } from '../schema-chains';
import type { ChainCall } from './chains';

const approvalRow = row({
  id: text(),
  rootTaskId: uuid(),
  fromAgentId: text(),
  agentId: text(),
  contentHash: text(),
  content: json<StoredSentPart[]>(),
  reasons: textArray<ApprovalReason>(),
  decision: nullable(text<'allowed' | 'denied'>()),
  createdAt: timestamptz(),
});

/** A request to approve a call, addressed to the caller of the root task. */
export type ApprovalRecord = RowOf<typeof approvalRow> & { principal: string };

/** The caller and the root task of a chain. */
type ChainRef = Pick<ChainCall, 'principal' | 'rootTaskId'>;

const requestedRow = row({ ...approvalRow.columns, isKnown: bool() });

const columns = `a.id, a.root_task_id AS "rootTaskId", a.from_agent_id AS "fromAgentId", a.agent_id AS "agentId",
  a.request_hash AS "contentHash", a.content, a.reasons, a.decision, a.created_at AS "createdAt"`;

/** A call that requires approval. */
export interface ApprovalRequest {
  reasons: ApprovalReason[];
  /** The complete content that would be sent. */
  content: StoredSentPart[];
  now: Date;
  /** True to ask again although the call was allowed, because the call was counted after that and exceeded a limit. */
  reopen: boolean;
}

/**
 * Requests approval of a call, once per content. Returns the pending request, a decided one, or a new one that replaces
 * an insufficient approval.
 */
export async function requestApproval(
  { principal, rootTaskId, fromAgentId, agentId, contentHash, requestText }: ChainCall,
  { reasons, content, now, reopen }: ApprovalRequest,
): Promise<ApprovalRecord> {
  const asked = await requestedRow.of(principal).queryFirst(
    'request-chain-approval',
    `WITH earlier AS (
       SELECT reasons, decision FROM chain_approval
       WHERE principal = $11 AND root_task_id = $2 AND from_agent_id = $3 AND agent_id = $4 AND request_hash = $5
     )
     INSERT INTO chain_approval AS a (principal, id, root_task_id, from_agent_id, agent_id, request_hash, request_text, reasons, created_at,
       content)
     VALUES ($11, $1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT ON CONSTRAINT chain_approval_request_key DO UPDATE
       SET reasons = CASE WHEN a.decision = 'denied' OR (a.decision = 'allowed' AND NOT $10) THEN a.reasons
           ELSE excluded.reasons END,
         decision = CASE WHEN a.decision = 'denied' OR (a.decision = 'allowed' AND NOT $10) THEN a.decision END,
         created_at = CASE WHEN a.decision = 'allowed' AND $10 THEN excluded.created_at ELSE a.created_at END
     RETURNING ${columns}, EXISTS (
       SELECT 1 FROM earlier e WHERE e.decision IS NOT DISTINCT FROM a.decision AND e.reasons = a.reasons) AS "isKnown"`,
    [
      ...[newId('apr'), rootTaskId, fromAgentId, agentId, contentHash, requestText, reasons, now],
      ...[JSON.stringify(content), reopen, principal],
    ],
  );
  if (!asked) throw new Error('the requested approval was not returned');
  if (!asked.isKnown) await publish('chain', rootTaskId);
  return { ...asked, principal };
}

/** Withdraws a request whose call no longer requires approval. */
export async function withdrawRequest({ principal, id, rootTaskId }: ApprovalRecord): Promise<void> {
  const statement = 'DELETE FROM chain_approval WHERE principal = $2 AND id = $1 AND decision IS NULL';
  const withdrawn = await ofOwner(principal).execute('withdraw-chain-approval', statement, [id, principal]);
  if (withdrawn > 0) await publish('chain', rootTaskId);
}

/** Returns the oldest undecided requests of these chains of this principal, at most {@link MAX_VIEWED_APPROVALS}. */
export async function findPendingApprovals(principal: string, rootTaskIds: string[]): Promise<ApprovalRecord[]> {
  const statement = `SELECT ${columns} FROM chain_approval a
    WHERE a.principal = $2 AND a.root_task_id = ANY($1::uuid[]) AND a.decision IS NULL AND a.content IS NOT NULL
    ORDER BY a.created_at, a.id LIMIT ${MAX_VIEWED_APPROVALS}`;
  const found = await approvalRow.of(principal).query('pending-chain-approvals', statement, [rootTaskIds, principal]);
  return found.map((approval) => ({ ...approval, principal }));
}

/** Returns the approval request with this id, if it belongs to this chain, otherwise null. */
export async function findApproval({ principal, rootTaskId }: ChainRef, id: string): Promise<ApprovalRecord | null> {
  const statement = `SELECT ${columns} FROM chain_approval a WHERE a.principal = $3 AND a.id = $1 AND a.root_task_id = $2
    AND a.content IS NOT NULL`;
  const found = await approvalRow.of(principal).queryFirst('chain-approval', statement, [id, rootTaskId, principal]);
  return found && { ...found, principal };
}

const decisionRow = row({ decision: nullable(text<'allowed' | 'denied'>()) });

/** Returns the decision of a request; null while it is open, undefined if it was withdrawn. */
export async function findDecision(
  { principal, rootTaskId }: ChainRef,
  id: string,
): Promise<ApprovalRecord['decision'] | undefined> {
  const statement = 'SELECT decision FROM chain_approval WHERE principal = $3 AND id = $1 AND root_task_id = $2';
  const found = await decisionRow
    .of(principal)
    .queryFirst('chain-approval-decision', statement, [id, rootTaskId, principal]);
  return found?.decision;
}

/**
 * Allows a call with exactly this content, and raises the limit that it exceeded by the initial value. With `always`,
 * if the agent needed permission to hire others, it may hire them without asking in this chain, and its other open
 * requests that need only that permission are allowed too. Returns false if it has already been decided.
 */
export async function allowCall(
  { principal, id, rootTaskId, contentHash }: ApprovalRecord,
  { always, now }: { always: boolean; now: Date },
): Promise<boolean> {
  const allowed = await ofOwner(principal).execute(
    'allow-chain-call',
    `WITH decided AS (
       UPDATE chain_approval SET decision = 'allowed', decided_at = $3 
       WHERE principal = $9 AND id = $1 AND request_hash = $8 AND decision IS NULL
       RETURNING from_agent_id, reasons
     ), others AS (
       UPDATE chain_approval a SET decision = 'allowed', decided_at = $3 FROM decided d
       WHERE a.principal = $9 AND a.root_task_id = $2 AND a.id <> $1 AND a.decision IS NULL AND a.from_agent_id = d.from_agent_id
         AND $7 AND 'hire' = ANY(d.reasons) AND a.reasons = '{hire}'
     )
     UPDATE chain c SET
       hirers = CASE WHEN $7 AND 'hire' = ANY(d.reasons) AND d.from_agent_id <> ALL(c.hirers)
         THEN c.hirers || d.from_agent_id ELSE c.hirers END,
       max_calls = c.max_calls + CASE WHEN 'calls' = ANY(d.reasons) THEN $4::int ELSE 0 END,
       max_open = c.max_open + CASE WHEN 'open' = ANY(d.reasons) THEN $5::int ELSE 0 END,
       ends_at = CASE WHEN 'time' = ANY(d.reasons) THEN $6::timestamptz ELSE c.ends_at END
     FROM decided d WHERE c.root_task_id = $2 AND c.principal = $9`,
    [
      ...[id, rootTaskId, now, MAX_CHAIN_CALLS, MAX_CHAIN_OPEN_TASKS, new Date(now.getTime() + MAX_CHAIN_MS)],
      ...[always, contentHash, principal],
    ],
  );
  if (allowed > 0) await publish('chain', rootTaskId);
  return allowed > 0;
}

/** Denies a call. Returns false if it has already been decided. */
export async function denyCall({ principal, id, rootTaskId }: ApprovalRecord, now: Date): Promise<boolean> {
  const statement = `UPDATE chain_approval SET decision = 'denied', decided_at = $2
    WHERE principal = $3 AND id = $1 AND decision IS NULL`;
  const denied = (await ofOwner(principal).execute('deny-chain-call', statement, [id, now, principal])) > 0;
  if (denied) await publish('chain', rootTaskId);
  return denied;
}

/** Denies every pending call of a chain. */
export async function denyPendingCalls({ principal, rootTaskId }: ChainRef, now: Date): Promise<void> {
  const statement = `UPDATE chain_approval SET decision = 'denied', decided_at = $2
    WHERE principal = $3 AND root_task_id = $1 AND decision IS NULL`;
  const denied = await ofOwner(principal).execute('deny-pending-chain-calls', statement, [rootTaskId, now, principal]);
  if (denied > 0) await publish('chain', rootTaskId);
}
