import type { AgentRecord } from '../../catalog';
import { authorizeChat } from '../../identity';
import type { Call, Ctx, GuestActor, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { acceptsMode } from '../../protocol/a2a/core/card';
import type { Message, Part } from '../../protocol/a2a/core/model';
import { actionMetadata, toActionPart } from '../../protocol/a2ui/actions/action-part';
import { a2uiExtensionOf, a2uiMetadata } from '../../protocol/a2ui/actions/announce';
import { extensionsToActivate } from '../../protocol/extensions';
import { ANSWER_METADATA } from '../../protocol/forms/describe-form';
import { isPaymentData } from '../../protocol/forms/read-form';
import { sendMessage } from '../../tasks';
import { callerOf } from '../../tokens';
import { closedReason, findOpenAgent, inputModesOf } from '../conversations/chat-agent';
import { admitGuestTurn } from '../guests/guest-turns';
import { GENERATED_TITLE_LENGTH, MAX_FILE_BYTES, MAX_GUEST_FILE_BYTES } from '../limits';
import type { PostedMessage, PostMessage } from '../schema';
import {
  type Branch,
  type Conversation,
  findConversationByContext,
  insertBranch,
  touchConversation,
  upsertConversation,
} from '../store/conversation-rows';
import { forkAt, loadThread } from './load-thread';

interface PostTarget {
  user: UserActor | GuestActor;
  agent: AgentRecord;
  contextId: string;
  /** Null before the conversation's first message is sent. */
  conversation: Conversation | null;
  /** The fork that the message creates, if it edits an earlier one. */
  fork: Omit<Branch, 'contextId'> | null;
}

/**
 * Sends a message of the user or guest and returns once it is stored; the agent's answer arrives on the stream of updates.
 * Idempotent by `messageId`.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `invalid_target`, `invalid_request`, `gone`,
 *   `guest_limit_reached`, `content_type_not_supported`, `payload_too_large`, and the errors of the gateway's `sendMessage`
 */
export async function postMessage({ ctx, input }: Call<PostMessage>): Promise<PostedMessage> {
  const target = input.conversationId
    ? await continueConversation(ctx, { ...input, id: input.conversationId })
    : await startConversation(ctx, input);
  const { user, agent, contextId } = target;
  const parts = partsOf(input, { agent, maxBytes: user.kind === 'guest' ? MAX_GUEST_FILE_BYTES : MAX_FILE_BYTES });
  const { messageId, taskId } = input;
  const turn = user.kind === 'guest' ? await admitGuestTurn(user, { agent, messageId, now: ctx.now }) : null;
  const sent = await sendMessage({
    ctx: { ...ctx, actor: callerOf(user, agent) },
    input: {
      agent,
      request: {
        op: 'send',
        streaming: false,
        message: { messageId, role: 'user', parts, contextId, taskId, ...metadataOf(input, agent) },
        configuration: { returnImmediately: true },
      },
      extensions: {
        requested: [...new Set([...extensionsToActivate(agent.card), ...surfacesOf(agent)])],
        activated: [],
      },
    },
  }).catch(async (error: unknown) => {
    await turn?.cancel();
    throw error;
  });
  if (!('task' in sent)) throw new Error('a send that returns immediately returns the task');
  const conversationId = await saveConversation(ctx, target, input);
  return { conversationId, branch: contextId, taskId: sent.task.id, ...(turn && { guestTurnsLeft: turn.left }) };
}

async function continueConversation(ctx: Ctx, input: PostMessage & { id: string }): Promise<PostTarget> {
  const { id, branch, edits, messageId, taskId } = input;
  const thread = await loadThread(ctx, { id, branch }, 'chat');
  const { user, conversation, agent, contextId, tasks, branches } = thread;
  const closed = closedReason(user, agent);
  if (closed !== null) throw new ParleyError('gone', closed);
  if (!edits) return { user, agent, contextId, conversation, fork: null };
  if (taskId) throw new ParleyError('invalid_request', 'edits: a reply to a question cannot start a branch.');
  // The first message id is the branch's context id, so that a retry creates no second branch.
  const target = { user, agent, contextId: messageId, conversation };
  // In a retry, the edited task may no longer be part of the loaded branch.
  if (branches.some((known) => known.contextId === messageId)) return { ...target, fork: null };
  const edited = tasks.find((task) => task.id === edits);
  if (!edited) {
    throw new ParleyError('invalid_request', 'edits: the task is not in this branch of the conversation.');
  }
  const firstTaskOf = (of: string): string | null => tasks.find((task) => task.contextId === of)?.id ?? null;
  return { ...target, fork: forkAt(branches, edited, firstTaskOf) };
}

/** Starts a conversation. The first message id is its context id, so that a retry creates no second conversation. */
async function startConversation(ctx: Ctx, { agentSlug, messageId, taskId }: PostMessage): Promise<PostTarget> {
  const user = authorizeChat(ctx.actor);
  if (!agentSlug)
    throw new ParleyError('invalid_request', 'Expected conversationId, or agentSlug to start a conversation.');
  if (taskId) throw new ParleyError('invalid_request', 'taskId: a task can only be continued in its own conversation.');
  const agent = await findOpenAgent(user, agentSlug);
  const conversation = await findConversationByContext(user.userId, messageId);
  if (conversation && conversation.agentId !== agent.id) throw messageIdTaken();
  return { user, agent, contextId: messageId, conversation, fork: null };
}

function messageIdTaken(): ParleyError {
  const text = 'This messageId already started a conversation with another agent. Use a new one for a new message.';
  return new ParleyError('idempotency_mismatch', text, { data: { reason: 'idempotency_mismatch' } });
}

/** The extension by which the agent sends surfaces, which the chat displays. */
function surfacesOf({ card }: Pick<AgentRecord, 'card'>): string[] {
  return [a2uiExtensionOf(card)].filter((uri) => uri !== null);
}

/** What the chat displays, for agents that send surfaces, and the data of the surface. */
function metadataOf({ action }: PostMessage, agent: Pick<AgentRecord, 'card'>): Pick<Message, 'metadata'> {
  const [extension] = surfacesOf(agent);
  const metadata = { ...(extension && a2uiMetadata(extension)), ...actionMetadata(action) };
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

function partsOf({ text, files, data, action, taskId }: PostMessage, limits: FileLimits): Part[] {
  if (text.trim() === '' && files.length === 0 && !data && !action) {
    throw new ParleyError('invalid_request', 'The message is empty. Enter a message or attach a file.');
  }
  if (data && !taskId)
    throw new ParleyError('invalid_request', 'data: only an answer to a question can have it. Expected taskId.');
  // An agent can choose the names and constants of its form, and an approval is never a form.
  if (data && [data, data.content ?? null].some(isPaymentData))
    throw new ParleyError('invalid_request', 'data: a payment cannot be approved with a form.');
  checkFiles(files, { ...limits, anyType: data !== undefined });
  const textParts: Part[] = text.trim() === '' ? [] : [{ kind: 'text', text }];
  const dataParts: Part[] = data ? [{ kind: 'data', data, metadata: { ...ANSWER_METADATA } }] : [];
  return [
    ...textParts,
    ...dataParts,
    ...(action ? [actionPartOf(action)] : []),
    ...files.map(({ name, mediaType, bytes }): Part => ({ kind: 'bytes', bytes, mediaType, filename: name })),
  ];
}

function actionPartOf(action: NonNullable<PostMessage['action']>): Part {
  const read = toActionPart(action);
  if ('fault' in read) throw new ParleyError('invalid_request', read.fault);
  return read.part;
}

interface FileLimits {
  agent: Pick<AgentRecord, 'card' | 'name'>;
  /** Maximum total size, bytes. */
  maxBytes: number;
  /** True if the agent asked for the files with a form, which it checks itself. */
  anyType?: boolean;
}

/**
 * Checks a message's files against the agent's input modes and the size limit, as the chat page does before sending.
 * @throws {ParleyError} `content_type_not_supported` with the accepted modes; `payload_too_large`
 */
function checkFiles(files: PostMessage['files'], { agent, maxBytes, anyType = false }: FileLimits): void {
  const accepted = inputModesOf(agent);
  const rejected = files.find(({ mediaType }) => !anyType && !acceptsMode(accepted, mediaType));
  if (rejected) {
    const text = `${agent.name} accepts ${accepted.join(', ') || 'no files'}; "${rejected.name}" is ${rejected.mediaType}.`;
    throw new ParleyError('content_type_not_supported', text, { data: { accepted } });
  }
  const total = files.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes, 'base64'), 0);
  if (total > maxBytes) {
    const text = `The files total ${total} bytes; a message can have up to ${maxBytes}. Send fewer or smaller files.`;
    throw new ParleyError('payload_too_large', text, { data: { limit: maxBytes } });
  }
}

