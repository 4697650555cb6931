import type { Db } from '../../platform/db';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';
import { MAX_EARLIER_CASES } from '../limits';
import type { CaseState, ReportReason, TargetKind } from '../schema';

export interface CaseRecord {
  id: string;
  kind: TargetKind;
  targetId: string;
  agentId: string | null;
  ownerId: string | null;
  title: string;
  state: CaseState;
  openedAt: Date;
  reason: ReportReason | null;
  statement: string | null;
  decidedAt: Date | null;
  priorState: string | null;
  appeal: string | null;
  appealedAt: Date | null;
}

/** A case with its report counts, for the queue. */
export interface QueuedCase extends CaseRecord {
  reports: number;
  reasons: ReportReason[];
  removedBefore: number;
}

const columns = `c.id, c.kind, c.target_id AS "targetId", c.agent_id AS "agentId", c.owner_id AS "ownerId", c.title, c.state,
  c.opened_at AS "openedAt", c.reason, c.statement, c.decided_at AS "decidedAt", c.prior_state AS "priorState", c.appeal,
  c.appealed_at AS "appealedAt"`;
const queued = `${columns},
  (SELECT count(*)::int FROM moderation_report r WHERE r.case_id = c.id) AS reports,
  ARRAY(SELECT r.reason FROM moderation_report r WHERE r.case_id = c.id
    GROUP BY r.reason ORDER BY count(*) DESC, r.reason) AS reasons,
  (SELECT count(*)::int FROM moderation_case o WHERE o.owner_id = c.owner_id AND o.id <> c.id
    AND o.state IN ('removed', 'appealed', 'upheld')) AS "removedBefore"`;

/** Cases in a state: waiting ones oldest first, decided ones latest first. */
export function selectCases(
  state: CaseState,
  { offset, limit }: { offset: number; limit: number },
): Promise<QueuedCase[]> {
  const isWaiting = state === 'open' || state === 'appealed';
  return query(
    `cases-${isWaiting ? 'waiting' : 'decided'}`,
    `SELECT ${queued} FROM moderation_case c WHERE c.state = $1
     ORDER BY ${isWaiting ? 'c.opened_at' : 'c.updated_at DESC'}, c.id OFFSET $2 LIMIT $3`,
    [state, offset, limit],
  );
}

