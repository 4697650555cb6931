import { endpoint } from '../../http/endpoint';
import { acceptSale, listAwaitedResults } from '..';
import {
  acceptanceSchema,
  acceptSaleSchema,
  awaitedResultFilterSchema,
  awaitedResultPageSchema,
} from '../schema-disputes';

export const getAcceptances = endpoint({
  method: 'GET',
  path: '/api/acceptances',
  auth: { scope: 'pay' },
  query: awaitedResultFilterSchema,
  response: awaitedResultPageSchema,
  docs: {
    tag: 'Payments',
    summary: 'List the results that await your answer',
    description: 'What you paid with acceptance terms, and have neither accepted nor disputed; the next end first.',
  },
  handle: ({ ctx, query }) => listAwaitedResults({ ctx, input: query }),
});

export const postAcceptance = endpoint({
  method: 'POST',
  path: '/api/acceptances',
  auth: { scope: 'pay' },
  body: acceptSaleSchema,
  response: acceptanceSchema,
  errors: ['not_found', 'conflict'],
  docs: {
    tag: 'Payments',
    summary: 'Accept a result',
    description:
      'The seller’s money is then no longer held for it. Repeating the call changes nothing. If the result is not as agreed, dispute the sale instead.',
  },
  handle: ({ ctx, input }) => acceptSale({ ctx, input }),
});
