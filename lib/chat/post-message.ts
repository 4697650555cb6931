import { type AgentRecord, findAgent } from '../catalog';
import { sendMessage } from '../gateway';
import type { Ctx, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { Part } from '../protocol/a2a/core/model';
import { extensionsToActivate } from '../protocol/supported-extensions';
import { forkAt } from './branches';
import { checkFiles } from './check-files';
import { chatAgentNotFound } from './errors';
import { loadThread } from './load-thread';
import { callerOf, closedReason, requireSession } from './policy';
import type { PostedMessage, PostMessage } from './schema';
import { type Branch, insertBranch } from './store/branches';
import {
  type Conversation,
  findConversationByContext,
  touchConversation,
  upsertConversation,
} from './store/conversations';
import { titleOf } from './title';

interface PostTarget {
  person: UserActor;
  agent: AgentRecord;
  contextId: string;
  /** Null while the conversation is only about to begin. */
  conversation: Conversation | null;
  /** What the message begins, when it is said instead of another. */
  fork: Omit<Branch, 'contextId'> | null;
}

/**
 * Sends a message of the person and answers once it is on disk; the agent's answer comes through the stream of updates. The
 * same `messageId` again is the same message: nothing is sent twice.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `invalid_target`, `invalid_request`, `gone`,
 *   `content_type_not_supported`, `payload_too_large`, and what the gateway's send throws
 */
export async function postMessage({ ctx, input }: { ctx: Ctx; input: PostMessage }): Promise<PostedMessage> {
  const target = input.conversationId
    ? await continueConversation(ctx, { ...input, id: input.conversationId })
    : await startConversation(ctx, input);
  const { person, agent, contextId } = target;
  const parts = partsOf(input, agent);
  const { messageId, taskId } = input;
  const answer = await sendMessage({
    ctx: { ...ctx, actor: callerOf(person, agent) },
    input: {
      agent,
      request: {
        op: 'send',
        streaming: false,
        message: { messageId, role: 'user', parts, contextId, taskId },
        configuration: { returnImmediately: true },
      },
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
    },
  });
  if (!('task' in answer)) throw new Error('a send that returns immediately answers with the task');
  return { conversationId: await saveConversation(ctx, target, input), branch: contextId, taskId: answer.task.id };
}

async function continueConversation(ctx: Ctx, input: PostMessage & { id: string }): Promise<PostTarget> {
  const { id, branch, edits, messageId, taskId } = input;
  const thread = await loadThread(ctx, { id, branch });
  const { person, conversation, agent, contextId, tasks } = thread;
  const closed = closedReason(person, agent);
  if (closed !== null) throw new ParleyError('gone', closed);
  if (!edits) return { person, agent, contextId, conversation, fork: null };
  if (taskId) throw new ParleyError('invalid_request', 'edits: an answer to a question cannot begin a branch.');
  const target = { person, agent, contextId: messageId, conversation };
  // Posted before, it stands in the place of what it edits, which is not read here any more.
  if (thread.branches.some((known) => known.contextId === messageId)) return { ...target, fork: null };
  const edited = tasks.find((task) => task.id === edits);
  if (!edited) throw taskNotInThread();
  const versions = { first: conversation.contextId, branches: thread.branches };
  const firstTaskOf = (of: string): string | null => tasks.find((task) => task.contextId === of)?.id ?? null;
  // The context of a branch is named by its first message, so that a repeated post begins no second one.
  return { ...target, fork: forkAt(versions, edited, firstTaskOf) };
}

/** The context of a new conversation is named by its first message, so that a repeated post begins no second one. */
async function startConversation(ctx: Ctx, { agentSlug, messageId, taskId }: PostMessage): Promise<PostTarget> {
  const person = requireSession(ctx.actor);
  if (!agentSlug)
    throw new ParleyError('invalid_request', 'Send conversationId, or agentSlug to begin a conversation.');
  if (taskId) throw new ParleyError('invalid_request', 'taskId: a task can only be answered in its conversation.');
  const agent = await findAgent(agentSlug);
  if (!agent || closedReason(person, agent) !== null) throw chatAgentNotFound();
  const conversation = await findConversationByContext(person.userId, messageId);
  if (conversation && conversation.agentId !== agent.id) throw messageIdTaken();
  return { person, agent, contextId: messageId, conversation, fork: null };
}

function taskNotInThread(): ParleyError {
  return new ParleyError('invalid_request', 'edits: the task is not in this conversation as it is read here.');
}

function messageIdTaken(): ParleyError {
  const text = 'This messageId began a conversation with another agent. Use a new one for a new message.';
  return new ParleyError('idempotency_mismatch', text, { data: { reason: 'idempotency_mismatch' } });
}

function partsOf({ text, files }: PostMessage, agent: AgentRecord): Part[] {
  if (text.trim() === '' && files.length === 0) {
    throw new ParleyError('invalid_request', 'The message is empty. Write something, or attach a file.');
  }
  checkFiles(files, agent);
  const textParts: Part[] = text.trim() === '' ? [] : [{ kind: 'text', text }];
  return [
    ...textParts,
    ...files.map(({ name, mediaType, bytes }): Part => ({ kind: 'bytes', bytes, mediaType, filename: name })),
  ];
}

/** After the send: a conversation appears only once its first message is on disk. */
async function saveConversation(ctx: Ctx, target: PostTarget, input: PostMessage): Promise<string> {
  const { person, agent, contextId, conversation, fork } = target;
  if (conversation) {
    if (fork) await insertBranch(conversation.id, { contextId, ...fork }, ctx.now);
    await touchConversation(conversation.id, contextId, ctx.now);
    return conversation.id;
  }
  const title = titleOf(
    input.text,
    input.files.map(({ name }) => name),
  );
  const saved = await upsertConversation({
    userId: person.userId,
    agentId: agent.id,
    contextId,
    title,
    updatedAt: ctx.now,
  });
  if (saved.agentId !== agent.id) throw messageIdTaken();
  return saved.id;
}
