import { deleteAccessToken, getAccessTokens, postAccessToken } from '../access-tokens';
import { deleteAppSecret, postAppSecret } from '../app-secrets';
import { getApps, postApp } from '../apps';
import { postDevice, postDeviceCheck, postDeviceDecision } from '../device';
import { deleteGrant, getGrants, putGrant } from '../grants';
import { postHandshake } from '../handshake';
import { introspect } from '../introspect';
import { jwks } from '../jwks';
import { resourceMetadata, serverMetadata } from '../oauth-metadata';
import { postRevoke } from '../revoke';
import type { Row } from '../row';
import { postToken } from '../token';

export const tokensRows: Row[] = [
  { method: 'POST', path: '/api/auth/handshake', endpoint: postHandshake },
  { method: 'POST', path: '/api/auth/introspect', endpoint: introspect },
  { method: 'GET', path: '/.well-known/jwks.json', endpoint: jwks },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', endpoint: serverMetadata },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/agents/:slug', endpoint: resourceMetadata },
  { method: 'GET', path: '/api/auth/access-tokens', endpoint: getAccessTokens },
  { method: 'POST', path: '/api/auth/access-tokens', endpoint: postAccessToken },
  { method: 'DELETE', path: '/api/auth/access-tokens/:id', endpoint: deleteAccessToken },
  { method: 'GET', path: '/api/apps', endpoint: getApps },
  { method: 'POST', path: '/api/apps', endpoint: postApp },
  { method: 'POST', path: '/api/apps/:id/secrets', endpoint: postAppSecret },
  { method: 'DELETE', path: '/api/apps/:id/secrets/:secretId', endpoint: deleteAppSecret },
  { method: 'POST', path: '/api/auth/token', endpoint: postToken },
  { method: 'POST', path: '/api/auth/device', endpoint: postDevice },
  { method: 'POST', path: '/api/auth/device/check', endpoint: postDeviceCheck },
  { method: 'POST', path: '/api/auth/device/decide', endpoint: postDeviceDecision },
  { method: 'POST', path: '/api/auth/revoke', endpoint: postRevoke },
  { method: 'GET', path: '/api/grants', endpoint: getGrants },
  { method: 'PUT', path: '/api/grants/:slug', endpoint: putGrant },
  { method: 'DELETE', path: '/api/grants/:slug', endpoint: deleteGrant },
];
