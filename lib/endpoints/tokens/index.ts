import type { Endpoint } from '../endpoint';
import { deleteAccessToken, deleteGrant, getAccessTokens, getGrants, postAccessToken, putGrant } from './access-tokens';
import { postAgentToken } from './agent-token';
import { deleteAppSecret, getApps, postApp, postAppSecret } from './apps';
import { postAuthorization } from './authorization';
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
  getGrants,
  putGrant,
  deleteGrant,
];
