import { z } from 'zod';
import { time } from '../platform/schema';
import { CONNECTION_SCOPES, type ConnectionScope } from '../platform/scopes';
import { clientMetadataSchema } from '../protocol/oauth/client-metadata';
import { MAX_BLOCK_REASON_LENGTH, MAX_CLIENT_ID_LENGTH } from './limits';

/** The verification of a client's identity: by the host of its metadata document, as an app of a user, or none. */
const verification = z.enum(['document', 'app', 'none']);

/** A connected app, for its user. */
export const connectionViewSchema = z.object({
  id: z.string(),
  clientId: z.string(),
  clientName: z.string().describe('Chosen by the app'),
  clientHost: z.string().nullable().describe('The host that publishes the app’s metadata'),
  verified: verification,
  resource: z.string(),
  resourceName: z.string(),
  scopes: z.array(z.enum(CONNECTION_SCOPES)),
  createdAt: time,
  lastUsedAt: time.nullable(),
});
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/** An authorization request, for the user who decides. */
export interface AuthorizationView {
  clientName: string;
  clientId: string;
  clientHost: string | null;
  /** The target to which the browser returns: a host, "an app on this computer", or a scheme. */
  returnsTo: string;
  /** The redirect URI as a source of a Content Security Policy: its origin, or its scheme with a colon. */
  redirectOrigin: string;
  verified: z.infer<typeof verification>;
  /** True if all redirect URIs of the client refer to the user's own computer, where other programs can use them. */
  isLoopbackOnly: boolean;
  scopes: ConnectionScope[];
  resource: string;
  resourceName: string;
  /**
   * True if the app receives a refresh token and stays connected for `days`. Otherwise it stays connected for an hour.
   */
  offline: boolean;
  days: number;
}

/** The next step of an authorization request. */
export type AuthorizationStep =
  /**
   * The client or redirect URI is not proven. The message is shown to the user and never sent to the URI (RFC 6749
   * §4.1.2.1).
   */
  | { kind: 'refused'; message: string }
  /** The client receives an error or a code. */
  | { kind: 'redirect'; url: string }
  | { kind: 'sign-in' }
  | { kind: 'ask'; view: AuthorizationView };

/** Response to a registration (RFC 7591 §3.2.1). It contains no secret. */
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
