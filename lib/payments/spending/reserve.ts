import { lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { toMoneyText } from '../../protocol/ap2/money';
import { isTestMode } from '../charges/stripe-mode';
import type { OrderRecord } from '../record';
import type { ReviewView } from '../schema-approvals';
import type { LimitChange } from '../schema-spending';
import { findLimits, findTimeZone, type SpendingKey, type StoredLimit } from '../store/limits-and-alerts';
import { findSubjectName } from '../store/spending-sums';
import { findOrigin, findUsage, type Origin, type Usage } from '../store/spending-usage';

/** A limit and its use. */
export interface LimitState extends Usage {
  amount: number;
}

interface Spending {
  /** An approval of a price has no task. */
  order: Pick<OrderRecord, 'userId' | 'agentId' | 'currency' | 'amount'> & { taskId: string | null };
  credentialId: string;
  now: Date;
}

/**
 * Requires that every limit permits the order. Returns the limits and the subjects to which the order counts.
 * Serializes the orders of a user until the transaction ends, so that concurrent orders on any nodes cannot jointly
 * exceed a limit.
 * @throws {ParleyError} `spending_limit_exceeded` with the limit that has the smallest remainder
 */
export async function reserveSpending(
  tx: Tx,
  { order, credentialId, now }: Spending,
): Promise<{ origin: Origin; limits: LimitState[] }> {
  await lockName(tx, `spending ${order.userId}`);
  const origin = await findOrigin(tx, { credentialId, userId: order.userId, taskId: order.taskId });
  const { limits, exceeded } = await findApplicable(tx, { order, origin, now });
  if (exceeded) throw await limitExceeded(tx, order, exceeded);
  return { origin, limits };
}

/**
 * Returns the limits that apply to an order before its approval, tightest first, and the refusal if the order exceeds
 * one of them.
 */
export async function previewSpending(tx: Tx, { order, credentialId, now }: Spending): Promise<ReviewView['spending']> {
  const origin = await findOrigin(tx, { credentialId, userId: order.userId, taskId: order.taskId });
  const { limits, exceeded } = await findApplicable(tx, { order, origin, now });
  const refusal = exceeded && (await limitExceeded(tx, order, exceeded));
  const views: ReviewView['spending']['limits'] = [];
  for (const limit of limits) {
    const { scope, period, amount, resetsAt } = limit;
    const name = (await findSubjectName(order.userId, limit, tx)) ?? '';
    views.push({ scope, name, period, amount, left: leftOf(limit), resetsAt: resetsAt?.toISOString() ?? null });
  }
  return { limits: views, exceeded: refusal?.message ?? null };
}

/**
 * Returns how much of a limit is left: all of it for a limit per order, whose `used` is 0. Returns 0 if the limit was
 * lowered below the amount already spent.
 */
export function leftOf({ amount, used }: Pick<LimitState, 'amount' | 'used'>): number {
  return Math.max(0, amount - used);
}

/** Returns the limits that apply to an order, tightest first, and the tightest one if the order exceeds it. */
async function findApplicable(
  tx: Tx,
  { order, origin, now }: { order: Spending['order']; origin: Origin; now: Date },
): Promise<{ limits: LimitState[]; exceeded: LimitState | null }> {
  const { userId, currency } = order;
  const limits = await findLimitStates({ userId, currency, subjects: subjectsOf(order, origin), now }, tx);
  const [tightest] = limits;
  return { limits, exceeded: tightest && order.amount > leftOf(tightest) ? tightest : null };
}

type Subject = Pick<SpendingKey, 'scope' | 'subject'>;

interface Limited {
  userId: string;
  currency: string;
  subjects: Subject[];
  now: Date;
}

/** Returns the limits of these subjects, explicit or by default, tightest first. */
export async function findLimitStates({ userId, currency, subjects, now }: Limited, tx?: Tx): Promise<LimitState[]> {
  const amounts = new Map<string, { key: SpendingKey; amount: number }>();
  const stored = await findLimits(userId, currency, tx);
  for (const { scope, subject } of subjects) {
    for (const period of periodsOf(scope)) {
      const key = { scope, subject, period };
      const own = stored.find((limit) => idOf(limit) === idOf(key));
      const amount = own ? own.amount : defaultLimit(key);
      if (amount !== null) amounts.set(idOf(key), { key, amount });
    }
  }
  const window = { userId, currency, test: isTestMode(), timeZone: (await findTimeZone(userId, tx)) ?? 'UTC', now };
  const keys = [...amounts.values()].map(({ key }) => key);
  const usage = await findUsage(window, keys, tx);
  return usage
    .flatMap((used) => {
      const limit = amounts.get(idOf(used));
      return limit ? [{ ...used, amount: limit.amount }] : [];
    })
    .sort((a, b) => leftOf(a) - leftOf(b));
}

function subjectsOf({ agentId }: Spending['order'], origin: Origin): Subject[] {
  const { credentialId, connectionId, rootTaskId } = origin;
  return [
    ...subjectsAt(agentId),
    ...(credentialId.startsWith('pat_') ? [{ scope: 'token' as const, subject: credentialId }] : []),
    ...(connectionId ? [{ scope: 'connection' as const, subject: connectionId }] : []),
    ...(rootTaskId ? [{ scope: 'chain' as const, subject: rootTaskId }] : []),
  ];
}

/** Returns the subjects to which every order at an agent counts. */
export function subjectsAt(agentId: string): Subject[] {
  return [
    { scope: 'account', subject: '' },
    { scope: 'agent', subject: agentId },
  ];
}

async function limitExceeded(tx: Tx, order: Spending['order'], limit: LimitState): Promise<ParleyError> {
  const { userId, currency } = order;
  const { scope, subject, period, amount, used, resetsAt } = limit;
  const name = (await findSubjectName(userId, limit, tx)) ?? '';
  const manageUrl = `${env().APP_URL}/settings/payments#limits`;
  const money = (minor: number): string => toMoneyText({ currency, minor });
  const remaining =
    period === 'order'
      ? `This order costs ${money(order.amount)}.`
      : `${money(leftOf(limit))} is left, and this order costs ${money(order.amount)}.`;
  const reset = resetsAt ? ` It resets at ${resetsAt.toISOString()}.` : '';
  return new ParleyError(
    'spending_limit_exceeded',
    `The spending limit ${describeScope(scope, name)} is ${money(amount)} ${periodTexts[period]}. ${remaining}${reset} Change it at ${manageUrl}.`,
    {
      data: {
        limit: { scope, subject, name, period, currency, amount },
        used,
        left: leftOf(limit),
        resetsAt: resetsAt?.toISOString() ?? null,
        manageUrl,
      },
    },
  );
}

/** The periods as they appear in sentences of errors and emails. */
const periodTexts: Record<SpendingKey['period'], string> = {
  order: 'per order',
  day: 'per day',
  month: 'per month',
  total: 'in total',
};

function describeScope(scope: SpendingKey['scope'], name: string): string {
  if (scope === 'account') return 'for your account';
  if (scope === 'chain') return 'for this task and the agents hired for it';
  const kinds = { agent: 'for the agent', token: 'for the access token', connection: 'for the app' };
  return `${kinds[scope]} "${name}"`;
}

/** Limits that apply until the user sets others, minor units of each currency. Sessions have none. */
const defaults: Partial<Record<SpendingKey['scope'], Partial<Record<SpendingKey['period'], number>>>> = {
  token: { order: 5_000, day: 10_000, month: 50_000 },
  connection: { order: 5_000, day: 10_000, month: 50_000 },
  chain: { total: 5_000 },
};

/** Returns the default amount of a limit, minor units; null if there is no default. */
export function defaultLimit({ scope, period }: Omit<SpendingKey, 'subject'>): number | null {
  return defaults[scope]?.[period] ?? null;
}

/** Returns the id of a limit of one user and currency. */
export function idOf({ scope, subject, period }: SpendingKey): string {
  return `${scope} ${subject} ${period}`;
}

/** Returns the periods that a limit of the scope can have. */
export function periodsOf(scope: SpendingKey['scope']): SpendingKey['period'][] {
  return scope === 'chain' ? ['order', 'total'] : ['order', 'day', 'month'];
}

/** Returns false if the change can only make the spending limit stricter; otherwise true. */
export function isRaise(known: StoredLimit[], change: LimitChange): boolean {
  const stored = findSame(known, change);
  const before = stored ? stored.amount : defaultLimit(change);
  const after = change.amount === 'default' ? defaultLimit(change) : change.amount;
  return before !== null && (after === null || after > before);
}

/** Returns the stored limit that a change concerns; undefined while the default applies. */
export function findSame(known: StoredLimit[], change: LimitChange): StoredLimit | undefined {
  return known.find((own) => own.currency === change.currency && idOf(own) === idOf(change));
}

/**
 * Returns false if the change can only make stricter the amount above which a payment requires a passkey; otherwise
 * true.
 */
export function isThresholdRaise(known: number | null, passkeyAbove: number | null): boolean {
  return known !== null && (passkeyAbove === null || passkeyAbove > known);
}
