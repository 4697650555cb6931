import { int4, int8, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import type { FeedbackCounts, FeedbackView } from '../schema-thread';
import type { ConversationRef } from './conversation-rows';

interface GivenFeedback extends FeedbackView {
  conversation: ConversationRef;
  agentId: string;
  at: Date;
  /** Number of answers in the task, which is the maximum number of feedback rows. */
  answers: number;
}

const feedbackRow = row({
  taskId: uuid(),
  seq: int4(),
  verdict: text<FeedbackView['verdict']>(),
  category: nullable(text()),
  note: nullable(text()),
});
const givenRow = row({ ...feedbackRow.columns, conversationId: text(), at: timestamptz() });

/** Returns feedback on answers in these tasks. Does not check ownership. */
export function findFeedback({ userId, id }: ConversationRef, taskIds: string[]): Promise<FeedbackView[]> {
  return feedbackRow.of(userId).query(
    'chat-feedback',
    `SELECT task_id AS "taskId", seq, verdict, category, note FROM answer_feedback
     WHERE user_id = $3 AND conversation_id = $1 AND task_id = ANY($2)`,
    [id, taskIds, userId],
  );
}

/** Returns all feedback of a user, newest first. */
export function findFeedbackBy(userId: string): Promise<RowOf<typeof givenRow>[]> {
  return givenRow.of(userId).query(
    'chat-feedback-by',
    `SELECT f.task_id AS "taskId", f.seq, f.verdict, f.category, f.note, f.conversation_id AS "conversationId",
       f.given_at AS at
     FROM answer_feedback f WHERE f.user_id = $1 ORDER BY f.given_at DESC, f.task_id, f.seq`,
    [userId],
  );
}

/** Upserts feedback on an answer. Returns false if every other answer of the task already has feedback. */
export async function saveFeedback(given: GivenFeedback): Promise<boolean> {
  const { taskId, seq, conversation, agentId, verdict, category, note, at, answers } = given;
  const count = await ofOwner(conversation.userId).execute(
    'chat-save-feedback',
    `WITH existing AS (SELECT FROM conversation WHERE user_id = $10 AND id = $3 FOR KEY SHARE)
     INSERT INTO answer_feedback (user_id, task_id, seq, conversation_id, agent_id, verdict, category, note, given_at)
     SELECT $10, $1, $2, $3, $4, $5, $6, $7, $8 FROM existing
     WHERE (SELECT count(*) FROM answer_feedback f WHERE f.user_id = $10 AND f.task_id = $1 AND f.seq <> $2) < $9
     ON CONFLICT ON CONSTRAINT answer_feedback_pkey DO UPDATE SET verdict = excluded.verdict, category = excluded.category,
       note = excluded.note, given_at = excluded.given_at
     RETURNING seq`,
    [taskId, seq, conversation.id, agentId, verdict, category, note, at, answers, conversation.userId],
  );
  return count > 0;
}

export async function removeFeedback({ userId, id }: ConversationRef, taskId: string, seq: number): Promise<void> {
  await ofOwner(userId).execute(
    'chat-remove-feedback',
    'DELETE FROM answer_feedback WHERE user_id = $4 AND conversation_id = $1 AND task_id = $2 AND seq = $3',
    [id, taskId, seq, userId],
  );
}

const countRow = row({ verdict: text(), category: nullable(text()), count: int8() });
const noteRow = row({ verdict: text(), category: nullable(text()), note: text(), at: timestamptz() });

/** Feedback in deleted conversations does not count. */
const isShownSql = `NOT EXISTS (SELECT FROM conversation c
  WHERE c.user_id = answer_feedback.user_id AND c.id = conversation_id AND c.deleted_at IS NOT NULL)`;

/** Returns the counts of an agent's feedback since the given time, and the latest notes. */
export async function countFeedback(
  agentId: string,
  since: Date,
  notes: number,
): Promise<Omit<FeedbackCounts, 'since'>> {
  const [counted, written] = await Promise.all([
    countRow.inEach().query(
      'chat-count-feedback',
      `SELECT verdict, category, count(*) AS count FROM answer_feedback WHERE agent_id = $1 AND given_at >= $2 AND ${isShownSql}
       GROUP BY verdict, category ORDER BY count DESC, category`,
      [agentId, since],
    ),
    noteRow.inEach().query(
      'chat-feedback-notes',
      `SELECT verdict, category, note, given_at AS at FROM answer_feedback
       WHERE agent_id = $1 AND given_at >= $2 AND note IS NOT NULL AND ${isShownSql} ORDER BY given_at DESC LIMIT $3`,
      [agentId, since, notes],
    ),
  ]);
  const sum = (verdict: string): number =>
    counted.filter((counts) => counts.verdict === verdict).reduce((total, { count }) => total + count, 0);
  const latest = written.sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, notes);
  return {
    good: sum('good'),
    bad: sum('bad'),
    categories: sumCategories(counted),
    notes: latest.map(({ at, ...note }) => ({ ...note, at: at.toISOString() })),
  };
}

/** Returns the number of bad answers by category, the highest first. */
function sumCategories(counted: RowOf<typeof countRow>[]): FeedbackCounts['categories'] {
  const counts = new Map<string, number>();
  for (const { verdict, category, count } of counted) {
    if (verdict === 'bad' && category !== null) counts.set(category, (counts.get(category) ?? 0) + count);
  }
  return [...counts]
    .map(([category, count]) => ({ category, count }))
    .sort((one, other) => other.count - one.count || (one.category < other.category ? -1 : 1));
}
