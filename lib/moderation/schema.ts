import { z } from 'zod';
import { cleanText } from '../protocol/a2a/cards/clean-text';
import {
  MAX_CASE_ID_LENGTH,
  MAX_CASE_PAGE,
  MAX_CASE_SEARCH_LENGTH,
  MAX_DECIDED_CASES,
  MAX_STATEMENT_LENGTH,
  MAX_TARGET_ID_LENGTH,
} from './limits';

/**
 * The targets of reports: an agent by its slug, a review or an example conversation by its id, or a shared conversation
 * by the token of its link.
 */
export const targetKinds = ['agent', 'review', 'share', 'example'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** The reasons for a report. A negative review or a useless agent is not a reason. */
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

/** The reasons for each kind of target, most severe first. */
export const reasonsOf: Record<TargetKind, readonly ReportReason[]> = {
  agent: ['illegal', 'scam', 'impersonation', 'harmful', 'privacy', 'copyright', 'spam'],
  review: ['illegal', 'abuse', 'fake', 'privacy', 'spam'],
  share: ['illegal', 'abuse', 'privacy', 'copyright', 'spam'],
  example: ['illegal', 'abuse', 'fake', 'privacy', 'copyright', 'spam'],
};

/** The only reason that needs no session. */
export const anonymousReason: ReportReason = 'illegal';

const text = z
  .string()
  .transform(cleanText)
  .pipe(z.string().max(MAX_STATEMENT_LENGTH, `expected at most ${MAX_STATEMENT_LENGTH} characters`));
const nonEmptyText = text.pipe(z.string().min(1, 'expected a few sentences'));

/** Body of `POST /api/reports`. */
export const reportInputSchema = z
  .strictObject({
    kind: z.enum(targetKinds),
    /** Slug of an agent, id of a review or an example, or token of a shared link. */
    id: z.string().min(1).max(MAX_TARGET_ID_LENGTH),
    reason: z.enum(reportReasons),
    details: text.default(''),
  })
  .refine(({ kind, reason }) => reasonsOf[kind].includes(reason), {
    path: ['reason'],
    message: 'expected a reason that applies to this kind of content',
  });
export type ReportInput = z.infer<typeof reportInputSchema>;

/**
 * `open`: awaits a decision. `dismissed`: closed without action. `removed`: the target is removed. `appealed`: the
 * owner's appeal awaits a decision. `restored`: the target is public again. `upheld`: the appeal was rejected.
 */
export const caseStates = ['open', 'dismissed', 'removed', 'appealed', 'restored', 'upheld'] as const;
export type CaseState = (typeof caseStates)[number];

export const decisions = ['dismiss', 'remove', 'restore', 'uphold'] as const;
export type Decision = (typeof decisions)[number];

/** Body of `POST /api/moderation/decisions`: one decision for several cases. */
export const decisionInputSchema = z
  .strictObject({
    ids: z.array(z.string().min(1).max(MAX_CASE_ID_LENGTH)).min(1).max(MAX_DECIDED_CASES),
    decision: z.enum(decisions),
    /** Required for `remove`. */
    reason: z.enum(reportReasons).optional(),
    /** Text for the owner, in addition to the reason. */
    statement: text.default(''),
  })
  .refine(({ decision, reason }) => decision !== 'remove' || reason !== undefined, {
    path: ['reason'],
    message: 'expected the reason for the removal',
  });
export type DecisionInput = z.infer<typeof decisionInputSchema>;

/** Body of `POST /api/moderation/cases/{id}/appeal`. */
export const appealInputSchema = z.strictObject({ text: nonEmptyText });

/** Query of `GET /api/moderation/cases`. */
export const queueQuerySchema = z.strictObject({
  state: z.enum(caseStates).default('open'),
  kind: z.enum(targetKinds).optional(),
  /** The reason of at least one report. */
  reason: z.enum(reportReasons).optional(),
  /** Text of the title or of a report, or the id of the case or of a report. */
  q: z
    .string()
    .transform(cleanText)
    .pipe(z.string().max(MAX_CASE_SEARCH_LENGTH, `expected at most ${MAX_CASE_SEARCH_LENGTH} characters`))
    .default(''),
  page: z.coerce.number().int().min(1).max(MAX_CASE_PAGE).default(1),
});
export type QueueQuery = z.infer<typeof queueQuerySchema>;

const caseState = z.enum(caseStates);
const kind = z.enum(targetKinds);
const reason = z.enum(reportReasons);

/** Response of `GET /api/reports/{id}`, for any caller that has the report id. Times are ISO 8601. */
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

/** A case in the moderation queue. */
export const caseSummarySchema = z.strictObject({
  id: z.string(),
  kind,
  title: z.string(),
  /** Path of the target's page. */
  path: z.string().nullable(),
  state: caseState,
  openedAt: z.string(),
  reports: z.int(),
  /** The reasons of the reports, most frequent first. */
  reasons: z.array(reason),
  /** Number of other cases of the same owner whose removal is in effect. */
  removedBefore: z.int(),
  /** Another owner's verified agent that this one resembles. */
  looksLike: z.strictObject({ slug: z.string(), name: z.string() }).nullable(),
});
export type CaseSummary = z.infer<typeof caseSummarySchema>;

export const queueSchema = z.strictObject({
  items: z.array(caseSummarySchema),
  page: z.int(),
  pages: z.int(),
  /** Number of cases in each state that match the other filters. */
  counts: z.record(caseState, z.int()),
});
export type Queue = z.infer<typeof queueSchema>;

/** The content of the target when it was reported. */
export const evidenceSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
export type Evidence = z.infer<typeof evidenceSchema>;

/** A case with all data that a moderator needs to decide. */
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

/** The result for each case: its new state, or why it was not decided. */
export const decisionResultSchema = z.strictObject({
  items: z.array(z.strictObject({ id: z.string(), state: caseState.nullable(), problem: z.string().nullable() })),
});
export type DecisionResult = z.infer<typeof decisionResultSchema>;

const count = z.int();

/** Response of `GET /api/moderation/activity`. Weeks start on Monday 00:00 UTC; times are ISO 8601. */
export const moderationActivitySchema = z.strictObject({
  waiting: z.strictObject({
    open: count,
    /** The number of cases open for less than a day, and for less than a week. */
    openDay: count,
    openWeek: count,
    oldestOpenAt: z.string().nullable(),
    appealed: count,
    oldestAppealAt: z.string().nullable(),
  }),
  weeks: z.array(
    z.strictObject({
      week: z.string().describe('Its Monday, such as 2026-11-23'),
      reports: count,
      dismissed: count,
      removed: count,
      restored: count,
      upheld: count,
      appeals: count,
      medianHours: z.number().nullable(),
    }),
  ),
  /** The median time from the first report to the decision to keep or remove, over all weeks. */
  medianHours: z.number().nullable(),
  /** The cases opened in these weeks, by the reasons in their reports and by outcome. */
  reasons: z.array(z.strictObject({ reason, open: count, dismissed: count, removed: count, restored: count })),
  latest: z.array(
    z.strictObject({
      caseId: z.string(),
      kind,
      title: z.string(),
      state: caseState,
      reason: reason.nullable(),
      at: z.string(),
    }),
  ),
});
export type ModerationActivity = z.infer<typeof moderationActivitySchema>;

/** A case for the target's owner. */
export interface OwnCase {
  id: string;
  kind: TargetKind;
  title: string;
  state: CaseState;
  reason: ReportReason | null;
  statement: string;
  decidedAt: string | null;
  appeal: { text: string; at: string } | null;
  /** True if the owner can appeal. */
  mayAppeal: boolean;
}
