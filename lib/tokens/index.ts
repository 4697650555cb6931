export {
  createAccessToken,
  exportTokens,
  listAccessTokens,
  revokeAccessToken,
  revokeAllTokens,
  revokeDeviceTokens,
  revokeUndoneToken,
} from './access-tokens/access-tokens';
export {
  describeCredential,
  isCallerActive,
  isCredentialActive,
  onCredentialChange,
} from './access-tokens/credentials';
export { findAccessTokenActor } from './access-tokens/verify-access-token';
export { handshake, issueGenericToken } from './agent-tokens/handshake';
export { introspectToken, signIntrospection } from './agent-tokens/introspect-token';
export { readSubject, subjectOf } from './agent-tokens/issue-token';
export { revokeToken } from './agent-tokens/revoke-token';
export { revokeTokenId } from './agent-tokens/revoked-tokens';
export { type AuthenticatedCaller, findCachedCaller, verifyAgentToken } from './agent-tokens/verify-agent-token';
export { mayCall, mayServe } from './authorization';
export { authorizeCallsByUrl, callerOf, findAgentToCall } from './delegation/call-as-user';
export { delegatedCaller } from './delegation/delegated-caller';
export { delegationKeyOf, delegationsOf } from './delegation/delegation';
export { exchangeToken } from './delegation/exchange-token';
export { upstreamTokenFor, upstreamTokenForTask } from './delegation/upstream-token';
export { findWorkerActor, issueWorkerToken } from './delegation/worker-token';
export { findKeyError, findSealedKeyError } from './keys/key-errors';
export { ensureSigningKeys, listSigningKeys, removeSigningKey, rotateKeys } from './keys/keys';
export { signCard } from './keys/sign-card';
export { signPush } from './keys/sign-push';
export { addAppSecret, createApp, listApps, ownsApp, removeAppSecret, setRedirectUris } from './oauth/apps';
export { authenticateClient, findActiveApp, findNamedClient, PROBE_CLIENT } from './oauth/authenticate-clients';
export { blockClient, listBlockedClients, unblockClient } from './oauth/clients/block-clients';
export { findOAuthClient } from './oauth/clients/find-oauth-client';
export { registerClient } from './oauth/clients/register-client';
export { checkRedirect } from './oauth/connections/check-redirect';
export {
  exportConnections,
  listConnections,
  revokeConnection,
  revokeConnectionsOfClient,
} from './oauth/connections/connections';
export { decideAuthorization } from './oauth/connections/decide-authorization';
export { findHostActor } from './oauth/connections/find-host-actor';
export { readAuthorization } from './oauth/connections/read-authorization';
export { redeemAuthorizationCode } from './oauth/connections/redeem-code';
export { refreshConnection } from './oauth/connections/refresh-connection';
export { checkDeviceCode, decideDeviceRequest, startDeviceSignIn } from './oauth/device-codes';
export { redeemDeviceCode, refreshAccessToken } from './oauth/device-tokens';
export {
  alwaysLetHire,
  hiringSetting,
  listGrants,
  listRecentAgents,
  removeGrant,
  setGrant,
  streamGrants,
} from './oauth/grants';
export { issueClientToken } from './oauth/issue-client-token';
export { describeAgent, describeApi, describeServer, listJwks } from './oauth/metadata';
export { findServeToken } from './oauth/serve-token';
export { DEVICE_LIMIT, INTROSPECTION_LIMIT, REVOCATION_LIMIT, TOKEN_LIMIT } from './rate-limits';
export { eraseCredentials } from './store/erase-credentials';
