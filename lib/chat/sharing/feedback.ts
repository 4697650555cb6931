import { findAgent, requireRole } from '../../catalog';
import { authorize } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { DAY_MS } from '../../platform/time';
import { readContextTasks } from '../../tasks';
import { callerOf } from '../../tokens';
import { conversationNotFound, loadConversation } from '../conversations/chat-agent';
import { FEEDBACK_DAYS, MAX_FEEDBACK_NOTES } from '../limits';
import type { FeedbackCounts, FeedbackView, GiveFeedback } from '../schema-thread';
import { countFeedback, findFeedbackBy, removeFeedback, saveFeedback } from '../store/feedback-rows';

interface AnswerRef {
  conversationId: string;
  taskId: string;
  /** The first event of the answer. */
  seq: number;
}

/**
 * Stores the user's feedback on an answer, and replaces earlier feedback. The agent's owner sees only counts and notes,
 * not the user or the messages.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`; `invalid_request` for an unknown answer
 */
export async function giveFeedback(call: { ctx: Ctx; input: GiveFeedback & AnswerRef }): Promise<FeedbackView> {
  const { ctx, input } = call;
  const { conversation, agent, user } = await loadConversation(ctx, input.conversationId);
  const { taskId, seq, verdict } = input;
  const reader = { ...ctx, actor: callerOf(user, agent) };
  const [task] = await readContextTasks({ ctx: reader, input: { agent, taskIds: [taskId] } });
  if (!task) throw conversationNotFound();
  if (task.events.find((event) => event.seq === seq)?.event.type === undefined) {
    throw new ParleyError('invalid_request', `seq: the task has no event ${seq}.`);
  }
  const view: FeedbackView = {
    taskId,
    seq,
    verdict,
    category: verdict === 'bad' ? (input.category ?? null) : null,
    note: input.note ? input.note.replaceAll('\0', '') : null,
  };
  // Each user message has one answer, which limits the feedback rows of a task.
  const answers = task.events.filter(({ event }) => event.type === 'message').length;
  const target = { conversation, agentId: agent.id };
  if (!(await saveFeedback({ ...view, ...target, answers: Math.max(1, answers), at: ctx.now }))) {
    throw new ParleyError(
      'invalid_request',
      `seq: every answer of this task already has feedback; ${seq} does not start a new one.`,
    );
  }
  return view;
}

/**
 * Deletes the user's feedback on an answer.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function withdrawFeedback({ ctx, input }: Call<AnswerRef>): Promise<void> {
  const { conversation } = await loadConversation(ctx, input.conversationId);
  await removeFeedback(conversation, input.taskId, input.seq);
}

/**
 * Returns recent feedback on an agent's answers, for its team.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, `gone` for agents of other users
 */
export async function getFeedbackCounts({ ctx, input }: Call<{ slug: string }>): Promise<FeedbackCounts> {
  const user = authorize(ctx.actor, 'session');
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const since = new Date(ctx.now.getTime() - FEEDBACK_DAYS * DAY_MS);
  return { ...(await countFeedback(agent.id, since, MAX_FEEDBACK_NOTES)), since: since.toISOString() };
}

/**
 * Lists all feedback that the user has given, for the account export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnFeedback({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return findFeedbackBy(authorize(ctx.actor, 'session').userId);
}
