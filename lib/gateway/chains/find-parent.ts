import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { delegationKeyOf, delegationsOf } from '../../tokens';
import { MAX_CHAIN_DEPTH } from '../limits';
import { findLatestParent, findPosition, findRunningParent } from '../store/chains';

/** The task whose agent sends, and its place in the chain. */
export interface Parent {
  taskId: string;
  /** The agent that sends. */
  agentId: string;
  /** The credential under which that agent was called. */
  credentialId: string;
  rootTaskId: string;
  /** The depth of the task that the send creates. */
  depth: number;
}

/**
 * The parent of a delegated send: the task that it names, which must be running, or else the latest task of the acting
 * agent for the same caller, running ones first.
 * @throws {ParleyError} `forbidden` when there is none; `chain_limit` beyond MAX_CHAIN_DEPTH
 */
export async function findParent(caller: CallerActor, named: string | undefined): Promise<Parent> {
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
  const position = await findPosition(taskId);
  const depth = (position?.depth ?? 0) + 1;
  if (depth > MAX_CHAIN_DEPTH) {
    const text = `At most ${MAX_CHAIN_DEPTH} agents act one behind the other. Answer without calling another agent.`;
    throw new ParleyError('chain_limit', text, { data: { limit: 'depth' } });
  }
  return { taskId, agentId, credentialId, rootTaskId: position?.rootTaskId ?? taskId, depth };
}

function noParent(): ParleyError {
  const text =
    'An agent calls others for a caller while it works on that caller’s task. Expected the id of such a task in the message’s metadata "parley.parentTask", or a running one.';
  return new ParleyError('forbidden', text);
}
