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
import type { Row } from '../row';
import { postToken } from '../token';

export const tokensRows: Row[] = [
  {
    method: 'POST',
    path: '/api/auth/handshake',
    endpoint: postHandshake,
    about: {
      part: 'Tokens',
      summary: 'Get a token for one agent',
      answer: handshakeAnswer,
      problems: ['invalid_target', 'invalid_dpop_proof'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/introspect',
    endpoint: introspect,
    about: { part: 'Tokens', summary: 'Ask whose token it is (RFC 7662)', answer: introspection },
  },
  { method: 'GET', path: '/.well-known/jwks.json', endpoint: jwks },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', endpoint: serverMetadata },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/agents/:slug', endpoint: resourceMetadata },
  {
    method: 'GET',
    path: '/api/auth/access-tokens',
    endpoint: getAccessTokens,
    about: { part: 'Tokens', summary: 'List your access tokens and devices', answer: listOf(accessTokenView) },
  },
  {
    method: 'POST',
    path: '/api/auth/access-tokens',
    endpoint: postAccessToken,
    about: {
      part: 'Tokens',
      summary: 'Make an access token',
      more: 'The token is shown this once.',
      answer: newAccessToken,
      status: 201,
      problems: ['conflict', 'sign_in_again'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/auth/access-tokens/:id',
    endpoint: deleteAccessToken,
    about: { part: 'Tokens', summary: 'Revoke an access token' },
  },
  {
    method: 'GET',
    path: '/api/apps',
    endpoint: getApps,
    about: { part: 'Apps', summary: 'List your apps', answer: listOf(appView) },
  },
  {
    method: 'POST',
    path: '/api/apps',
    endpoint: postApp,
    about: {
      part: 'Apps',
      summary: 'Make an app',
      more: 'The secret is shown this once.',
      answer: newClientSecret,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'POST',
    path: '/api/apps/:id/secrets',
    endpoint: postAppSecret,
    about: {
      part: 'Apps',
      summary: 'Add a secret, or rotate',
      answer: newClientSecret,
      status: 201,
      problems: ['conflict'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/apps/:id/secrets/:secretId',
    endpoint: deleteAppSecret,
    about: { part: 'Apps', summary: 'Remove a secret' },
  },
  {
    method: 'POST',
    path: '/api/auth/token',
    endpoint: postToken,
    about: {
      part: 'Tokens',
      summary: 'Exchange a grant for a token',
      more: 'Grants: device code, refresh token, client credentials, token exchange. By bearer and without a grant: a token for no agent in particular, that says who you are.',
      answer: tokenResponse,
    },
  },
  {
    method: 'POST',
    path: '/api/auth/device',
    endpoint: postDevice,
    about: { part: 'Tokens', summary: 'Begin to sign a device in (RFC 8628)', answer: deviceAuthorization },
  },
  {
    method: 'POST',
    path: '/api/auth/device/check',
    endpoint: postDeviceCheck,
    about: {
      part: 'Tokens',
      summary: 'Tell what a device asks for',
      answer: deviceRequestView,
      problems: ['not_found'],
    },
  },
  {
    method: 'POST',
    path: '/api/auth/device/decide',
    endpoint: postDeviceDecision,
    about: { part: 'Tokens', summary: 'Let a device in, or turn it away', problems: ['not_found', 'sign_in_again'] },
  },
  {
    method: 'POST',
    path: '/api/auth/revoke',
    endpoint: postRevoke,
    about: { part: 'Tokens', summary: 'Revoke a token (RFC 7009)', status: 200 },
  },
  {
    method: 'GET',
    path: '/api/grants',
    endpoint: getGrants,
    about: { part: 'Tokens', summary: 'List what agents may see and do', answer: listOf(grantView) },
  },
  {
    method: 'PUT',
    path: '/api/grants/:slug',
    endpoint: putGrant,
    about: { part: 'Tokens', summary: 'Set what an agent may see and do', answer: grantView },
  },
  {
    method: 'DELETE',
    path: '/api/grants/:slug',
    endpoint: deleteGrant,
    about: { part: 'Tokens', summary: 'Disconnect an agent' },
  },
];
