import type { Ctx } from '../../../platform/context';
import { seal, sha256, unseal } from '../../../platform/secrets/crypto';
import { canonicalJson } from '../../../protocol/jcs';
import { isObject } from '../../../protocol/json';
import { errorCodes, McpError, type McpRequest } from '../../../protocol/mcp/messages';
import { REQUEST_STATE_TTL_MS } from '../../limits';

const purpose = 'mcp-request-state';

/** The question of a call that its client repeats with the answer. */
export interface RequestState {
  taskId: string;
  /** The key of the question. */
  key: string;
}

/** Seals the state for this user, tool and arguments, so that any node can read it from the repeated call. */
export function sealRequestState(state: RequestState, request: McpRequest, ctx: Ctx): string {
  const expiresAt = ctx.now.getTime() + REQUEST_STATE_TTL_MS;
  return seal(purpose, JSON.stringify([state.taskId, state.key, bindingOf(request, ctx), expiresAt]));
}

/**
 * The state of a repeated call; null for a first one.
 * @throws {McpError} for a state that was altered, has expired, or is of another user or call
 */
export function openRequestState(request: McpRequest, ctx: Ctx): RequestState | null {
  const { requestState } = request.params;
  if (requestState === undefined) return null;
  const [taskId, key, binding, expiresAt] = readState(requestState);
  if (typeof taskId !== 'string' || typeof key !== 'string' || binding !== bindingOf(request, ctx))
    throw stateRefused(request, 'does not belong to this call');
  if (!(Number(expiresAt) > ctx.now.getTime())) throw stateRefused(request, 'has expired');
  return { taskId, key };
}

function readState(sealed: unknown): unknown[] {
  try {
    const state: unknown = typeof sealed === 'string' ? JSON.parse(unseal(purpose, sealed)) : null;
    return Array.isArray(state) ? state : [];
  } catch {
    return [];
  }
}

function bindingOf({ params }: McpRequest, { actor }: Ctx): string {
  const user = actor.kind === 'user' ? actor.userId : '';
  const args = isObject(params.arguments) ? params.arguments : {};
  return sha256(canonicalJson([user, params.name ?? null, args]));
}

function stateRefused({ id }: McpRequest, why: string): McpError {
  return new McpError(`requestState ${why}. Send the call again without it.`, {
    code: errorCodes.invalidParams,
    status: 200,
    id,
  });
}
