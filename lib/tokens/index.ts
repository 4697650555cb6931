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
export { introspectToken, revokeToken, signIntrospection } from './agent-tokens/introspect-and-revoke';
export { readSubject, subjectOf } from './agent-tokens/issue-token';
export { revokeTokenId } from './agent-tokens/revoked-tokens';
export { type AuthenticatedCaller, findCachedCaller, verifyAgentToken } from './agent-tokens/verify-agent-token';
export { mayCall, mayServe } from './authorization';
export { authorizeCallsByUrl, callerOf, findAgentToCall } from './delegation/call-as-user';
export { delegatedCaller, exchangeToken } from './delegation/delegate';
export { delegationKeyOf, delegationsOf } from './delegation/delegation';
export { upstreamTokenFor, upstreamTokenForTask } from './delegation/upstream-token';
export { findWorkerActor, issueWorkerToken } from './delegation/worker-token';
export {
  ensureSigningKeys,
  findKeyError,
  findSealedKeyError,
  listSigningKeys,
  removeSigningKey,
  rotateKeys,
} from './keys/keys';
export { signCard, signPush } from './keys/sign-documents';
export { addAppSecret, createApp, listApps, ownsApp, removeAppSecret, setRedirectUris } from './oauth/apps';
export { authenticateClient, findActiveApp, findNamedClient, PROBE_CLIENT } from './oauth/authenticate-clients';
export { findServeToken, issueClientToken } from './oauth/client-tokens';
export { blockClient, listBlockedClients, unblockClient } from './oauth/clients/block-clients';
export { findOAuthClient } from './oauth/clients/find-oauth-client';
export { registerClient } from './oauth/clients/oauth-client';
export { redeemAuthorizationCode, refreshConnection } from './oauth/connections/connection-tokens';
export {
  exportConnections,
  findHostActor,
  listConnections,
  revokeConnection,
  revokeConnectionsOfClient,
} from './oauth/connections/connections';
export { decideAuthorization, readAuthorization } from './oauth/connections/decide-authorization';
export { checkRedirect } from './oauth/connections/read-target';
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
export { describeAgent, describeApi, describeServer, listJwks } from './oauth/metadata';
export { DEVICE_LIMIT, INTROSPECTION_LIMIT, REVOCATION_LIMIT, TOKEN_LIMIT } from './rate-limits';
export { eraseCredentials } from './store/client-rows';
