import { z } from 'zod';
import { type Endpoint, endpoint } from '../http/endpoint';
import { jsonResponse } from '../http/respond';
import { lastValues } from '../http/routes/json-route';
import { time } from '../platform/schema';
import { appealCase, decideCases, getCase, getModerationActivity, getReceipt, listCases, reportTarget } from '.';
import {
  appealInputSchema,
  caseDetailSchema,
  caseStates,
  decisionInputSchema,
  decisionResultSchema,
  moderationActivitySchema,
  type OwnCase,
  queueQuerySchema,
  queueSchema,
  receiptSchema,
  reportInputSchema,
  reportReasons,
  targetKinds,
} from './schema';

const ownCase: z.ZodType<OwnCase> = z.object({
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

const forModerators = 'Only for moderators who signed in within the last 15 minutes; returns 404 for everyone else.';

const postReport = endpoint({
  method: 'POST',
  path: '/api/reports',
  auth: 'anyone',
  body: reportInputSchema,
  response: receiptSchema,
  status: 201,
  errors: ['not_found', 'unauthenticated', 'rate_limited'],
  docs: {
    tag: 'Moderation',
    summary: 'Report an agent, a review or a shared conversation',
    description: 'Illegal content can be reported without signing in. The ID of the report serves as its receipt.',
  },
  handle: async ({ ctx, input, address }) => {
    const receipt = await reportTarget({ ctx, input: { ...input, address } });
    return jsonResponse(receipt, { status: 201, headers: { location: `/api/reports/${receipt.id}` } });
  },
});

const getReport = endpoint({
  method: 'GET',
  path: '/api/reports/:id',
  auth: 'anyone',
  response: receiptSchema,
  errors: ['not_found'],
  docs: { tag: 'Moderation', summary: 'Get the outcome of a report' },
  handle: ({ params }) => getReceipt({ input: { id: params.id ?? '' } }),
});

const getCases = endpoint({
  method: 'GET',
  path: '/api/moderation/cases',
  auth: 'anyone',
  query: queueQuerySchema,
  readQuery: lastValues,
  response: queueSchema,
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Moderation', summary: 'Search cases by state', description: forModerators },
  handle: ({ ctx, query }) => listCases({ ctx, input: query }),
});

const getActivity = endpoint({
  method: 'GET',
  path: '/api/moderation/activity',
  auth: 'anyone',
  response: moderationActivitySchema,
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Moderation', summary: 'Read the figures of moderation', description: forModerators },
  handle: ({ ctx }) => getModerationActivity({ ctx }),
});

const getOneCase = endpoint({
  method: 'GET',
  path: '/api/moderation/cases/:id',
  auth: 'anyone',
  response: caseDetailSchema,
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Moderation', summary: 'Get a case', description: forModerators },
  handle: ({ ctx, params }) => getCase({ ctx, input: { id: params.id ?? '' } }),
});

const postDecisions = endpoint({
  method: 'POST',
  path: '/api/moderation/decisions',
  auth: 'anyone',
  body: decisionInputSchema,
  response: decisionResultSchema,
  errors: ['not_found', 'sign_in_again'],
  docs: { tag: 'Moderation', summary: 'Decide cases', description: forModerators },
  handle: decideCases,
});

const postAppeal = endpoint({
  method: 'POST',
  path: '/api/moderation/cases/:id/appeal',
  auth: 'session',
  body: appealInputSchema,
  response: ownCase,
  errors: ['not_found', 'conflict'],
  docs: { tag: 'Moderation', summary: 'Appeal a removal' },
  handle: ({ ctx, input, params }) => appealCase({ ctx, input: { ...input, caseId: params.id ?? '' } }),
});

export const moderationEndpoints: Endpoint[] = [
  postReport,
  getReport,
  getCases,
  getActivity,
  getOneCase,
  postDecisions,
  postAppeal,
];
