import { publish } from '../../platform/bus';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid, newUuidV7 } from '../../platform/ids';
import { sha256 } from '../../platform/secrets/crypto';
import type { Message } from '../../protocol/a2a/core/model';
import { delegationKeyOf, delegationsOf, hiringSetting } from '../../tokens';
import { ownerOf } from '../authorization';
import { taskNotFound } from '../errors';
import { APPROVAL_WAIT_MS, CHAIN_TEXT_MAX_CHARS } from '../limits';
import type { Turn } from '../log/turn';
import { deriveIdempotencyKey, findIdempotentTurn, type Parent, type SendInput } from '../runs/send-input';
import type { ApprovalReason } from '../schema-chains';
import { type ApprovalRecord, requestApproval, withdrawRequest } from '../store/chain-approvals';
import {
  type ChainCall,
  type ChainRecord,
  countCall,
  ensureChain,
  findChain,
  findLatestParent,
  findPosition,
  findRunningParent,
  releaseFailedRequest,
  uncountCall,
} from '../store/chains';
import { findTask } from '../store/find-tasks';
import { approvalDenied, hashOfSent, PARENT_TASK, viewSent, waitForApproval } from './approve-send';

/** A permitted send by an agent on behalf of a caller: either counted in its chain, or already sent. */
export type AdmittedSend =
  | { earlier: Turn }
  | {
      earlier: null;
      /** The id of the task that it creates or continues. */
      taskId: string;
      /** Publishes the call. Must be called when its turn has started. */
      publish: () => Promise<void>;
      /** Withdraws the call. Must be called if its turn did not start. */
      cancel: () => Promise<void>;
    };

/**
 * Counts a send by an agent on behalf of a caller in the chain of the caller's root task. At a limit, or if the agent
 * requires permission to hire others, the send waits for the user's approval.
 * @throws {ParleyError} `forbidden` (no parent task, or the agent may not hire others), `chain_repeat`,
 *   `chain_stopped`, `approval_pending`, `approval_denied`, `invalid_params` (too long to be displayed);
 *   `idempotency_mismatch`, `task_not_found`
 */
export async function admitDelegatedSend(ctx: Ctx, caller: CallerActor, input: SendInput): Promise<AdmittedSend> {
  const earlier = await findIdempotentTurn(caller, deriveIdempotencyKey(input));
  if (earlier) return { earlier };
  const { message } = input.request;
  const { taskId } = message;
  const answered = taskId === undefined ? null : await findTask(ownerOf(caller), taskId);
  if (taskId !== undefined && !answered) throw taskNotFound(taskId);
  const { parent, mayHire } = input.hiredBy ?? (await findHirer(caller, input));
  // A reply belongs to the chain of its task, regardless of the agent's current task.
  const position =
    message.taskId === undefined ? null : await findPosition({ principal: caller.principal, id: message.taskId });
  const call: ChainCall = {
    rootTaskId: position?.rootTaskId ?? parent.rootTaskId,
    principal: caller.principal,
    parentTaskId: parent.taskId,
    depth: parent.depth,
    fromAgentId: parent.agentId,
    agentId: input.agent.id,
    taskId: message.taskId ?? input.clientTask?.taskId ?? newUuidV7(ctx.now),
    isNewTask: message.taskId === undefined,
    requestHash: sha256(JSON.stringify([message.taskId ?? null, message.parts])).slice(0, 32),
    requestText: textOf(message).slice(0, CHAIN_TEXT_MAX_CHARS).toWellFormed(),
    contentHash: hashOfSent(input, answered?.lastSeq ?? null),
  };
  const { approvalWaitMs: waitMs = APPROVAL_WAIT_MS } = input;
  await admit(call, { input, mayHire, signal: ctx.signal, waitMs });
  return {
    earlier: null,
    taskId: call.taskId,
    publish: () => publish('chain', call.rootTaskId),
    cancel: () => uncountCall(call),
  };
}

/**
 * Finds the task whose agent sends. `mayHire` is true if that agent needs no approval to hire others.
 * @throws {ParleyError} `forbidden` if there is no such task, or if the user does not allow the agent to hire others
 */
async function findHirer(caller: CallerActor, input: SendInput): Promise<NonNullable<SendInput['hiredBy']>> {
  const parent = await findParent(caller, input.parentTaskId ?? parentTaskOf(input.request.message));
  const setting = await hiringSetting({ ...parent, principal: caller.principal });
  if (setting === 'never') {
    throw new ParleyError(
      'forbidden',
      'The user does not allow this agent to call other agents. They can change this in their settings.',
    );
  }
  return { parent, mayHire: setting === 'yes' };
}

