import type { PricePlan } from '../../catalog/schema-prices';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { currencyOfAsset, toMoneyText } from '../../protocol/ap2/money';
import { isTestMode } from '../charges/stripe-mode';
import { CHARGE_CHECK_DELAY_MS } from '../limits';
import { isOfTeam, paidPlans } from '../plans/price-terms';
import type { ChargedSend, SendCharge } from '../schema-plans';
import { type AuthorizationFailure, insertCharge } from '../store/plans/charge-authorizations';
import { findOpenApprovalsAt } from '../store/plans/price-approvals';
import { assignCharge, findOpenChargeOfTask, freeChargeKey, type TaskChargeRecord } from '../store/plans/task-charges';
import { feesOfPlans } from './charge-fees';
import { cancelCharge, settleCharge } from './settle-charges';

/**
 * Authorizes the charge of a send: holds the price, or the approved cap, in the buyer's wallet. Returns null if the send
 * costs nothing: the agent is free, the buyer is of its team, or the task was paid when it began. A repeated send, on any
 * wire, is authorized once.
 * @throws {ParleyError} `payment_required` with the amount and the page on which the user can approve it
 */
export async function authorizeCharge(request: ChargedSend): Promise<SendCharge | null> {
  const { agent, principal, continues } = request;
  if (paidPlans(agent).length === 0 || isOfTeam(agent, principal)) return null;
  const reason = cannotPay(principal);
  if (reason) throw paymentRequired(agent, reason);
  const { plans, test } = await plansFor(request);
  // One approval is in force, so a task is charged by the plans of its kind.
  const perMessage = plans.filter(({ kind }) => kind === 'message');
  if (continues && perMessage.length < plans.length) {
    const charge = await findOpenChargeOfTask(principal, request.taskId);
    if (charge) return toSendCharge(charge, request, false);
    if (perMessage.length === 0) return null;
  }
  const charged = await insert(request, { plans: continues ? perMessage : plans, test });
  if (typeof charged === 'string') throw paymentRequired(agent, principal.startsWith('pyr_') ? 'payer' : charged);
  return charged;
}

function cannotPay(principal: string): PaymentReason | null {
  if (principal.startsWith('usr_') || principal.startsWith('pyr_')) return null;
  return principal.startsWith('gst_') ? 'guest' : 'app';
}

/** The plans by which a send can be charged. */
interface Chargeable {
  plans: PricePlan[];
  test: boolean;
}

/**
 * Returns the agent's plans. For a caller without an account, the plan that was paid applies, in the currency as which
 * the asset counts, whatever the agent costs now.
 */
async function plansFor({ agent, principal }: ChargedSend): Promise<Chargeable> {
  if (!principal.startsWith('pyr_')) return { plans: paidPlans(agent), test: isTestMode() };
  const test = env().X402_TEST;
  const approvals = await findOpenApprovalsAt({ userId: principal, agentId: agent.id, test });
  return { plans: approvals.map(({ plan }) => ({ ...plan, currency: currencyOfAsset(plan.currency) })), test };
}

async function insert(request: ChargedSend, { plans, test }: Chargeable): Promise<SendCharge | AuthorizationFailure> {
  const { agent, principal, delegation, isByAgent, taskId, messageId, sendKey, now } = request;
  const id = newId('tch');
  const key = sendKey === null ? `${taskId} ${messageId}` : `${principal} ${agent.id} ${delegation ?? ''} ${sendKey}`;
  const found = await insertCharge({
    ...{
      id,
      transactionId: newId('ltx'),
      key,
      userId: principal,
      agentId: agent.id,
      taskId,
      messageId,
      test,
    },
    plans: await feesOfPlans(plans, now),
    isByAgent,
    at: now,
    checkAt: new Date(now.getTime() + CHARGE_CHECK_DELAY_MS),
  });
  return typeof found === 'string' ? found : toSendCharge(found, request, found.id === id);
}

/** What the send may do with its charge. `isNew` is false if an earlier send with the same key, or the task, was charged. */
function toSendCharge(charge: TaskChargeRecord, request: ChargedSend, isNew: boolean): SendCharge {
  return {
    taskId: charge.taskId,
    messageId: charge.messageId,
    isSettled: charge.state !== 'authorized',
    authorizeAgain: async () => {
      await freeChargeKey(charge.id);
      return authorizeCharge(request);
    },
    assign: (taskId) => assignCharge(charge, taskId),
    cancel: async () => {
      if (isNew) await cancelCharge(charge);
    },
    settle: (events) => settleCharge(charge, events),
  };
}

type PaymentReason = AuthorizationFailure | 'guest' | 'app' | 'payer';

/** The error of a send that is not paid: what it costs, and the one page on which the user can change that. */
function paymentRequired(agent: ChargedSend['agent'], reason: PaymentReason): ParleyError {
  const [plan] = paidPlans(agent);
  if (!plan) throw new Error(`agent ${agent.id} costs nothing`);
  const { currency, amount, kind, unit, per } = plan;
  const approveUrl =
    reason === 'wallet_too_low' ? `${env().APP_URL}/settings/payments` : `${env().APP_URL}/agents/${agent.slug}/pay`;
  const price = `${agent.name} costs ${toMoneyText({ currency, minor: amount })} ${perText(plan)}.`;
  const data = { cause: reason, amount, currency, kind, unit, per, approveUrl };
  return new ParleyError('payment_required', `${price} ${remedies[reason](approveUrl)}`, { data });
}

function perText({ kind, unit, per }: PricePlan): string {
  if (kind !== 'unit') return `per ${kind}`;
  return per === 1 ? `per ${unit}` : `per ${per} ${unit}`;
}

const remedies: Record<PaymentReason, (url: string) => string> = {
  not_approved: (url) => `Approve the price at ${url}, then send the message again.`,
  total_reached: (url) => `The approved total does not cover another one. Approve more at ${url}, then send again.`,
  wallet_too_low: (url) => `The wallet does not cover it. Top it up at ${url}, then send the message again.`,
  guest: (url) => `Visitors without an account cannot pay. Sign in and approve the price at ${url}.`,
  payer: (url) => `What was paid is used. Pay again by x402, or sign in and approve the price at ${url}.`,
  app: (url) => `An app cannot pay. Send with the token of a user who has approved the price at ${url}.`,
};
