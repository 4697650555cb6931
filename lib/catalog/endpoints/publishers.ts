import { endpoint } from '../../http/endpoint';
import { getPublisher, setPublisher } from '..';
import { publisherInputSchema, publisherPageSchema, publisherProfileSchema } from '../schema-publishers';

export const getOnePublisher = endpoint({
  method: 'GET',
  path: '/api/publishers/:handle',
  auth: 'anyone',
  response: publisherPageSchema,
  errors: ['not_found'],
  docs: { tag: 'Agents', summary: 'Get a publisher and their listings' },
  handle: ({ params }) => getPublisher({ input: { handle: params.handle ?? '' } }),
});

export const putOwnPublisher = endpoint({
  method: 'PUT',
  path: '/api/publishers/own',
  auth: { scope: 'agents:write' },
  body: publisherInputSchema,
  response: publisherProfileSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Update your publisher profile' },
  handle: setPublisher,
});