/**
 * Finds the parent of a delegated send: the task specified in it, which must be running, or otherwise the latest task
 * of the acting agent for the same caller, running ones first.
 * @throws {ParleyError} `forbidden` if there is none
 */
async function findParent(caller: CallerActor, named: string | undefined): Promise<Parent> {
  const [delegation] = await delegationsOf(caller.credentialId);
  if (!delegation) throw noParent();
  const { agentId, parentId: credentialId } = delegation;
  const owner = {
    principal: caller.principal,
    agentId,
    delegation: (await delegationKeyOf(credentialId)) ?? null,
  };
  if (named !== undefined && !isUuid(named)) throw noParent();
  const taskId = named === undefined ? await findLatestParent(owner) : await findRunningParent(owner, named);
  if (taskId === null) throw noParent();
  const position = await findPosition({ principal: caller.principal, id: taskId });
  // Tokens limit the number of consecutive agents, and therefore the depth.
  const depth = (position?.depth ?? 0) + 1;
  return { taskId, agentId, credentialId, rootTaskId: position?.rootTaskId ?? taskId, depth };
}

function noParent(): ParleyError {
  const text =
    'No task found for this call. An agent can call other agents for a caller only while it works on that caller’s task. Expected a running task, or the ID of one in the message metadata "parley.parentTask".';
  return new ParleyError('forbidden', text);
}

interface AdmitOptions {
  /** The message, which is displayed to the user for approval. */
  input: SendInput;
  /** True if the agent may call others without approval. */
  mayHire: boolean;
  signal: AbortSignal;
  waitMs: number;
}

async function admit(call: ChainCall, { input, mayHire, signal, waitMs }: AdmitOptions): Promise<void> {
  const deadline = performance.now() + waitMs;
  let approval: ApprovalRecord | null = null;
  let isRequested = false;
  const { principal, rootTaskId } = call;
  for (;;) {
    const now = new Date();
    const outcome = await countCall(call, { mayHire, now });
    if (outcome === 'counted') {
      if (approval) await withdrawRequest(approval);
      return;
    }
    if (outcome === 'repeated') {
      if (await releaseFailedRequest(call)) continue;
      throw repeated();
    }
    const chain = await findChain(principal, rootTaskId);
    if (!chain) {
      await ensureChain(principal, rootTaskId, now);
      if (mayHire) continue;
    }
    if (chain?.stoppedAt) throw stopped();
    const reasons = reasonsOf(chain, { agentId: call.fromAgentId, mayHire, now });
    // A task may have ended, or a limit may have been raised, since the count.
    if (reasons.length === 0) continue;
    if (approval && isRequested) {
      await waitForApproval(approval, { signal, deadline });
      isRequested = false;
    } else {
      const reopen: boolean = approval?.decision === 'allowed';
      approval = await requestApproval(call, { reasons, content: viewSent(input), now, reopen });
      if (approval.decision === 'denied') throw approvalDenied();
      // It may have been approved since the count. The next count determines whether the approval is sufficient.
      isRequested = true;
    }
  }
}

/** Returns the reasons why the call requires approval. `chain` is null before the first call. */
function reasonsOf(
  chain: ChainRecord | null,
  { agentId, mayHire, now }: { agentId: string; mayHire: boolean; now: Date },
): ApprovalReason[] {
  const reasons: ApprovalReason[] = [];
  if (!mayHire && !chain?.hirers.includes(agentId)) reasons.push('hire');
  if (!chain) return reasons;
  if (chain.calls >= chain.maxCalls) reasons.push('calls');
  if (chain.openTasks >= chain.maxOpen) reasons.push('open');
  if (chain.endsAt <= now) reasons.push('time');
  return reasons;
}

function parentTaskOf({ metadata }: Message): string | undefined {
  const value = metadata?.[PARENT_TASK];
  return value === undefined ? undefined : String(value);
}

function textOf({ parts }: Message): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function repeated(): ParleyError {
  const text = 'The agent already received the same request in this chain. Use that answer, or ask something else.';
  return new ParleyError('chain_repeat', text);
}

function stopped(): ParleyError {
  return new ParleyError('chain_stopped', 'The user stopped all agent work for this task.');
}
