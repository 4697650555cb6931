import { type Db, db } from '../../platform/db';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { CaseState, ReportReason, TargetKind } from '../schema';

/** One case as it is kept. */
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
  prior: string | null;
  appeal: string | null;
  appealedAt: Date | null;
}

/** A case with what the queue shows beside it. */
export interface QueuedCase extends CaseRecord {
  reports: number;
  reasons: ReportReason[];
  removedBefore: number;
}

const columns = `c.id, c.kind, c.target_id AS "targetId", c.agent_id AS "agentId", c.owner_id AS "ownerId", c.title, c.state,
  c.opened_at AS "openedAt", c.reason, c.statement, c.decided_at AS "decidedAt", c.prior, c.appeal,
  c.appealed_at AS "appealedAt"`;
const queued = `${columns},
  (SELECT count(*)::int FROM moderation_report r WHERE r.case_id = c.id) AS reports,
  ARRAY(SELECT r.reason FROM moderation_report r WHERE r.case_id = c.id
    GROUP BY r.reason ORDER BY count(*) DESC, r.reason) AS reasons,
  (SELECT count(*)::int FROM moderation_case o WHERE o.owner_id = c.owner_id AND o.id <> c.id
    AND o.state IN ('removed', 'appealed', 'upheld')) AS "removedBefore"`;

/** Cases in a state; those that wait the longest first, decided ones the latest first. */
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

/** The case that holds a target down, or holds the latest word on it, for who answers for it. */
export async function selectCaseOf(kind: TargetKind, targetId: string): Promise<CaseRecord | null> {
  const text = `SELECT ${columns} FROM moderation_case c WHERE c.kind = $1 AND c.target_id = $2
    AND c.state IN ('removed', 'appealed', 'upheld')`;
  return (await query<CaseRecord>('case-of', text, [kind, targetId]))[0] ?? null;
}

/** Other cases of the same target, the latest first. */
export function selectEarlier(of: CaseRecord): Promise<Pick<CaseRecord, 'id' | 'state' | 'openedAt'>[]> {
  return query(
    'earlier-cases',
    `SELECT id, state, opened_at AS "openedAt" FROM moderation_case
     WHERE kind = $1 AND target_id = $2 AND id <> $3 ORDER BY opened_at DESC LIMIT 20`,
    [of.kind, of.targetId, of.id],
  );
}

export type NewCase = Pick<CaseRecord, 'id' | 'kind' | 'targetId' | 'agentId' | 'ownerId' | 'title'>;

/** The case of a target that is not closed, begun now when there is none; locked until the transaction ends. */
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

/** What a step changes of a case beside its state. */
export type CaseChanges = Partial<
  Pick<CaseRecord, 'ownerId' | 'reason' | 'statement' | 'decidedAt' | 'prior' | 'appeal' | 'appealedAt'>
>;

export interface CaseStep {
  from: CaseState[];
  to: CaseState;
  changes: CaseChanges;
  by: { role: 'moderator' | 'owner'; userId: string };
  note: string;
  now: Date;
}

/** Moves a case on and writes the step down; false when it is in none of the states that the step begins at. */
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

/** The reports that a person made while signed in. */
export async function selectReportsBy(
  userId: string,
): Promise<{ id: string; title: string; reason: ReportReason; details: string; createdAt: Date }[]> {
  const rows = await db().moderationReport.findMany({
    where: { reporterId: userId },
    orderBy: { createdAt: 'desc' },
    select: { id: true, reason: true, details: true, createdAt: true, case: { select: { title: true } } },
  });
  return rows.map(({ case: { title }, reason, ...report }) => ({ ...report, title, reason: reason as ReportReason }));
}

/** What a person wrote against decisions. */
export function selectAppealsBy(userId: string): Promise<{ caseId: string; title: string; text: string; at: Date }[]> {
  return query(
    'appeals-by',
    `SELECT c.id AS "caseId", c.title, s.note AS text, s.at
     FROM moderation_step s JOIN moderation_case c ON c.id = s.case_id
     WHERE s.user_id = $1 AND s.role = 'owner' ORDER BY s.at DESC, s.id`,
    [userId],
  );
}
