import { deleteAccessToken, getAccessTokens, postAccessToken } from '../access-tokens';
import { listOf } from '../answers/common';
import {
  accessTokenView,
  appView,
  deviceAuthorization,
  deviceRequestView,
  grantView,
  handshakeAnswer,
  introspection,
  newAccessToken,
  newClientSecret,
  tokenResponse,
} from '../answers/tokens';
import { deleteAppSecret, postAppSecret } from '../app-secrets';
import { getApps, postApp } from '../apps';
import { postDevice, postDeviceCheck, postDeviceDecision } from '../device';
import { deleteGrant, getGrants, putGrant } from '../grants';
import { postHandshake } from '../handshake';
import { introspect } from '../introspect';
import { jwks } from '../jwks';
import { resourceMetadata, serverMetadata } from '../oauth-metadata';
import { postRevoke } from '../revoke';
import type { Route } from '../route';
import { postToken } from '../token';

export const tokensRoutes: Route[] = [
  {
    method: 'POST',
    path: '/api/auth/handshake',
    endpoint: postHandshake,
    docs: {
      tag: 'Tokens',
      summary: 'Get a token for one agent',
      response: handshakeAnswer,
      problems: ['invalid_target', 'invalid_dpop_proof'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/introspect',
    endpoint: introspect,
    docs: { tag: 'Tokens', summary: 'Ask whose token it is (RFC 7662)', response: introspection },
  },
  { method: 'GET', path: '/.well-known/jwks.json', endpoint: jwks },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', endpoint: serverMetadata },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/agents/:slug', endpoint: resourceMetadata },
  {
    method: 'GET',
    path: '/api/auth/access-tokens',
    endpoint: getAccessTokens,
    docs: { tag: 'Tokens', summary: 'List your access tokens and devices', response: listOf(accessTokenView) },
  },
  {
    method: 'POST',
    path: '/api/auth/access-tokens',
    endpoint: postAccessToken,
    docs: {
      tag: 'Tokens',
      summary: 'Make an access token',
      description: 'The token is shown this once.',
      response: newAccessToken,
      status: 201,
      problems: ['conflict', 'sign_in_again'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/auth/access-tokens/:id',
    endpoint: deleteAccessToken,
    docs: { tag: 'Tokens', summary: 'Revoke an access token' },
  },
  {
    method: 'GET',
    path: '/api/apps',
    endpoint: getApps,
    docs: { tag: 'Apps', summary: 'List your apps', response: listOf(appView) },
  },
  {
    method: 'POST',
    path: '/api/apps',
    endpoint: postApp,
    docs: {
      tag: 'Apps',
      summary: 'Make an app',
      description: 'The secret is shown this once.',
      response: newClientSecret,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'POST',
    path: '/api/apps/:id/secrets',
    endpoint: postAppSecret,
    docs: {
      tag: 'Apps',
      summary: 'Add a secret, or rotate',
      response: newClientSecret,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/apps/:id/secrets/:secretId',
    endpoint: deleteAppSecret,
    docs: { tag: 'Apps', summary: 'Remove a secret' },
  },
  {
    method: 'POST',
    path: '/api/auth/token',
    endpoint: postToken,
    docs: {
      tag: 'Tokens',
      summary: 'Exchange a grant for a token',
      description:
        'Grants: device code, refresh token, client credentials, token exchange. By bearer and without a grant: a token for no agent in particular, that says who you are.',
      response: tokenResponse,
    },
  },
  {
    method: 'POST',
    path: '/api/auth/device',
    endpoint: postDevice,
    docs: { tag: 'Tokens', summary: 'Begin to sign a device in (RFC 8628)', response: deviceAuthorization },
  },
  {
    method: 'POST',
    path: '/api/auth/device/check',
    endpoint: postDeviceCheck,
    docs: {
      tag: 'Tokens',
      summary: 'Tell what a device asks for',
      response: deviceRequestView,
      problems: ['not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/device/decide',
    endpoint: postDeviceDecision,
    docs: { tag: 'Tokens', summary: 'Let a device in, or turn it away', problems: ['not_found', 'sign_in_again'] },
  },
  {
    method: 'POST',
    path: '/api/auth/revoke',
    endpoint: postRevoke,
    docs: { tag: 'Tokens', summary: 'Revoke a token (RFC 7009)', status: 200 },
  },
  {
    method: 'GET',
    path: '/api/grants',
    endpoint: getGrants,
    docs: { tag: 'Tokens', summary: 'List what agents may see and do', response: listOf(grantView) },
  },
  {
    method: 'PUT',
    path: '/api/grants/:slug',
    endpoint: putGrant,
    docs: { tag: 'Tokens', summary: 'Set what an agent may see and do', response: grantView },
  },
  {
    method: 'DELETE',
    path: '/api/grants/:slug',
    endpoint: deleteGrant,
    docs: { tag: 'Tokens', summary: 'Disconnect an agent' },
  },
];
