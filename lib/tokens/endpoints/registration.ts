import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { registerClient } from '..';
import { registeredClientSchema } from '../schema-oauth-clients';

/** Dynamic client registration (RFC 7591 §3). */
export const postRegistration = endpoint({
  method: 'POST',
  path: '/oauth/register',
  auth: 'anyone',
  // The use case checks its members, because their errors have specific codes.
  body: z.looseObject({}),
  response: registeredClientSchema,
  status: 201,
  errorFormat: 'oauth',
  docs: {
    tag: 'Tokens',
    summary: 'Register a client (RFC 7591)',
    description:
      'For public clients of the authorization code flow. Nothing is stored: the client ID contains the metadata.',
  },
  handle: async ({ ctx, input, address }) =>
    jsonResponse(await registerClient({ ctx, input: { metadata: input, address } }), { status: 201 }),
});
