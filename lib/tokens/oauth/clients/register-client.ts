import { consume } from '../../../limits';
import type { Ctx } from '../../../platform/context';
import { networkOf } from '../../../platform/http-client/address';
import { type ClientMetadata, readClientMetadata } from '../../../protocol/oauth/client-metadata';
import { REGISTRATION_LIMIT } from '../../rate-limits';
import type { RegisteredClient } from '../../schema-oauth-clients';
import { toOAuthClient } from './oauth-client';
import { registeredClientIdOf } from './registered-client-id';

/**
 * Registers a public client (RFC 7591 §3). Parley chooses the authentication method `none`, regardless of the request.
 * @throws {OAuthError} `invalid_redirect_uri`, `invalid_client_metadata`
 * @throws {ParleyError} `rate_limited`, by network
 */
export async function registerClient({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { metadata: object; address: string };
}): Promise<RegisteredClient> {
  await consume(REGISTRATION_LIMIT, networkOf(input.address), ctx.now);
  const read = readClientMetadata(input.metadata);
  const { name } = toOAuthClient(read, { clientId: '', kind: 'registered', host: null });
  const metadata: ClientMetadata & { client_name: string } = { ...read, client_name: name };
  return {
    ...metadata,
    client_id: registeredClientIdOf(metadata),
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
