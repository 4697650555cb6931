import { setTimeout as sleep } from 'node:timers/promises';
import { confirm, isCancel } from '@clack/prompts';
import { ParleyError } from '@parley/agent';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';
import { formatMoney, type Money, readMoney } from './money.js';
import { cartLines, getOrder, type Order, orderPath, orderUrl, payerStateOf } from './orders.js';
import type { Session } from './session.js';
import { plainLine } from './terminal.js';

export interface PayOptions {
  /** Pays without confirmation, up to `maxAmount`. */
  yes?: boolean;
  maxAmount?: string;
  method?: string;
}

/** The used members of `POST /api/orders/{id}/review`. */
interface Review {
  order: Order;
  payee: { name: string };
  approvalId: string;
  approval: { amount: number; currency: string };
  methods: { method: string; test: boolean; enough: boolean }[];
  passkeyRequired: boolean;
}

type Way = Review['methods'][number];

const POLL_MS = 500;
/** Maximum time to wait for the merchant; the payment continues without this program. */
const TIMEOUT_MS = 60_000;

/** @throws {Failure} for `--yes` without a limit, or an invalid limit */
export function readLimit({ yes, maxAmount }: PayOptions): Money | null {
  if (yes && maxAmount === undefined) {
    throw new Failure(
      EXIT.usage,
      '--yes pays without asking, so it requires a limit.',
      'Add --max-amount, such as --max-amount 20.00EUR.',
    );
  }
  return maxAmount === undefined ? null : readMoney(maxAmount);
}

/**
 * Shows the amount, asks for confirmation, approves the payment, and waits for the result.
 * @throws {Failure} if the order is not paid; {ParleyError} if Parley refuses
 */
export async function payOrder(session: Session, orderId: string, options: PayOptions): Promise<Order> {
  const limit = readLimit(options);
  const review = await session.call<Review>(orderPath(orderId, 'review'), { body: {} });
  const total = { currency: review.approval.currency, minor: review.approval.amount };
  checkLimit(total, limit);
  if (review.passkeyRequired) throw needsBrowser(session, review.order);
  const way = wayOf(review, options.method);
  for (const line of cartLines(review.order)) session.terminal.say(line);
  await askFor(session, { total, payee: review.payee.name, way, yes: options.yes === true });
  const body = { approvalId: review.approvalId, amount: total.minor, currency: total.currency, method: way.method };
  const order = await approve(session, { id: orderId, body, key: review.approvalId });
  return settle(session, order);
}

function checkLimit(total: Money, limit: Money | null): void {
  if (limit === null || (limit.currency === total.currency && total.minor <= limit.minor)) return;
  throw new Failure(
    EXIT.notPaid,
    `The cart total is ${formatMoney(total)}; expected at most ${formatMoney(limit)}. Nothing was paid.`,
  );
}

function wayOf({ methods }: Review, wanted: string | undefined): Way {
  const way = methods.find(({ method, enough }) => enough && (wanted === undefined || method === wanted));
  if (way) return way;
  throw new Failure(
    EXIT.notPaid,
    wanted === undefined
      ? 'None of your payment methods covers this cart.'
      : `This cart cannot be paid by ${plainLine(wanted)}.`,
    'See your balance with: parley wallet',
  );
}

interface Question {
  total: Money;
  payee: string;
  way: Way;
  yes: boolean;
}

/** @throws {Failure} unless the user confirms this amount or has confirmed it in advance */
async function askFor({ terminal, signal }: Session, { total, payee, way, yes }: Question): Promise<void> {
  const from = way.test ? `${way.method}, test credits` : way.method;
  const message = `Pay ${formatMoney(total)} to ${plainLine(payee)} (${from})`;
  if (yes) {
    terminal.say(`${message}.`);
    return;
  }
  if (!terminal.isInteractive) {
    throw new Failure(
      EXIT.usage,
      'The payment needs your confirmation, but there is no terminal.',
      'In scripts, add --yes with --max-amount, such as --yes --max-amount 20.00EUR.',
    );
  }
  const agreed = await confirm({ message: `${message}?`, initialValue: false, output: process.stderr, signal });
  if (isCancel(agreed)) throw new Failure(EXIT.interrupted, 'Nothing was paid.');
  if (!agreed) throw new Failure(EXIT.notPaid, 'Nothing was paid.');
}

interface Approval {
  id: string;
  body: object;
  /** Idempotency key of the approval. */
  key: string;
}

async function approve(session: Session, { id, body, key }: Approval): Promise<Order> {
  const call = { body, headers: { 'idempotency-key': key } };
  try {
    return await session.call<Order>(orderPath(id, 'approve'), call);
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== 'unreachable') throw error;
    // The outcome is unknown: a retry with the same key is counted once.
    return session.call<Order>(orderPath(id, 'approve'), call);
  }
}

/** Polls the order until the payment has succeeded or failed. */
async function settle(session: Session, approved: Order): Promise<Order> {
  let order = approved;
  for (const end = Date.now() + TIMEOUT_MS; payerStateOf(order) === 'moving' && Date.now() < end; ) {
    await sleep(POLL_MS, undefined, { signal: session.signal });
    order = await getOrder(session, order.id);
  }
  const state = payerStateOf(order);
  if (state === 'paid' || state === 'moving') return order;
  if (state === 'elsewhere') {
    throw new Failure(
      EXIT.inputRequired,
      'Complete the payment in your browser.',
      `Open ${plainLine(order.redirectUrl ?? orderUrl(session, order))}`,
    );
  }
  throw new Failure(EXIT.notPaid, `Not paid. ${plainLine(order.reason ?? order.code ?? order.state)}`);
}

function needsBrowser(session: Session, order: Order): Failure {
  return new Failure(
    EXIT.inputRequired,
    'This payment is above your payment limit, so it requires your passkey.',
    `Approve it in your browser: ${orderUrl(session, order)}`,
  );
}

/** Prints the payment's result in one line, or the order itself with `--json`. */
export function printPayment(session: Session, order: Order, json: boolean | undefined): void {
  const { terminal } = session;
  if (json) {
    terminal.print(JSON.stringify({ order }));
    return;
  }
  const total = order.offer ? formatMoney(order.offer.total) : '';
  const payee = plainLine(order.offer?.merchantName ?? order.agent.name);
  if (payerStateOf(order) === 'paid') terminal.print(`Paid ${total} to ${payee}. Receipt: ${orderUrl(session, order)}`);
  else
    terminal.print(`Approved ${total} to ${payee}. Waiting for the merchant to confirm: ${orderUrl(session, order)}`);
}