/** Runs after the send, so that a conversation is listed only when its first message is stored. */
async function saveConversation(ctx: Ctx, target: PostTarget, input: PostMessage): Promise<string> {
  const { user, agent, contextId, conversation, fork } = target;
  if (conversation) {
    if (fork) await insertBranch(conversation, { contextId, ...fork }, ctx.now);
    await touchConversation(conversation, contextId, ctx.now);
    return conversation.id;
  }
  const title = titleOf(
    input.text,
    input.files.map(({ name }) => name),
  );
  const saved = await upsertConversation({
    userId: user.userId,
    agentId: agent.id,
    contextId,
    title,
    updatedAt: ctx.now,
  });
  if (saved.agentId !== agent.id) throw messageIdTaken();
  return saved.id;
}

/** Separators of pasted tables. */
const separators = ['\t', ';', ',', '|'];

/**
 * Returns the title of a new conversation: the start of its first message on one line, without pasted tables; otherwise
 * the first file name, or the columns of the table.
 */
export function titleOf(text: string, fileNames: string[]): string {
  const { prose, columns } = splitTables(text);
  const line = oneLine(prose) || oneLine(fileNames[0] ?? '') || oneLine(columns ?? '') || 'Conversation';
  const characters = [...line];
  if (characters.length <= GENERATED_TITLE_LENGTH) return line;
  // One more character, so that a word that ends exactly at the limit is kept.
  const cut = characters.slice(0, GENERATED_TITLE_LENGTH).join('');
  const space = cut.lastIndexOf(' ');
  const kept = space > cut.length / 2 ? cut.slice(0, space) : characters.slice(0, GENERATED_TITLE_LENGTH - 1).join('');
  return `${kept.replace(/[\s,;:.!?–—-]+$/u, '')}…`;
}

const inWords = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** Returns the text without its tables, and the columns of the first table in words. */
function splitTables(text: string): { prose: string; columns: string | null } {
  const lines = text.split(/\r?\n/);
  const isRow = lines.map((line, index) => isTableRow(line, lines[index - 1]) || isTableRow(line, lines[index + 1]));
  const first = lines[isRow.indexOf(true)];
  const separator = separators.find((one) => first?.includes(one)) ?? ',';
  const names = first?.split(separator).map((name) => name.replaceAll('"', '').trim());
  return {
    prose: lines.filter((line, index) => !isRow[index] && !/^\s*(`{3}|~{3})/.test(line)).join('\n'),
    columns: names ? `Spreadsheet with ${inWords.format(names.filter((name) => name !== ''))}` : null,
  };
}

/**
 * Returns true for a line with as many separators as an adjacent line, and no space after them, because prose also
 * contains commas.
 */
function isTableRow(line: string, neighbor: string | undefined): boolean {
  return separators.some((separator) => {
    const count = line.split(separator).length;
    const isProse = separator !== '|' && line.includes(`${separator} `);
    return count > 1 && !isProse && neighbor?.split(separator).length === count;
  });
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
