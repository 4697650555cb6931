import { z } from 'zod';
import { MAX_CLIENT_METADATA_ITEMS, MAX_REDIRECT_URIS } from '../limits';
import { OAuthError } from './authorization-server';
import { redirectUriProblem } from './redirect-uri';

const items = z.array(z.string()).max(MAX_CLIENT_METADATA_ITEMS);

const documentSchema = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  grant_types: items.default(['authorization_code']),
  response_types: items.default(['code']),
});

/** The metadata of a public client that Parley uses (RFC 7591 §2). */
export const clientMetadataSchema = documentSchema.omit({ response_types: true });
export type ClientMetadata = z.infer<typeof clientMetadataSchema>;

const usedGrants = ['authorization_code', 'refresh_token'];

/**
 * Checks a client's metadata: redirect URIs as in {@link redirectUriProblem}, and the authorization code grant. Grants
 * that clients of users cannot use are omitted.
 * @throws {OAuthError} `invalid_redirect_uri`, `invalid_client_metadata` (RFC 7591 §3.2.2)
 */
export function readClientMetadata(value: unknown): ClientMetadata {
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success) throw faultOf(parsed.error);
  const { client_name, redirect_uris, grant_types, response_types } = parsed.data;
  for (const [index, uri] of redirect_uris.entries()) {
    const problem = redirectUriProblem(uri);
    if (problem) throw new OAuthError('invalid_redirect_uri', `redirect_uris/${index}: ${problem}`);
  }
  if (!grant_types.includes('authorization_code') || !response_types.includes('code')) {
    const text = 'grant_types must include authorization_code, and response_types must include code.';
    throw new OAuthError('invalid_client_metadata', text);
  }
  return {
    client_name,
    redirect_uris: [...new Set(redirect_uris)],
    grant_types: usedGrants.filter((grant) => grant_types.includes(grant)),
  };
}

function faultOf({ issues }: z.ZodError): OAuthError {
  const { path = [], message = '' } = issues[0] ?? {};
  const code = path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return new OAuthError(code, `${path.join('/') || 'The metadata'}: ${message}.`);
}
