import { getPublisher, setPublisher } from '../catalog';
import { publisherInputSchema } from '../catalog/schema-publishers';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/publishers/{handle}`: a publisher and their listings; open to all. */
export const getOnePublisher: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: ({ params }) => getPublisher({ input: { handle: params.handle ?? '' } }),
});

/** `PUT /api/publishers/own`: how one is shown. */
export const putOwnPublisher: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: publisherInputSchema,
  handle: setPublisher,
});
