import { z } from 'zod';
import { agentName, pageOf, time } from '../platform/schema';
import { acceptanceTermsSchema, minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import * as limits from './limits';

/**
 * What is known of a buyer's answer: none yet, accepted by the buyer or by the time, the subject of a dispute that is
 * open or has ended with a result, or nothing to accept, because all was refunded.
 */
const acceptanceState = z.enum(['awaiting', 'accepted', 'accepted_by_itself', 'disputed', 'settled', 'refunded']);
export type AcceptanceState = z.infer<typeof acceptanceState>;

/** The acceptance of a sale that has terms, as its buyer, seller and moderators see it. */
export const acceptanceSchema = z.object({
  terms: acceptanceTermsSchema.describe('As the buyer approved them'),
  state: acceptanceState.describe('settled: an earlier dispute has ended with a result'),
  acceptBy: time.describe('When it is accepted by itself'),
  acceptedAt: time.nullable().describe('When it was accepted, by the buyer or by itself; null in other states'),
});
export type AcceptanceView = z.infer<typeof acceptanceSchema>;

const saleKind = z.enum(['order', 'charge']).describe('A cart that was paid, or work that was charged by a price plan');

const saleId = z.string().regex(/^\w{1,60}$/, 'expected the ID of an order or charge');

/** Body of `POST /api/acceptances`. */
export const acceptSaleSchema = z.strictObject({
  kind: saleKind,
  saleId,
});
export type AcceptSale = z.infer<typeof acceptSaleSchema>;

/** A result that awaits the answer of its buyer. */
export const awaitedResultSchema = z.object({
  kind: saleKind,
  saleId: z.string().describe('The id of the order or charge'),
  agent: agentName,
  paid: moneySchema,
  test: z.boolean().describe('Test credits; no real money is used'),
  acceptance: acceptanceSchema,
});
export type AwaitedResult = z.infer<typeof awaitedResultSchema>;

export const awaitedResultFilterSchema = z.object({
  cursor: z.string().max(limits.MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(limits.MAX_PAGE_SIZE).default(limits.DEFAULT_PAGE_SIZE),
});
export type AwaitedResultFilter = z.infer<typeof awaitedResultFilterSchema>;

/** Response of `GET /api/acceptances`: the next to be accepted by itself first. */
export const awaitedResultPageSchema = pageOf(awaitedResultSchema);
export type AwaitedResultPage = z.infer<typeof awaitedResultPageSchema>;

export const DISPUTE_REASONS = ['not_delivered', 'not_as_agreed', 'wrong_amount', 'other'] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/**
 * `open` waits for the seller, `answered` for an agreement, `review` for a moderator, `refunding` for the refund of an
 * order, and `failed` for a moderator, because that refund failed.
 */
export const DISPUTE_STATES = ['open', 'answered', 'review', 'refunding', 'failed', 'closed'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** How a dispute ended: the buyer withdrew it, the seller refunded, both agreed, or a moderator decided. */
const disputeOutcome = z.enum(['withdrawn', 'refunded', 'agreed', 'decided']);
export type DisputeOutcome = z.infer<typeof disputeOutcome>;

const party = z.enum(['buyer', 'seller']);
export type DisputeParty = z.infer<typeof party>;
const role = z.enum(['buyer', 'seller', 'moderator']);
export type DisputeRole = z.infer<typeof role>;

/** What a party may do, apart from the decision of a moderator. */
export const DISPUTE_ACTIONS = ['message', 'propose', 'accept', 'refund', 'withdraw', 'escalate'] as const;
export type DisputeAction = (typeof DISPUTE_ACTIONS)[number];

const entryKind = z.enum([
  'opened',
  'message',
  'proposed',
  'agreed',
  'refunded',
  'withdrawn',
  'escalated',
  'decided',
  'refund_paid',
  'refund_failed',
]);
export type EntryKind = z.infer<typeof entryKind>;

/** The events of a dispute that are emailed. */
export type DisputeEvent = 'opened' | 'message' | 'proposed' | 'escalated' | 'closed' | 'reminder';

/** A file, as base64. Its content must be of its type. */
const fileInput = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(limits.MAX_DISPUTE_FILE_NAME)
    .regex(/^[^\p{C}/\\]+$/u, 'expected a file name'),
  mediaType: z.enum(['image/png', 'image/jpeg', 'application/pdf', 'text/plain']),
  data: z
    .base64()
    .min(4)
    .max(Math.ceil(limits.MAX_DISPUTE_FILE_BYTES / 3) * 4),
});
export type DisputeFileInput = z.infer<typeof fileInput>;

const words = z.string().trim().max(limits.MAX_DISPUTE_TEXT);
const files = z.array(fileInput).max(limits.MAX_DISPUTE_FILES_PER_ENTRY).default([]);

/** Body of `POST /api/disputes`. */
export const openDisputeSchema = z.strictObject({
  kind: saleKind,
  saleId,
  reason: z.enum(DISPUTE_REASONS),
  wanted: z.int().min(1).describe('What you want back, minor units; at most what is not refunded yet'),
  text: words.min(1).describe('What is wrong. The seller and a moderator read it'),
  files,
});
export type OpenDispute = z.infer<typeof openDisputeSchema>;

/** Body of `POST /api/disputes/{id}/actions`. */
export const disputeActionSchema = z.strictObject({
  action: z
    .enum(DISPUTE_ACTIONS)
    .describe(
      '`message` and `propose` answer an open dispute. `accept` accepts the other party’s proposal. `refund` is the seller’s, for all that is wanted. `withdraw` is the buyer’s. `escalate` asks a moderator',
    ),
  text: words.default('').describe('Required for `message`'),
  amount: z.int().min(1).optional().describe('Of `propose`, and of the proposal that `accept` accepts'),
  files,
});
export type DisputeActionInput = z.infer<typeof disputeActionSchema>;

/** Body of `POST /api/disputes/{id}/decision`. */
export const disputeDecisionSchema = z.strictObject({
  amount: z.int().min(0).describe('What goes back to the buyer, minor units; at most what is wanted'),
  text: words.min(1).describe('The reasons. Both parties read them'),
});
export type DisputeDecision = z.infer<typeof disputeDecisionSchema>;

export const disputeFilterSchema = z.object({
  role: role.default('buyer').describe('`moderator` lists all disputes, only for moderators'),
  state: z.enum(['open', 'review', 'closed']).optional().describe('`review`: waits for a moderator'),
  cursor: z.string().max(limits.MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(limits.MAX_PAGE_SIZE).default(limits.DEFAULT_PAGE_SIZE),
});
export type DisputeFilter = z.infer<typeof disputeFilterSchema>;

const summary = {
  id: z.string(),
  role: role.describe('Of the caller'),
  kind: z.enum(['order', 'charge']),
  saleId: z.string(),
  agent: agentName,
  currency: z.string(),
  test: z.boolean().describe('Test credits; no real money is used'),
  reason: z.enum(DISPUTE_REASONS),
  wanted: minorUnits.describe('What the buyer wants back, minor units'),
  state: z
    .enum(DISPUTE_STATES)
    .describe(
      'open: the seller has to answer; answered: the parties may agree; review: a moderator decides; refunding: the refund is on its way; failed: the refund failed, and a moderator decides again',
    ),
  dueAt: time.nullable().describe('The deadline of the state'),
  outcome: disputeOutcome.nullable(),
  awarded: minorUnits.nullable().describe('What goes back to the buyer; null until it ends'),
  createdAt: time,
  closedAt: time.nullable(),
};

export const disputeSummarySchema = z.object(summary);
export type DisputeSummary = z.infer<typeof disputeSummarySchema>;

export const disputePageSchema = pageOf(disputeSummarySchema);
export type DisputePage = z.infer<typeof disputePageSchema>;

/** A dispute. The parties are shown by their roles; the buyer stays anonymous. */
export const disputeSchema = z.object({
  ...summary,
  paid: minorUnits.describe('What the buyer paid'),
  refunded: minorUnits.describe('The part of it that was refunded'),
  capturedAt: time,
  acceptance: acceptanceSchema.nullable().describe('What the buyer approved; null for a sale without acceptance terms'),
  proposal: z.object({ by: party, amount: minorUnits }).nullable(),
  actions: z.array(z.enum([...DISPUTE_ACTIONS, 'decide'])).describe('What the caller may do now'),
  entries: z
    .array(
      z.object({
        id: z.string(),
        author: z.enum(['buyer', 'seller', 'moderator', 'parley']),
        kind: entryKind,
        text: z.string(),
        amount: minorUnits.nullable(),
        at: time,
        files: z.array(z.object({ id: z.string(), name: z.string(), mediaType: z.string(), bytes: z.int() })),
      }),
    )
    .describe('Oldest first'),
});
export type DisputeView = z.infer<typeof disputeSchema>;

/** Response of `GET /api/disputes/{id}/evidence`: what Parley knows about the sale. */
export const disputeEvidenceSchema = z.object({
  receipt: z.string().nullable().describe('The signed receipt of an order, a JWT'),
  terms: acceptanceTermsSchema.nullable().describe('The acceptance terms that the buyer approved'),
  transcript: z
    .array(
      z.object({
        from: z.enum(['buyer', 'agent']),
        kind: z.enum(['message', 'status', 'artifact']),
        name: z.string().nullable().describe('Of an artifact'),
        state: z.string().nullable().describe('Of the task'),
        parts: z.array(
          z.object({
            text: z.string().nullable(),
            file: z.string().nullable().describe('The name of a file, or its type'),
          }),
        ),
      }),
    )
    .describe('The messages and artifacts of the task, oldest first; empty if they were deleted'),
  complete: z.boolean().describe('False if the end of a long transcript is left out'),
  sha256: z.string().describe('The SHA-256 of the transcript as JSON, in hexadecimal'),
});
export type DisputeEvidence = z.infer<typeof disputeEvidenceSchema>;
