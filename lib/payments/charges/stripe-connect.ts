import type Stripe from 'stripe';
import { STRIPE_PAGE_SIZE } from '../limits';
import { stripe, translateErrors } from './stripe-client';

/** A connected account that receives transfers (Accounts v2, configuration `recipient`). */
export interface ConnectedAccount {
  id: string;
  live: boolean;
  /** True if it can receive transfers and send payouts to a bank. */
  enabled: boolean;
  /** Stripe's names of the details that its owner has to provide. */
  requirements: string[];
}

/**
 * Creates a connected account, once per key within 30 days. The platform collects the fees and is liable for negative
 * balances, as separate charges and transfers require. Payouts are manual: Parley decides when money leaves.
 * @throws {StripeRejectedError}
 */
export async function createConnectedAccount({
  key,
  reference,
  email,
}: {
  key: string;
  reference: string;
  email: string;
}): Promise<string> {
  const params: Stripe.V2.Core.AccountCreateParams = {
    contact_email: email,
    dashboard: 'express',
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
    metadata: { seller_account_id: reference },
  };
  const { id } = await translateErrors(stripe().v2.core.accounts.create(params, { idempotencyKey: key }));
  await translateErrors(
    stripe().balanceSettings.update(
      { payments: { payouts: { schedule: { interval: 'manual' } } } },
      { stripeAccount: id, idempotencyKey: `${key}:schedule` },
    ),
  );
  return id;
}

/** Retrieves a connected account. */
export async function getConnectedAccount(id: string): Promise<ConnectedAccount> {
  const include = ['configuration.recipient' as const, 'requirements' as const];
  const account = await stripe().v2.core.accounts.retrieve(id, { include });
  const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
  const due = (account.requirements?.entries ?? []).filter(
    ({ awaiting_action_from: from, minimum_deadline: deadline }) =>
      from === 'user' && deadline.status !== 'eventually_due',
  );
  const isActive = balance?.stripe_transfers?.status === 'active';
  return {
    id: account.id,
    live: account.livemode,
    enabled: isActive && (balance.payouts?.status ?? 'active') === 'active',
    requirements: due.map(({ description }) => description),
  };
}

/** Creates the URL of a page where the owner provides missing details: for one visit, within minutes. Never stored. */
export async function createOnboardingLink(accountId: string, returnUrl: string): Promise<string> {
  const pages = {
    collection_options: { fields: 'eventually_due' as const },
    refresh_url: `${returnUrl}?onboarding=again`,
    return_url: `${returnUrl}?onboarding=done`,
  };
  const { url } = await translateErrors(
    stripe().v2.core.accountLinks.create({
      account: accountId,
      use_case: { type: 'account_onboarding', account_onboarding: pages },
    }),
  );
  return url;
}

/** Money for one payout. Amounts are minor units. */
export interface BankTransfer {
  /** The payout's id, by which its objects are found again after Stripe has deleted the idempotency key. */
  payoutId: string;
  accountId: string;
  amount: number;
  currency: string;
}

/**
 * Transfers money from the platform to a connected account, once per payout. The platform's available balance must
 * cover it: the money of a payout comes from many charges, so it has no `source_transaction`.
 * @throws {StripeRejectedError} `balance_insufficient` if the balance does not cover it now
 */
export async function transferToAccount(transfer: BankTransfer, attempt: number): Promise<string> {
  const { payoutId, accountId, amount, currency } = transfer;
  for await (const existing of stripe().transfers.list({ transfer_group: payoutId, limit: STRIPE_PAGE_SIZE })) {
    if (existing.metadata.payout_id === payoutId) return existing.id;
  }
  const params = {
    amount,
    currency: currency.toLowerCase(),
    destination: accountId,
    transfer_group: payoutId,
    metadata: { payout_id: payoutId },
  };
  const options = { idempotencyKey: `payout:${payoutId}:transfer:${attempt}` };
  return (await translateErrors(stripe().transfers.create(params, options))).id;
}

/** A payout from a connected account to its bank. */
export interface BankPayout {
  id: string;
  status: 'open' | 'paid' | 'failed';
  arrivesAt: Date;
  /** Stripe's code and words of a failure. */
  code: string | null;
  reason: string | null;
}

/**
 * Sends the transferred money to the bank of the connected account, once per payout.
 * @throws {StripeRejectedError}
 */
export async function sendToBank(transfer: BankTransfer, since: Date): Promise<BankPayout> {
  const { payoutId, accountId: stripeAccount, amount, currency } = transfer;
  // The clock of Stripe may differ.
  const created = { gte: Math.floor(since.getTime() / 1_000) - 3_600 };
  for await (const existing of stripe().payouts.list({ created, limit: STRIPE_PAGE_SIZE }, { stripeAccount })) {
    if (existing.metadata?.payout_id === payoutId) return toBankPayout(existing);
  }
  const params = { amount, currency: currency.toLowerCase(), metadata: { payout_id: payoutId } };
  const options = { stripeAccount, idempotencyKey: `payout:${payoutId}:send` };
  return toBankPayout(await translateErrors(stripe().payouts.create(params, options)));
}

/** Retrieves a payout of a connected account. */
export async function getBankPayout(id: string, stripeAccount: string): Promise<BankPayout> {
  return toBankPayout(await stripe().payouts.retrieve(id, {}, { stripeAccount }));
}

/**
 * Reverses the whole transfer of a payout that failed, once.
 * @throws {StripeRejectedError} if the balance of the connected account does not cover it
 */
export async function reverseTransfer(transferId: string, payoutId: string): Promise<string> {
  const [existing] = (await stripe().transfers.listReversals(transferId, { limit: STRIPE_PAGE_SIZE })).data;
  if (existing) return existing.id;
  const metadata = { payout_id: payoutId };
  const options = { idempotencyKey: `payout:${payoutId}:return` };
  return (await translateErrors(stripe().transfers.createReversal(transferId, { metadata }, options))).id;
}

function toBankPayout({ id, status, arrival_date: arrival, ...failure }: Stripe.Payout): BankPayout {
  return {
    id,
    status: status === 'paid' ? 'paid' : status === 'failed' || status === 'canceled' ? 'failed' : 'open',
    arrivesAt: new Date(arrival * 1_000),
    code: status === 'canceled' ? 'canceled' : failure.failure_code,
    reason: failure.failure_message,
  };
}
