import { z } from 'zod';
import type { MemberRole } from '../catalog/schema';
import { type PricePlan, pricePlanSchema } from '../catalog/schema-prices';
import { assertionMember } from '../identity/schema-views';
import { time } from '../platform/schema';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import * as limits from './limits';
import { acceptanceSchema } from './schema-disputes';

/** Why a charge captured nothing, or less than the price. */
export const chargeReason = z.enum([
  'failed',
  'rejected',
  'canceled',
  'no_output',
  'no_units',
  'cap_reached',
  'not_started',
  'expired',
]);
export type ChargeReason = z.infer<typeof chargeReason>;

/** A user's approval of an agent's price plan. */
export const priceApprovalSchema = z.object({
  id: z.string(),
  agent: z.object({ slug: z.string(), name: z.string() }),
  plan: pricePlanSchema,
  test: z.boolean(),
  amount: minorUnits.describe('Held for each task or message, minor units; for units, the cap of a task'),
  total: minorUnits.describe('The most that all tasks and messages may cost together'),
  held: minorUnits,
  spent: minorUnits,
  left: minorUnits,
  agentsMayUse: z.boolean().describe('Whether agents that act for the user may use it'),
  createdAt: time,
  expiresAt: time,
  state: z
    .enum(['active', 'used_up', 'outdated', 'expired', 'ended'])
    .describe('outdated: the agent has changed its price; ended: revoked or replaced'),
});
export type PriceApprovalView = z.infer<typeof priceApprovalSchema>;

export const priceApprovalsSchema = z.object({ items: z.array(priceApprovalSchema) });
export type PriceApprovals = z.infer<typeof priceApprovalsSchema>;

const slug = z.string().max(limits.MAX_SLUG_LENGTH);

/** What a user is asked to approve at an agent. */
export const priceTermsSchema = z.object({
  agent: z.object({ slug: z.string(), name: z.string() }),
  plans: z.array(pricePlanSchema),
  approval: priceApprovalSchema.nullable().describe('The approval in force'),
  wallet: z.array(moneySchema).describe('What the wallet has'),
  test: z.boolean(),
  isFreeForYou: z.boolean().describe('Whether the user is of the agent’s team, which pays nothing'),
});
export type PriceTerms = z.infer<typeof priceTermsSchema>;

/** Body of `POST /api/price-approvals/review`, and the members of the approval. */
export const priceApprovalTermsSchema = z.strictObject({
  agent: slug,
  planId: z.string().max(limits.MAX_APPROVAL_ID_LENGTH),
  /** The cap of a task; required for a price per unit, and otherwise the price. */
  cap: z.int().min(1).max(limits.MAX_SPENDING_LIMIT).optional(),
  /** The most that all tasks and messages may cost together. */
  total: z.int().min(1).max(limits.MAX_SPENDING_LIMIT),
  days: z.int().min(1).max(limits.MAX_PRICE_APPROVAL_DAYS).default(limits.DEFAULT_PRICE_APPROVAL_DAYS),
  agentsMayUse: z.boolean().default(false),
});
export type PriceApprovalTerms = z.infer<typeof priceApprovalTermsSchema>;

/** Response of `POST /api/price-approvals/review`: the proof that the approval requires. */
export const priceReviewSchema = z.object({
  passkeyRequired: z.boolean().describe('Whether the total is above the amount that needs a passkey'),
  passkey: z.record(z.string(), z.unknown()).nullable().describe('PublicKeyCredentialRequestOptionsJSON (WebAuthn)'),
  signInAgain: z.boolean(),
});
export type PriceReview = z.infer<typeof priceReviewSchema>;

/** Body of `POST /api/price-approvals`. */
export const approvePriceSchema = priceApprovalTermsSchema.extend(assertionMember);
export type ApprovePrice = z.infer<typeof approvePriceSchema>;

