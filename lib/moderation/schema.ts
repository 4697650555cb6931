import { z } from 'zod';
import { cleanText } from '../protocol/a2a/cards/clean-text';

/** What can be reported: an agent by its slug, a review by its id, a shared conversation by the token of its link. */
export const targetKinds = ['agent', 'review', 'share'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** Why something may be reported. That a review is negative, or an agent of no use, is no reason. */
export const reportReasons = [
  'illegal',
  'scam',
  'impersonation',
  'harmful',
  'abuse',
  'fake',
  'privacy',
  'spam',
  'copyright',
] as const;
export type ReportReason = (typeof reportReasons)[number];

/** The reasons that fit each kind, the gravest first. */
export const reasonsOf: Record<TargetKind, readonly ReportReason[]> = {
  agent: ['illegal', 'scam', 'impersonation', 'harmful', 'privacy', 'copyright', 'spam'],
  review: ['illegal', 'abuse', 'fake', 'privacy', 'spam'],
  share: ['illegal', 'abuse', 'privacy', 'copyright', 'spam'],
};

/** What somebody may report without signing in. */
export const anonymousReason: ReportReason = 'illegal';

/** Longest text of a report, a statement or an appeal, characters. */
export const MAX_STATEMENT = 3_000;
const text = z
  .string()
  .transform(cleanText)
  .pipe(z.string().max(MAX_STATEMENT, `expected at most ${MAX_STATEMENT} characters`));
const words = text.pipe(z.string().min(1, 'expected a few sentences'));

/** Body of `POST /api/reports`. */
export const reportInputSchema = z
  .strictObject({
    kind: z.enum(targetKinds),
    /** Slug of an agent, id of a review or of a shared conversation. */
    id: z.string().min(1).max(200),
    reason: z.enum(reportReasons),
    details: text.default(''),
  })
  .refine(({ kind, reason }) => reasonsOf[kind].includes(reason), {
    path: ['reason'],
    message: 'expected one of the reasons that fit what is reported',
  });
export type ReportInput = z.infer<typeof reportInputSchema>;

/**
 * Where a case stands: waiting for a moderator; closed without a step; the target taken down; the owner's appeal waiting; the
 * target back again; the appeal turned down.
 */
export const caseStates = ['open', 'dismissed', 'removed', 'appealed', 'restored', 'upheld'] as const;
export type CaseState = (typeof caseStates)[number];

export const decisions = ['dismiss', 'remove', 'restore', 'uphold'] as const;
export type Decision = (typeof decisions)[number];

/** Body of `POST /api/moderation/decisions`; one decision for up to 50 cases. */
export const decisionInputSchema = z
  .strictObject({
    ids: z.array(z.string().min(1).max(60)).min(1).max(50),
    decision: z.enum(decisions),
    /** Needed to remove. */
    reason: z.enum(reportReasons).optional(),
    /** What the owner is told beside the reason. */
    statement: text.default(''),
  })
  .refine(({ decision, reason }) => decision !== 'remove' || reason !== undefined, {
    path: ['reason'],
    message: 'expected the reason why it is removed',
  });
export type DecisionInput = z.infer<typeof decisionInputSchema>;

/** Body of `POST /api/moderation/cases/{id}/appeal`. */
export const appealInputSchema = z.strictObject({ text: words });

/** Query of `GET /api/moderation/cases`. */
export const queueQuerySchema = z.strictObject({
  state: z.enum(caseStates).default('open'),
  page: z.coerce.number().int().min(1).max(1_000).default(1),
});
export type QueueQuery = z.infer<typeof queueQuerySchema>;

const caseState = z.enum(caseStates);
const kind = z.enum(targetKinds);
const reason = z.enum(reportReasons);

/** `GET /api/reports/{id}`: what came of a report, for whoever has its number. Times are ISO 8601. */
export const receiptSchema = z.strictObject({
  id: z.string(),
  kind,
  title: z.string(),
  reason,
  createdAt: z.string(),
  state: caseState,
  decidedAt: z.string().nullable(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** One case in the moderators' queue. */
export const caseSummarySchema = z.strictObject({
  id: z.string(),
  kind,
  title: z.string(),
  /** The page where the target is, or was. */
  path: z.string().nullable(),
  state: caseState,
  openedAt: z.string(),
  reports: z.int(),
  /** The reasons given, the most frequent first. */
  reasons: z.array(reason),
  /** Earlier cases of the same owner that ended with a removal. */
  removedBefore: z.int(),
  /** The verified agent of somebody else that this one looks like. */
  looksLike: z.strictObject({ slug: z.string(), name: z.string() }).nullable(),
});
export type CaseSummary = z.infer<typeof caseSummarySchema>;

export const queueSchema = z.strictObject({
  items: z.array(caseSummarySchema),
  page: z.int(),
  pages: z.int(),
  /** How many cases wait in each state. */
  counts: z.record(caseState, z.int()),
});
export type Queue = z.infer<typeof queueSchema>;

/** What was reported, as it was at that moment. */
export const evidenceSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
export type Evidence = z.infer<typeof evidenceSchema>;

/** One case with everything a moderator needs to decide. */
export const caseDetailSchema = caseSummarySchema.extend({
  decided: z.strictObject({ reason: reason.nullable(), statement: z.string(), at: z.string() }).nullable(),
  appeal: z.strictObject({ text: z.string(), at: z.string() }).nullable(),
  reportList: z.array(
    z.strictObject({
      id: z.string(),
      reason,
      details: z.string(),
      signedIn: z.boolean(),
      evidence: evidenceSchema,
      createdAt: z.string(),
    }),
  ),
  steps: z.array(
    z.strictObject({ state: caseState, role: z.enum(['moderator', 'owner']), note: z.string(), at: z.string() }),
  ),
  /** Other cases of the same target. */
  earlier: z.array(z.strictObject({ id: z.string(), state: caseState, openedAt: z.string() })),
});
export type CaseDetail = z.infer<typeof caseDetailSchema>;

/** What came of each case of a decision: its new state, or why it was not decided. */
export const decisionResultSchema = z.strictObject({
  items: z.array(z.strictObject({ id: z.string(), state: caseState.nullable(), problem: z.string().nullable() })),
});
export type DecisionResult = z.infer<typeof decisionResultSchema>;

/** A case as whoever answers for its target sees it. */
export interface OwnCase {
  id: string;
  kind: TargetKind;
  title: string;
  state: CaseState;
  reason: ReportReason | null;
  statement: string;
  decidedAt: string | null;
  appeal: { text: string; at: string } | null;
  /** An appeal can be made, once. */
  mayAppeal: boolean;
}
