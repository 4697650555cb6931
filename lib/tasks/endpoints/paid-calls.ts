import { findAgent, isOpen } from '../../catalog';
import { toVisibleError } from '../../http/errors/render-error';
import { resourceOf } from '../../http/request';
import { type FindPayer, type RpcCall, type RpcResponse, tokenRequired } from '../../http/routes/a2a-call';
import { type CallerActor, type Ctx, NO_PRINCIPAL } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { sha256 } from '../../platform/secrets/crypto';
import type { Message } from '../../protocol/a2a/core/model';
import { readRequest } from '../../protocol/a2a/dialects';
import { canonicalJson } from '../../protocol/jcs';
import { ProtocolError } from '../../protocol/protocol-error';
import { PAYMENT_SIGNATURE_HEADER } from '../../protocol/x402/x402-messages';
import { issueToken } from '../../tokens';
import { requireReachable } from '../agent-client/circuit-breaker';
import { tasksPort } from '../ports';

/** The client of callers without an account. */
const PAYER_CLIENT = 'x402';
const usedUp = 'What this payment paid is used, or the 24 hours in which it can be used are over.';
/** The header with a token for the task that was paid, valid for 15 minutes. The same payment returns a new one. */
const TASK_TOKEN_HEADER = 'parley-task-token';

/**
 * Finds the agent that callers without an account can pay by x402; null also if this site does not accept it.
 * @throws {ParleyError} `rate_limited`, before anything of the request is read
 */
export const findPayer: FindPayer = async (slug, { address, now }) => {
  if (env().X402_FACILITATOR_URL === undefined) return null;
  const agent = await findAgent(slug);
  if (!agent || !isOpen(agent)) return null;
  const { acceptsX402, limitCallers } = tasksPort.operations();
  if (!acceptsX402(agent)) return null;
  await limitCallers(address, now);
  return { caller: callerOf(NO_PRINCIPAL, agent.id), agent };
};

function callerOf(principal: string, agentId: string): CallerActor {
  const scopes: CallerActor['scopes'] = principal === NO_PRINCIPAL ? [] : ['agent:call'];
  return { kind: 'caller', principal, credentialId: principal, agentId, clientId: PAYER_CLIENT, scopes };
}

/**
 * Returns a handler of calls that serves callers without an account: a send is admitted by a payment (x402, version 2),
 * and its response has `PAYMENT-RESPONSE` and a token for the task. All others call `handle` unchanged.
 */
export function payable(handle: (call: RpcCall) => Promise<RpcResponse>): (call: RpcCall) => Promise<RpcResponse> {
  return (call) => {
    const { principal } = call.ctx.actor;
    if (principal !== NO_PRINCIPAL && !principal.startsWith('pyr_')) return handle(call);
    return serveCaller(call, handle);
  };
}

async function serveCaller(call: RpcCall, handle: (call: RpcCall) => Promise<RpcResponse>): Promise<RpcResponse> {
  const { actor } = call.ctx;
  const request = readRequest(call.dialect, call.rpc);
  const isNew = actor.principal === NO_PRINCIPAL;
  if (request.op !== 'send') {
    if (isNew) throw tokenRequired();
    return handle(call);
  }
  const payment = call.request.headers.get(PAYMENT_SIGNATURE_HEADER);
  const { messageId } = request.message;
  // Only a caller with a token has tasks, so this one would pay in vain.
  if (isNew && namesTasks(request.message)) throw tokenRequired();
  if (isNew || payment !== null) return pay(call, { messageId, payment }, handle);
  try {
    return await handle(call);
  } catch (error) {
    // A caller with a token pays again, as the same principal.
    if (!hasCode(error, 'payment_required') || !tasksPort.operations().acceptsX402(call.agent)) throw error;
    return pay(call, { messageId, payment: null }, handle);
  }
}

function namesTasks({ taskId, referenceTaskIds = [] }: Message): boolean {
  return taskId !== undefined || referenceTaskIds.length > 0;
}

/** @throws {ParleyError} the errors of {@link tasksPort}'s `payByX402`, and `agent_unreachable` before anything is paid */
async function pay(
  call: RpcCall,
  { messageId, payment, reason }: { messageId: string; payment: string | null; reason?: string },
  handle: (call: RpcCall) => Promise<RpcResponse>,
): Promise<RpcResponse> {
  const { ctx, agent, rpc, request, address } = call;
  if (payment !== null) requireReachable(agent.id, ctx.now);
  const { principal, sendKey, headers } = await tasksPort.operations().payByX402({
    ...{ agent, messageId, payment, reason, address },
    principal: ctx.actor.principal,
    digest: sha256(canonicalJson({ method: rpc.method, params: rpc.params })),
    url: resourceOf(request),
    now: ctx.now,
  });
  const actor = callerOf(principal, agent.id);
  const token = { [TASK_TOKEN_HEADER]: await tokenOf(actor, call) };
  const paid = { ...call, ctx: contextOf(call.ctx, actor), sendKey };
  try {
    return withHeaders(await handle(paid), { ...headers, ...token });
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (hasCode(error, 'payment_required')) return pay(call, { messageId, payment: null, reason: usedUp }, handle);
    throw afterPayment(toVisibleError(error, ctx.requestId), { ...headers, ...token });
  }
}

async function tokenOf({ principal, clientId, scopes }: CallerActor, { agent, ctx }: RpcCall): Promise<string> {
  const grant = { principal, credentialId: principal, agent, clientId, scopes };
  return (await issueToken(grant, ctx.now)).token;
}

function contextOf({ requestId, now, trace, signal }: Ctx, actor: CallerActor): RpcCall['ctx'] {
  return { actor, requestId, now, trace, signal };
}

/** The error of a send that was paid and did not start: the payment remains usable. */
function afterPayment(error: ParleyError, headers: Record<string, string>): ParleyError {
  const { code, message, data, retryAfter, limit } = error;
  const advice = 'Your payment is kept: repeat the same request, or send another message with the Parley-Task-Token.';
  return new ParleyError(code, `${message} ${advice}`, { data, retryAfter, limit, headers, cause: error });
}

function withHeaders(response: RpcResponse, headers: Record<string, string>): RpcResponse {
  if (response.kind === 'result') return { ...response, headers: { ...response.headers, ...headers } };
  const { open } = response;
  return {
    ...response,
    open: (frame, onCancel) => {
      const stream = open(frame, onCancel);
      Object.assign(stream.headers, headers);
      return stream;
    },
  };
}