/** A charge of a task or message, as its buyer sees it. */
export const taskChargeSchema = z.object({
  id: z.string(),
  agent: z.object({ slug: z.string(), name: z.string() }),
  taskId: z.string(),
  plan: pricePlanSchema,
  test: z.boolean(),
  authorized: moneySchema,
  captured: moneySchema,
  refunded: moneySchema.describe('The part of captured that was refunded to the wallet'),
  refunds: z.array(z.object({ id: z.string(), amount: minorUnits, reason: z.string(), at: time })),
  units: z.number().nullable().describe('The units that the agent reported'),
  state: z.enum(['authorized', 'captured', 'released']),
  reason: chargeReason.nullable().describe('Why nothing, or less than the price, was captured'),
  authorizedAt: time,
  settledAt: time.nullable(),
  acceptance: acceptanceSchema.nullable().describe('Null until it is captured, and without acceptance terms'),
});
export type TaskChargeView = z.infer<typeof taskChargeSchema>;

export const taskChargesSchema = z.object({
  items: z.array(taskChargeSchema),
  nextCursor: z.string().nullable(),
});
export type TaskCharges = z.infer<typeof taskChargesSchema>;

export const taskChargeFilterSchema = z.object({
  task: z.uuid().optional(),
  agent: slug.optional(),
  cursor: z.string().max(limits.MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(limits.MAX_PAGE_SIZE).default(limits.DEFAULT_PAGE_SIZE),
});
export type TaskChargeFilter = z.infer<typeof taskChargeFilterSchema>;

/** The agent of a send: its prices, and those who pay nothing. */
interface ChargedAgent {
  id: string;
  slug: string;
  name: string;
  ownerId: string;
  /** The members of its team by user id. */
  team: Record<string, MemberRole>;
  pricePlans: PricePlan[];
}

/** A send to an agent that may cost something. */
export interface ChargedSend {
  agent: ChargedAgent;
  principal: string;
  /** The delegation of an agent that acts for the principal; null for the principal's own send. */
  delegation: string | null;
  /** True if an agent wrote the message, rather than the user whose message a built-in agent forwards. */
  isByAgent: boolean;
  /** The task that the send creates or continues. */
  taskId: string;
  continues: boolean;
  messageId: string;
  /** Identifies a repeated send; null if every send is distinct. */
  sendKey: string | null;
  now: Date;
}

/** What a send costs: an amount that is held until the paid work ends. */
export interface SendCharge {
  taskId: string;
  /** The message that it pays; null if it pays the whole task. */
  messageId: string | null;
  /** True if an earlier send with the same key was charged, and its work has ended. */
  isSettled: boolean;
  /** Authorizes the send as a new one, if no earlier send with its key is stored. */
  authorizeAgain: () => Promise<SendCharge | null>;
  /** Names the task of this send, if the earlier send that was authorized did not store its own. */
  assign: (taskId: string) => Promise<void>;
  /** Releases the hold of a send that did not start a turn, unless an earlier send was authorized. */
  cancel: () => Promise<void>;
  /** Captures or releases the hold if the paid work has ended. With null, reads the stored events of the task. */
  settle: (events: TaskEvent[] | null) => void;
}

/** A send of a caller without an account to an agent that accepts payments by x402. */
export interface X402Send {
  agent: ChargedAgent;
  /** The payer who continues with the token of an earlier payment; empty for a new one. */
  principal: string;
  messageId: string;
  /** The hash of the request's method and parameters. */
  digest: string;
  /** The URL that was called. */
  url: string;
  /** `PAYMENT-SIGNATURE`; null without one. */
  payment: string | null;
  /** Why a payment is required, if it is not that none was sent. */
  reason?: string;
  /** The caller's address. */
  address: string;
  now: Date;
}

/** A send that is paid. */
export interface X402Admission {
  /** The principal of the payer, which owns the task. */
  principal: string;
  /** Identifies the send: the same payment always leads to the same task. */
  sendKey: string;
  /** `PAYMENT-RESPONSE`. */
  headers: Record<string, string>;
}
