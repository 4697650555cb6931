import type { Endpoint } from '../../http/endpoint';
import {
  deleteAccessToken,
  deleteConnection,
  deleteGrant,
  getAccessTokens,
  getConnections,
  getGrants,
  postAccessToken,
  putGrant,
} from './access-token-endpoints';
import {
  deleteAppSecret,
  deleteBlockedClient,
  getApps,
  getBlockedClients,
  postApp,
  postAppSecret,
  postBlockedClient,
  putRedirectUris,
} from './app-endpoints';
import {
  postAuthorization,
  postDevice,
  postDeviceCheck,
  postDeviceDecision,
  postRegistration,
} from './authorization-endpoints';
import { jwks, resourceMetadata, serverMetadata } from './oauth-metadata';
import { introspect, postAgentToken, postHandshake, postRevoke, postToken } from './token-endpoints';

export const tokensEndpoints: Endpoint[] = [
  postHandshake,
  postAgentToken,
  introspect,
  jwks,
  serverMetadata,
  resourceMetadata,
  getAccessTokens,
  postAccessToken,
  deleteAccessToken,
  getApps,
  postApp,
  putRedirectUris,
  postAppSecret,
  deleteAppSecret,
  postToken,
  postDevice,
  postDeviceCheck,
  postDeviceDecision,
  postRevoke,
  postRegistration,
  postAuthorization,
  getConnections,
  deleteConnection,
  getBlockedClients,
  postBlockedClient,
  deleteBlockedClient,
  getGrants,
  putGrant,
  deleteGrant,
];