export async function countCases(): Promise<Map<CaseState, number>> {
  const rows = await query<{ state: CaseState; count: number }>(
    'count-cases',
    'SELECT state, count(*)::int AS count FROM moderation_case GROUP BY state',
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

export async function selectCase(id: string): Promise<QueuedCase | null> {
  const text = `SELECT ${queued} FROM moderation_case c WHERE c.id = $1`;
  return (await query<QueuedCase>('case', text, [id]))[0] ?? null;
}

/** The case by which a target is currently removed, if any. */
export async function selectCaseOf(kind: TargetKind, targetId: string): Promise<CaseRecord | null> {
  const text = `SELECT ${columns} FROM moderation_case c WHERE c.kind = $1 AND c.target_id = $2
    AND c.state IN ('removed', 'appealed', 'upheld')`;
  return (await query<CaseRecord>('case-of', text, [kind, targetId]))[0] ?? null;
}

/** Other cases of the same target, latest first. */
export function selectEarlier(of: CaseRecord): Promise<Pick<CaseRecord, 'id' | 'state' | 'openedAt'>[]> {
  return query(
    'earlier-cases',
    `SELECT id, state, opened_at AS "openedAt" FROM moderation_case
     WHERE kind = $1 AND target_id = $2 AND id <> $3 ORDER BY opened_at DESC LIMIT ${MAX_EARLIER_CASES}`,
    [of.kind, of.targetId, of.id],
  );
}

type NewCase = Pick<CaseRecord, 'id' | 'kind' | 'targetId' | 'agentId' | 'ownerId' | 'title'>;

/** Finds or creates the open case of a target and locks its row until the transaction ends. */
export async function openCase(tx: Db, found: NewCase, now: Date): Promise<string> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO moderation_case (id, kind, target_id, agent_id, owner_id, title, state, opened_at, updated_at)
    VALUES (${found.id}, ${found.kind}, ${found.targetId}, ${found.agentId}, ${found.ownerId}, ${found.title}, 'open',
      ${now}, ${now})
    ON CONFLICT (kind, target_id) WHERE state IN ('open', 'removed', 'appealed', 'upheld')
    DO UPDATE SET updated_at = excluded.updated_at RETURNING id`;
  const [row] = rows;
  if (!row) throw new Error('a case was neither found nor begun');
  return row.id;
}

/** The changes of a case, in addition to its state. */
type CaseChanges = Partial<
  Pick<CaseRecord, 'ownerId' | 'reason' | 'statement' | 'decidedAt' | 'priorState' | 'appeal' | 'appealedAt'>
>;

interface CaseStep {
  from: CaseState[];
  to: CaseState;
  changes: CaseChanges;
  by: { role: 'moderator' | 'owner'; userId: string };
  note: string;
  now: Date;
}

/** Changes the state of a case and records the step; false if the case is in none of the `from` states. */
export async function moveCase(tx: Db, id: string, { from, to, changes, by, note, now }: CaseStep): Promise<boolean> {
  const data = { ...changes, state: to, updatedAt: now };
  const { count } = await tx.moderationCase.updateMany({ where: { id, state: { in: from } }, data });
  if (count === 0) return false;
  await tx.moderationStep.create({ data: { id: newId('stp'), caseId: id, state: to, ...by, note, at: now } });
  return true;
}

export interface StepRecord {
  state: CaseState;
  role: 'moderator' | 'owner';
  note: string;
  at: Date;
}

export async function selectSteps(caseId: string): Promise<StepRecord[]> {
  const text = 'SELECT state, role, note, at FROM moderation_step WHERE case_id = $1 ORDER BY at, id';
  return query('case-steps', text, [caseId]);
}

/** The user's appeals, latest first. */
export function selectAppealsBy(userId: string): Promise<{ caseId: string; title: string; text: string; at: Date }[]> {
  return query(
    'appeals-by',
    `SELECT c.id AS "caseId", c.title, s.note AS text, s.at
     FROM moderation_step s JOIN moderation_case c ON c.id = s.case_id
     WHERE s.user_id = $1 AND s.role = 'owner' ORDER BY s.at DESC, s.id`,
    [userId],
  );
}

/**
 * Erases a user from moderation: their reports, their appeals, and evidence from their reviews and conversations.
 * Decisions remain, anonymized.
 */
export async function eraseModeration(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`UPDATE moderation_report r SET evidence = '{}' FROM moderation_case c
    WHERE c.id = r.case_id AND c.owner_id = ${userId} AND c.kind <> 'agent'`;
  await tx.$executeRaw`UPDATE moderation_case SET title = CASE kind WHEN 'review' THEN 'A review' ELSE 'A shared conversation' END
    WHERE owner_id = ${userId} AND kind <> 'agent'`;
  await tx.moderationCase.updateMany({
    where: { OR: [{ ownerId: userId }, { steps: { some: { userId, role: 'owner' } } }] },
    data: { appeal: null },
  });
  await tx.moderationStep.updateMany({ where: { userId, role: 'owner' }, data: { note: '' } });
  await tx.moderationStep.updateMany({ where: { userId }, data: { userId: null } });
  await tx.moderationReport.updateMany({ where: { reporterId: userId }, data: { reporterId: null, details: '' } });
  await tx.moderationCase.updateMany({ where: { ownerId: userId }, data: { ownerId: null } });
  await tx.moderationNotification.deleteMany({ where: { userId } });
}

/** Which of these agents moderation removed, regardless of their status since. */
export async function selectTakenDown(tx: Db, agentIds: string[]): Promise<string[]> {
  const cases = await tx.moderationCase.findMany({
    where: { kind: 'agent', targetId: { in: agentIds }, state: { in: ['removed', 'appealed', 'upheld'] } },
    select: { targetId: true },
  });
  return cases.map(({ targetId }) => targetId);
}
