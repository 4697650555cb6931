import { z } from 'zod';
import { clientMetadataSchema } from '../protocol/oauth/client-metadata';

/** Response to a registration (RFC 7591 §3.2.1). There is no secret. */
export const registeredClientSchema = clientMetadataSchema.extend({
  client_id: z.string(),
  client_name: z.string(),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
});
export type RegisteredClient = z.infer<typeof registeredClientSchema>;
