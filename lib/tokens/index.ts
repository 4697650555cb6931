export {
  createAccessToken,
  exportTokens,
  listAccessTokens,
  revokeAccessToken,
  revokeAllTokens,
  revokeDeviceTokens,
  revokeUndoneToken,
} from './access-tokens';
export { addAppSecret, createApp, listApps, ownsApp, removeAppSecret, setRedirectUris } from './apps';
export { mayCall, mayServe } from './authorization';
export { authorizeCallsByUrl, callerOf, findAgentToCall } from './call-as-user';
export { authenticateClient, findActiveApp, findNamedClient, PROBE_CLIENT } from './clients';
export { checkRedirect } from './connections/check-redirect';
export {
  exportConnections,
  listConnections,
  revokeConnection,
  revokeConnectionsOfClient,
} from './connections/connections';
export { decideAuthorization } from './connections/decide-authorization';
export { findHostActor } from './connections/find-host-actor';
export { readAuthorization } from './connections/read-authorization';
export { redeemAuthorizationCode } from './connections/redeem-code';
export { refreshConnection } from './connections/refresh-connection';
export { describeCredential, isCallerActive, isCredentialActive, onCredentialChange } from './credentials';
export { delegatedCaller } from './delegated-caller';
export { delegationKeyOf, delegationsOf } from './delegation';
export { checkDeviceCode, decideDeviceRequest, startDeviceSignIn } from './device-codes';
export { redeemDeviceCode, refreshAccessToken } from './device-tokens';
export { exchangeToken } from './exchange-token';
export {
  alwaysLetHire,
  hiringSetting,
  listGrants,
  listRecentAgents,
  removeGrant,
  setGrant,
  streamGrants,
} from './grants';
export { handshake, issueGenericToken } from './handshake';
export { introspectToken, signIntrospection } from './introspect-token';
export { issueClientToken } from './issue-client-token';
export { readSubject, subjectOf } from './issue-token';
export { findKeyError, findSealedKeyError } from './key-errors';
export { ensureSigningKeys, listSigningKeys, removeSigningKey, rotateKeys } from './keys';
export { describeAgent, describeApi, describeServer, listJwks } from './metadata';
export { blockClient, listBlockedClients, unblockClient } from './oauth-clients/block-clients';
export { findOAuthClient } from './oauth-clients/find-oauth-client';
export { registerClient } from './oauth-clients/register-client';
export { DEVICE_LIMIT, INTROSPECTION_LIMIT, REVOCATION_LIMIT, TOKEN_LIMIT } from './rate-limits';
export { revokeToken } from './revoke-token';
export { revokeTokenId } from './revoked-tokens';
export { findServeToken } from './serve-token';
export { signCard } from './sign-card';
export { signPush } from './sign-push';
export { eraseCredentials } from './store/erase-credentials';
export { upstreamTokenFor, upstreamTokenForTask } from './upstream-token';
export { findAccessTokenActor } from './verify-access-token';
export { type AuthenticatedCaller, findCachedCaller, verifyAgentToken } from './verify-agent-token';
export { findWorkerActor, issueWorkerToken } from './worker-token';
