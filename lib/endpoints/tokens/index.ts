import type { Endpoint } from '../endpoint';
import { deleteAccessToken, deleteGrant, getAccessTokens, getGrants, postAccessToken, putGrant } from './access-tokens';
import { postAgentToken } from './agent-token';
import { deleteAppSecret, getApps, postApp, postAppSecret, putRedirectUris } from './apps';
import { postAuthorization } from './authorization';
import { deleteBlockedClient, getBlockedClients, postBlockedClient } from './blocked-clients';
import { deleteConnection, getConnections } from './connections';
import { postDevice, postDeviceCheck, postDeviceDecision } from './device';
import { introspect, postRevoke } from './introspection';
import { jwks, resourceMetadata, serverMetadata } from './oauth-metadata';
import { postRegistration } from './registration';
import { postHandshake, postToken } from './token';

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
