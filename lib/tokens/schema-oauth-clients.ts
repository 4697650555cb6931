import { z } from 'zod';
import { time } from '../platform/schema';
import { clientMetadataSchema } from '../protocol/oauth/client-metadata';
import { MAX_BLOCK_REASON_LENGTH, MAX_CLIENT_ID_LENGTH } from './limits';

/** Response to a registration (RFC 7591 §3.2.1). There is no secret. */
export const registeredClientSchema = clientMetadataSchema.extend({
  client_id: z.string(),
  client_name: z.string(),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
});
export type RegisteredClient = z.infer<typeof registeredClientSchema>;

export const blockClientSchema = z.object({
  clientId: z.string().trim().min(1).max(MAX_CLIENT_ID_LENGTH),
  reason: z.string().trim().min(1).max(MAX_BLOCK_REASON_LENGTH),
});
export type BlockClient = z.infer<typeof blockClientSchema>;

/** A blocked OAuth client, for moderators. */
export const blockedClientViewSchema = z.object({
  id: z.string(),
  clientId: z.string(),
  kind: z.enum(['document', 'registered', 'app']),
  name: z.string().nullable().describe('The host of its metadata document, or the name that it registered'),
  reason: z.string(),
  createdAt: time,
});
export type BlockedClientView = z.infer<typeof blockedClientViewSchema>;
