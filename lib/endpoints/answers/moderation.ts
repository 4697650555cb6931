import { z } from 'zod';
import { caseStates, type OwnCase, reportReasons, targetKinds } from '../../moderation/schema';
import { time } from './common';

export const ownCase: z.ZodType<OwnCase> = z.object({
  id: z.string(),
  kind: z.enum(targetKinds),
  title: z.string(),
  state: z.enum(caseStates),
  reason: z.enum(reportReasons).nullable(),
  statement: z.string(),
  decidedAt: time.nullable(),
  appeal: z.object({ text: z.string(), at: time }).nullable(),
  mayAppeal: z.boolean().describe('Once'),
});
