import { findAgentById } from '../../catalog';
import { authorize } from '../../identity';
import type { CallerActor, Ctx } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { isTerminal } from '../../protocol/a2a/core/model';
import { extensionsToActivate } from '../../protocol/extensions';
import { alwaysLetHire } from '../../tokens';
import { viewChains } from '../chains/chain-views';
import { taskNotFound } from '../errors';
import { STOP_CHAIN_TIMEOUT_MS } from '../limits';
import type { AnswerChainTask, ChainView, DecideApproval, SentFile } from '../schema-chains';
import { type ApprovalRecord, allowCall, denyCall, findApproval } from '../store/chain-approvals';
import { type ChainRecord, findChain, findChainTask, findChainTasks, findRoot } from '../store/chains';
import { startTurn } from '../turns/start-turn';
import { cancelTask } from './cancel-task';

/**
 * Returns the chain of one of the user's root tasks.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, also for chains of other users
 */
export async function getChain({ ctx, input }: { ctx: Ctx; input: { rootTaskId: string } }): Promise<ChainView> {
  const { principal, rootTaskId } = await requireChain(ctx, input.rootTaskId);
  const [view] = await viewChains(principal, [rootTaskId]);
  if (!view) throw chainNotFound();
  return view;
}

/**
 * Allows or refuses a call that waits for the user's approval. Repeating the same decision has no effect.
 * @throws {ParleyError} as {@link getChain}; `not_found`; `conflict` after the opposite decision, and for content that
 *   differs from the displayed content
 */
export async function decideApproval({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: DecideApproval & { rootTaskId: string; approvalId: string };
}): Promise<ChainView> {
  const { principal, rootTaskId } = await requireChain(ctx, input.rootTaskId);
  const approval = await findApproval({ principal, rootTaskId }, input.approvalId);
  if (!approval) throw new ParleyError('not_found', 'Approval not found in this chain.');
  const wanted = input.decision === 'allow' ? 'allowed' : 'denied';
  const isDecided =
    input.decision === 'allow' ? await allowShown(approval, input, ctx.now) : await denyCall(approval, ctx.now);
  if (!isDecided && (await findApproval(approval, approval.id))?.decision !== wanted) {
    throw new ParleyError('conflict', 'A different decision was already made.');
  }
  if (input.decision === 'allow' && input.always) {
    await alwaysLetHire(ctx, { userId: principal, agentId: approval.fromAgentId });
  }
  return getChain({ ctx, input });
}

/**
 * Returns a file that an agent intends to send, by the index of its part in the approval.
 * @throws {ParleyError} as {@link getChain}; `not_found` if the part is not a file
 */
export async function getSentFile({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { rootTaskId: string; approvalId: string; part: string };
}): Promise<SentFile> {
  const chain = await requireChain(ctx, input.rootTaskId);
  const approval = await findApproval(chain, input.approvalId);
  const part = /^\d{1,3}$/.test(input.part) ? approval?.content[Number(input.part)] : undefined;
  if (part?.base64 === undefined) throw new ParleyError('not_found', 'File not found in this approval.');
  return { name: part.name, mediaType: part.mediaType, bytes: part.base64 };
}

/** Allows the call if its content is what the user saw. */
function allowShown(
  approval: ApprovalRecord,
  { contentHash, always }: { contentHash: string; always: boolean },
  now: Date,
): Promise<boolean> {
  if (contentHash !== approval.contentHash) {
    throw new ParleyError(
      'conflict',
      'The message differs from the one that contentHash names. Show the approval again before you allow it.',
    );
  }
  return allowCall(approval, { always, now });
}

/**
 * Stops a chain: prevents further calls in it and cancels its tasks, the root task last.
 * @throws {ParleyError} as {@link getChain}
 */
export async function stopChain({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { rootTaskId: string };
}): Promise<{ canceled: number }> {
  const { principal, rootTaskId } = await requireChain(ctx, input.rootTaskId);
  const open = (await findChainTasks(principal, rootTaskId)).filter(({ state }) => !isTerminal(state)).length;
  const root = await findRoot(principal, rootTaskId);
  const agent = root && (await findAgentById(root.agentId));
  if (!root || !agent) throw chainNotFound();
  const task = { agentId: root.agentId, credentialId: principal, clientId: 'parley-web' };
  try {
    await cancelTask({
      ctx: { ...ctx, actor: callerOf(principal, task) },
      input: { agent, taskId: rootTaskId, timeoutMs: STOP_CHAIN_TIMEOUT_MS },
    });
  } catch (error) {
    // The root task had already ended. The delegated tasks are canceled.
    if (!hasCode(error, 'task_not_cancelable')) throw error;
    return { canceled: open };
  }
  return { canceled: isTerminal(root.state) ? open : open + 1 };
}

/**
 * Answers the question of a delegated task as the user, on whose behalf an agent created it.
 * @throws {ParleyError} as {@link getChain}; `task_not_found`, also for tasks of other chains; `unsupported_operation`,
 * `task_busy` if it has no open question
 */
export async function answerDelegatedTask({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: AnswerChainTask & { rootTaskId: string; taskId: string };
}): Promise<{ taskId: string }> {
  const { principal, rootTaskId } = await requireChain(ctx, input.rootTaskId);
  const { taskId, messageId, text } = input;
  const task = isUuid(taskId) ? await findChainTask(principal, rootTaskId, taskId) : null;
  const agent = task && (await findAgentById(task.agentId));
  if (!task || !agent) throw taskNotFound(taskId);
  await startTurn({
    ctx: { ...ctx, actor: callerOf(principal, task) },
    input: {
      agent,
      request: {
        op: 'send',
        streaming: false,
        message: { messageId, role: 'user', parts: [{ kind: 'text', text }], taskId },
        configuration: { returnImmediately: true },
      },
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
    },
  });
  return { taskId };
}

/**
 * Returns the user as the caller of an agent that works on one of their tasks. Keeps the task's credential, which lists
 * the acting agents.
 */
function callerOf(
  principal: string,
  { agentId, credentialId, clientId }: Pick<CallerActor, 'agentId' | 'credentialId' | 'clientId'>,
): CallerActor {
  return { kind: 'caller', principal, credentialId, agentId, clientId, scopes: ['agent:call'] };
}

async function requireChain(ctx: Ctx, rootTaskId: string): Promise<ChainRecord> {
  const { userId } = authorize(ctx.actor, 'session');
  const chain = isUuid(rootTaskId) ? await findChain(userId, rootTaskId) : null;
  if (!chain) throw chainNotFound();
  return chain;
}

/** Returns the same error for an unknown chain and for another user's chain. */
function chainNotFound(): ParleyError {
  return new ParleyError('not_found', 'No other agents were called for this task.');
}
