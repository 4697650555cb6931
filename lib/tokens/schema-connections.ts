import { z } from 'zod';
import { time } from '../platform/schema';
import { CONNECTION_SCOPES, type ConnectionScope } from '../platform/scopes';

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
  /** True if all redirect URIs of the client lead to the user's own computer, where other programs can use them. */
  isLoopbackOnly: boolean;
  scopes: ConnectionScope[];
  resource: string;
  resourceName: string;
  /** True if the app receives a refresh token, so that it stays connected for `days`; otherwise for an hour. */
  offline: boolean;
  days: number;
}

/** The next step of an authorization request. */
export type AuthorizationStep =
  /** Client or redirect URI are not proven: shown to the user, never sent to the URI (RFC 6749 §4.1.2.1). */
  | { kind: 'refused'; message: string }
  /** An error or a code for the client. */
  | { kind: 'redirect'; url: string }
  | { kind: 'sign-in' }
  | { kind: 'ask'; view: AuthorizationView };
