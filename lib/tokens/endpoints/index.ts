import type { Endpoint } from '../../http/endpoint';
import {
  deleteAccessToken,
  deleteGrant,
  getAccessTokens,
  getGrants,
  postAccessToken,
  putGrant,
} from './access-token-endpoints';
import { postAgentToken } from './agent-token';
import { deleteAppSecret, getApps, postApp, postAppSecret, putRedirectUris } from './app-endpoints';
import { postAuthorization } from './authorize-client';
import { deleteBlockedClient, getBlockedClients, postBlockedClient } from './blocked-client-endpoints';
import { deleteConnection, getConnections } from './connection-endpoints';
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
