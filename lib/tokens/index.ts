export {
  createAccessToken,
  exportTokens,
  listAccessTokens,
  revokeAccessToken,
  revokeUndoneToken,
} from './access-tokens/access-tokens';
export { findAccessTokenActor } from './access-tokens/find-access-token';
export { introspectToken, revokeToken, signIntrospection } from './agent-tokens/introspect-and-revoke';
export { handshake, issueGenericToken, issueToken, readSubject, subjectOf } from './agent-tokens/issue-token';
export { type AuthenticatedCaller, findCachedCaller, verifyAgentToken } from './agent-tokens/verify-agent-token';
export { mayCall, mayServe } from './authorization';
export { authenticateClient, findActiveApp, findNamedClient, PROBE_CLIENT } from './credentials/authenticate-clients';
export {
  describeCredential,
  findActiveCredential,
  isCallerActive,
  onCredentialChange,
} from './credentials/credentials';
export {
  alwaysLetHire,
  delegationKeyOf,
  delegationsOf,
  findDelegation,
  hiringSetting,
  listGrants,
  listRecentAgents,
  removeGrant,
  setGrant,
  streamGrants,
} from './credentials/grants';
export { revokeTokenId } from './credentials/revoked-tokens';
export { authorizeCallsByUrl, callerOf, findAgentToCall } from './delegation/call-as-user';
export { delegatedCaller, exchangeToken } from './delegation/delegate';
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
export { blockClient, listBlockedClients, unblockClient } from './oauth/block-clients';
export { findServeToken, issueClientToken } from './oauth/client-tokens';
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
export { checkRedirect } from './oauth/connections/read-request';
export { checkDeviceCode, decideDeviceRequest, startDeviceSignIn } from './oauth/device-codes';
export { redeemDeviceCode, refreshAccessToken, revokeAllTokens, revokeDeviceTokens } from './oauth/device-tokens';
export { describeAgent, describeApi, describeServer, listJwks } from './oauth/metadata';
export { DEVICE_LIMIT, INTROSPECTION_LIMIT, REVOCATION_LIMIT, TOKEN_LIMIT } from './rate-limits';
export { eraseCredentials } from './store/client-rows';
