import { z } from 'zod';
import { time } from '../platform/schema';
import { MAX_CHECK_TEXT_LENGTH, MAX_NAMED_CHECKS } from './limits';

const text = z.string().trim().min(1).max(MAX_CHECK_TEXT_LENGTH).optional();
const names = z
  .array(z.string().regex(/^[a-z-]{1,30}(\.[a-z-]{1,30})?$/, 'expected a check such as messages.states, or a subject'))
  .max(MAX_NAMED_CHECKS)
  .optional();

/** Body of `POST /api/agents/{slug}/checks`. */
export const checkInputSchema = z.strictObject({
  texts: z
    .strictObject({ message: text, slow: text, question: text, answer: text, cart: text })
    .optional()
    .describe(
      'Messages with which to reach a cancellation, a question or a cart; by default, the examples of the card',
    ),
  only: names.describe('Checks or subjects to run, such as `card` or `messages.states`; all by default'),
  skip: names,
});
export type CheckInput = z.infer<typeof checkInputSchema>;

const findingSchema = z.object({
  found: z.string(),
  expected: z.string(),
  remedy: z.string(),
  where: z.string().optional().describe('The request in which it was found'),
});

const checkOutcomes = ['passed', 'failed', 'skipped'] as const;

const checkResultSchema = z.object({
  id: z.string(),
  title: z.string(),
  why: z.string().describe('What goes wrong for callers if the check fails'),
  outcome: z.enum(checkOutcomes),
  findings: z.array(findingSchema),
  reason: z.string().nullable().describe('Why the check was skipped'),
  docs: z.string().describe('Path of the documentation'),
});
export type CheckResultView = z.infer<typeof checkResultSchema>;

/** The results of the checks of an agent: the same as those of `parley test`. */
export const checkReportSchema = z.object({
  url: z.string(),
  agent: z.object({ name: z.string(), version: z.string() }).nullable(),
  ok: z.boolean(),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  startedAt: time,
  durationMs: z.number(),
  results: z.array(checkResultSchema),
});
export type CheckReportView = z.infer<typeof checkReportSchema>;
