import {
  caseDetailSchema,
  decisionResultSchema,
  queueQuerySchema,
  queueSchema,
  receiptSchema,
} from '../../moderation/schema';
import { ownCase } from '../answers/moderation';
import { getCases, getOneCase, getReport, postAppeal, postDecisions, postReport } from '../moderation';
import type { Route } from '../route';

const part = 'Moderation';
const forModerators = 'For moderators who signed in within the last 15 minutes; for all others there is nothing here.';

export const moderationRoutes: Route[] = [
  {
    method: 'POST',
    path: '/api/reports',
    endpoint: postReport,
    docs: {
      tag: part,
      summary: 'Report an agent, a review or a shared conversation',
      description: 'Illegal content can be reported without signing in. The number of the report is its receipt.',
      response: receiptSchema,
      status: 201,
      problems: ['not_found', 'unauthenticated', 'rate_limited'],
    },
  },
  {
    method: 'GET',
    path: '/api/reports/:id',
    endpoint: getReport,
    docs: { tag: part, summary: 'See what came of a report', response: receiptSchema, problems: ['not_found'] },
  },
  {
    method: 'GET',
    path: '/api/moderation/cases',
    endpoint: getCases,
    docs: {
      tag: part,
      summary: 'List the cases of a state',
      description: forModerators,
      query: queueQuerySchema,
      response: queueSchema,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'GET',
    path: '/api/moderation/cases/:id',
    endpoint: getOneCase,
    docs: {
      tag: part,
      summary: 'Read a case',
      description: forModerators,
      response: caseDetailSchema,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'POST',
    path: '/api/moderation/decisions',
    endpoint: postDecisions,
    docs: {
      tag: part,
      summary: 'Decide about cases',
      description: forModerators,
      response: decisionResultSchema,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'POST',
    path: '/api/moderation/cases/:id/appeal',
    endpoint: postAppeal,
    docs: { tag: part, summary: 'Appeal against a removal', response: ownCase, problems: ['not_found', 'conflict'] },
  },
];
