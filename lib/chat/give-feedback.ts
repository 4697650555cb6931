import { readContextTasks } from '../gateway';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { conversationNotFound } from './errors';
import { loadConversation } from './load-conversation';
import { callerOf } from './policy';
import type { FeedbackView, GiveFeedback } from './schema';
import { removeFeedback, saveFeedback } from './store/feedback';

interface AnswerRef {
  conversationId: string;
  taskId: string;
  /** The event that the answer begins with. */
  seq: number;
}

/**
 * Keeps what the person thinks of an answer, in place of what they thought before. The agent's owner learns how many think
 * what, and what was written as a note; not who, and not what was said.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`; `invalid_request` for an answer that there is not
 */
export async function giveFeedback(call: { ctx: Ctx; input: GiveFeedback & AnswerRef }): Promise<FeedbackView> {
  const { ctx, input } = call;
  const { conversation, agent, person } = await loadConversation(ctx, input.conversationId);
  const { taskId, seq, verdict } = input;
  const reader = { ...ctx, actor: callerOf(person, agent) };
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
  // Each message of the person has one answer: nobody's word counts more often than they were answered.
  const answers = task.events.filter(({ event }) => event.type === 'message').length;
  const target = { conversationId: conversation.id, agentId: agent.id };
  if (!(await saveFeedback({ ...view, ...target, answers: Math.max(1, answers), at: ctx.now }))) {
    throw new ParleyError('invalid_request', `seq: every answer of the task was judged already; ${seq} begins none.`);
  }
  return view;
}

/**
 * Takes back what the person thought of an answer; nothing is left of it.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function withdrawFeedback({ ctx, input }: { ctx: Ctx; input: AnswerRef }): Promise<void> {
  const { conversation } = await loadConversation(ctx, input.conversationId);
  await removeFeedback(conversation.id, input.taskId, input.seq);
}
