import {
  caseDetailSchema,
  decisionResultSchema,
  queueQuerySchema,
  queueSchema,
  receiptSchema,
} from '../../moderation/schema';
import { ownCase } from '../answers/moderation';
import { getCases, getOneCase, getReport, postAppeal, postDecisions, postReport } from '../moderation';
import type { Row } from '../row';

const part = 'Moderation';
const forModerators = 'For moderators who signed in within the last 15 minutes; for all others there is nothing here.';

export const moderationRows: Row[] = [
  {
    method: 'POST',
    path: '/api/reports',
    endpoint: postReport,
    about: {
      part,
      summary: 'Report an agent, a review or a shared conversation',
      more: 'Illegal content can be reported without signing in. The number of the report is its receipt.',
      answer: receiptSchema,
      status: 201,
      problems: ['not_found', 'unauthenticated', 'rate_limited'],
    },
  },
  {
    method: 'GET',
    path: '/api/reports/:id',
    endpoint: getReport,
    about: { part, summary: 'See what came of a report', answer: receiptSchema, problems: ['not_found'] },
  },
  {
    method: 'GET',
    path: '/api/moderation/cases',
    endpoint: getCases,
    about: {
      part,
      summary: 'List the cases of a state',
      more: forModerators,
      query: queueQuerySchema,
      answer: queueSchema,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'GET',
    path: '/api/moderation/cases/:id',
    endpoint: getOneCase,
    about: {
      part,
      summary: 'Read a case',
      more: forModerators,
      answer: caseDetailSchema,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'POST',
    path: '/api/moderation/decisions',
    endpoint: postDecisions,
    about: {
      part,
      summary: 'Decide about cases',
      more: forModerators,
      answer: decisionResultSchema,
      problems: ['not_found', 'sign_in_again'],
    },
  },
  {
    method: 'POST',
    path: '/api/moderation/cases/:id/appeal',
    endpoint: postAppeal,
    about: { part, summary: 'Appeal against a removal', answer: ownCase, problems: ['not_found', 'conflict'] },
  },
];
