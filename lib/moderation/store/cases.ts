import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { int4, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import { MAX_DECISION_EMAIL_ATTEMPTS, MAX_EARLIER_CASES } from '../limits';
import type { CaseState, QueueQuery, ReportReason, TargetKind } from '../schema';

const caseRow = row({
  id: text(),
  kind: text<TargetKind>(),
  targetId: text(),
  agentId: nullable(text()),
  ownerId: nullable(text()),
  title: text(),
  state: text<CaseState>(),
  openedAt: timestamptz(),
  reason: nullable(text<ReportReason>()),
  statement: nullable(text()),
  decidedAt: nullable(timestamptz()),
  priorState: nullable(text()),
  appeal: nullable(text()),
  appealedAt: nullable(timestamptz()),
});
const queuedRow = row({
  ...caseRow.columns,
  reports: int4(),
  reasons: textArray<ReportReason>(),
  removedBefore: int4(),
});

export type CaseRecord = RowOf<typeof caseRow>;

/** A case with its report counts, for the queue. */
export type QueuedCase = RowOf<typeof queuedRow>;

const columns = `c.id, c.kind, c.target_id AS "targetId", c.agent_id AS "agentId", c.owner_id AS "ownerId", c.title, c.state,
  c.opened_at AS "openedAt", c.reason, c.statement, c.decided_at AS "decidedAt", c.prior_state AS "priorState", c.appeal,
  c.appealed_at AS "appealedAt"`;
const queued = `${columns},
  (SELECT count(*)::int FROM moderation_report r WHERE r.case_id = c.id) AS reports,
  ARRAY(SELECT r.reason FROM moderation_report r WHERE r.case_id = c.id
    GROUP BY r.reason ORDER BY count(*) DESC, r.reason) AS reasons,
  (SELECT count(*)::int FROM moderation_case o WHERE o.owner_id = c.owner_id AND o.id <> c.id
    AND o.state IN ('removed', 'appealed', 'upheld')) AS "removedBefore"`;

type CaseFilter = Pick<QueueQuery, 'kind' | 'reason' | 'q'>;

/** Returns the values of {@link matches}: kind, reason and search, null for those that do not filter. */
function valuesOf({ kind, reason, q }: CaseFilter): (string | null)[] {
  return [kind ?? null, reason ?? null, q === '' ? null : q];
}

/** `strpos` compares text literally, so that no character of a search is a wildcard. */
const matches = `($1::text IS NULL OR c.kind = $1)
  AND ($2::text IS NULL OR EXISTS (SELECT 1 FROM moderation_report r WHERE r.case_id = c.id AND r.reason = $2))
  AND ($3::text IS NULL OR c.id = $3 OR strpos(lower(c.title), lower($3)) > 0 OR EXISTS (
    SELECT 1 FROM moderation_report r
    WHERE r.case_id = c.id AND (r.id = $3 OR strpos(lower(r.details), lower($3)) > 0)))`;

/** Returns the cases in a state that match a filter: waiting ones oldest first, decided ones newest first. */
export function selectCases(
  { state, ...filter }: CaseFilter & Pick<QueueQuery, 'state'>,
  { offset, limit }: { offset: number; limit: number },
): Promise<QueuedCase[]> {
  const isWaiting = state === 'open' || state === 'appealed';
  return queuedRow.query(
    `cases-${isWaiting ? 'waiting' : 'decided'}`,
    `SELECT ${queued} FROM moderation_case c WHERE ${matches} AND c.state = $4
     ORDER BY ${isWaiting ? 'c.opened_at' : 'c.updated_at DESC'}, c.id OFFSET $5 LIMIT $6`,
    [...valuesOf(filter), state, offset, limit],
  );
}

const countRow = row({ state: text<CaseState>(), count: int4() });

/** Returns the number of cases in each state that match a filter. */
export async function countCases(filter: CaseFilter): Promise<Map<CaseState, number>> {
  const rows = await countRow.query(
    'count-cases',
    `SELECT c.state, count(*)::int AS count FROM moderation_case c WHERE ${matches} GROUP BY c.state`,
    valuesOf(filter),
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

export async function selectCase(id: string): Promise<QueuedCase | null> {
  const text = `SELECT ${queued} FROM moderation_case c WHERE c.id = $1`;
  return queuedRow.queryFirst('case', text, [id]);
}

/** Returns the case by which a target is currently removed, if any. */
export async function selectCaseOf(kind: TargetKind, targetId: string): Promise<CaseRecord | null> {
  const text = `SELECT ${columns} FROM moderation_case c WHERE c.kind = $1 AND c.target_id = $2
    AND c.state IN ('removed', 'appealed', 'upheld')`;
  return caseRow.queryFirst('case-of', text, [kind, targetId]);
}

const earlierRow = row({ id: text(), state: text<CaseState>(), openedAt: timestamptz() });

/** Selects other cases of the same target, newest first. */
export function selectEarlier(of: CaseRecord): Promise<RowOf<typeof earlierRow>[]> {
  return earlierRow.query(
    'earlier-cases',
    `SELECT id, state, opened_at AS "openedAt" FROM moderation_case
     WHERE kind = $1 AND target_id = $2 AND id <> $3 ORDER BY opened_at DESC LIMIT ${MAX_EARLIER_CASES}`,
    [of.kind, of.targetId, of.id],
  );
}

type NewCase = Pick<CaseRecord, 'id' | 'kind' | 'targetId' | 'agentId' | 'ownerId' | 'title'>;

const openedRow = row({ id: text() });

/** Finds or creates the open case of a target and locks its row until the transaction ends. */
export async function openCase(tx: Db, found: NewCase, now: Date): Promise<string> {
  const [opened] = await openedRow.queryIn(
    tx,
    Prisma.sql`
      INSERT INTO moderation_case (id, kind, target_id, agent_id, owner_id, title, state, opened_at, updated_at)
      VALUES (${found.id}, ${found.kind}, ${found.targetId}, ${found.agentId}, ${found.ownerId}, ${found.title}, 'open',
        ${now}, ${now})
      ON CONFLICT (kind, target_id) WHERE state IN ('open', 'removed', 'appealed', 'upheld')
      DO UPDATE SET updated_at = excluded.updated_at RETURNING id`,
  );
  if (!opened) throw new Error('a case was neither found nor begun');
  return opened.id;
}

const stepRow = row({ state: text<CaseState>(), role: text<'moderator' | 'owner'>(), note: text(), at: timestamptz() });

export type StepRecord = RowOf<typeof stepRow>;

export async function selectSteps(caseId: string): Promise<StepRecord[]> {
  const text = 'SELECT state, role, note, at FROM moderation_step WHERE case_id = $1 ORDER BY at, id';
  return stepRow.query('case-steps', text, [caseId]);
}

const appealRow = row({ caseId: text(), title: text(), text: text(), at: timestamptz() });

/** Returns the user's appeals, newest first. */
export function selectAppealsBy(userId: string): Promise<RowOf<typeof appealRow>[]> {
  return appealRow.query(
    'appeals-by',
    `SELECT c.id AS "caseId", c.title, s.note AS text, s.at
     FROM moderation_step s JOIN moderation_case c ON c.id = s.case_id
     WHERE s.user_id = $1 AND s.role = 'owner' ORDER BY s.at DESC, s.id`,
    [userId],
  );
}

/** Why a user is notified of a decision. */
export type RecipientRole = 'owner' | 'reporter' | 'user';

const notificationRow = row({
  caseId: text(),
  userId: text(),
  state: text<CaseState>(),
  role: text<RecipientRole>(),
  kind: text<TargetKind>(),
  agentId: nullable(text()),
  reason: nullable(text<ReportReason>()),
});

/** A queued email about a decision. */
export type DecisionNotification = RowOf<typeof notificationRow>;

/** Queues emails about a decision. If a user has several entries, the first one counts. */
export async function queueNotifications(
  tx: Db,
  { caseId, state, now }: { caseId: string; state: CaseState; now: Date },
  recipients: { userId: string; role: RecipientRole }[],
): Promise<void> {
  const [userIds, roles] = [recipients.map(({ userId }) => userId), recipients.map(({ role }) => role)];
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO moderation_notification (case_id, user_id, state, role, due_at)
      SELECT ${caseId}, user_id, ${state}, role, ${now}::timestamptz
      FROM unnest(${userIds}::text[], ${roles}::text[]) AS recipient(user_id, role) ON CONFLICT DO NOTHING`,
  );
}

const reporterRow = row({ reporterId: text() });

/** Returns the ids of the users who reported in a case while signed in. */
export async function selectReporters(tx: Db, caseId: string): Promise<string[]> {
  const rows = await reporterRow.queryIn(
    tx,
    Prisma.sql`SELECT DISTINCT reporter_id AS "reporterId" FROM moderation_report
      WHERE case_id = ${caseId} AND reporter_id IS NOT NULL`,
  );
  return rows.map(({ reporterId }) => reporterId);
}

/** Claims due emails about decisions for this node and schedules their retry, with a delay that doubles each time. */
export function claimNotifications(now: Date, limit: number): Promise<DecisionNotification[]> {
  return notificationRow.query(
    'claim-notifications',
    `UPDATE moderation_notification n SET attempts = n.attempts + 1,
       due_at = $1::timestamptz + interval '1 minute' * power(2, n.attempts)
     FROM moderation_case c WHERE c.id = n.case_id AND (n.case_id, n.user_id, n.state) IN (
       SELECT case_id, user_id, state FROM moderation_notification
       WHERE due_at <= $1 AND attempts < ${MAX_DECISION_EMAIL_ATTEMPTS} ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING n.case_id AS "caseId", n.user_id AS "userId", n.state, n.role, c.kind, c.agent_id AS "agentId", c.reason`,
    [now, limit],
  );
}

/** Returns the time at which the first queued email is due; null if there is none to send. */
export function nextDecisionEmail(): Promise<Date | null> {
  const statement = `SELECT min(due_at) AS due FROM moderation_notification WHERE attempts < ${MAX_DECISION_EMAIL_ATTEMPTS}`;
  return selectDue('next-decision-email', statement);
}

/** Deletes a sent email from the queue. */
export async function deleteNotification({ caseId, userId, state }: DecisionNotification): Promise<void> {
  await execute(
    'delete-notification',
    'DELETE FROM moderation_notification WHERE case_id = $1 AND user_id = $2 AND state = $3',
    [caseId, userId, state],
  );
}
