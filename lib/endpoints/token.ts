import type { Endpoint } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { dpopProofOf, mediaTypeOf, readFormText, requestIdOf } from '../http/request';
import { resourceOf } from '../http/resource';
import { jsonRoute } from '../http/routes/json-route';
import { type OAuthCall, oauthRoute } from '../http/routes/oauth-route';
import { GRANT_TYPES } from '../protocol/oauth/grant-types';
import { OAuthError } from '../protocol/oauth/oauth-error';
import type { TokenResponse } from '../protocol/oauth/token-response';
import {
  exchangeToken,
  issueClientToken,
  issueGenericToken,
  redeemDeviceCode,
  refreshAccessToken,
  TOKEN_LIMIT,
} from '../tokens';

const parameters = [
  'grant_type',
  'scope',
  'resource',
  'audience',
  'device_code',
  'refresh_token',
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'actor_token',
] as const;
type TokenCall = OAuthCall<(typeof parameters)[number]>;

/** `POST /api/auth/token`: the grants of RFC 6749, 8628 and 8693; by bearer and without a grant, Web42's generic token. */
export const postToken: Endpoint = async (request, context) => {
  if (!/^Bearer /i.test(request.headers.get('authorization') ?? '')) return grantToken(request, context);
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return genericToken(request, context);
  // Which of the two it is stands in the body, which can be read once: whoever answers gets a request that holds it whole.
  try {
    const form = await readFormText(request);
    const { url, method, headers, signal } = request;
    const bufferedRequest = new Request(url, { method, headers, signal, body: form });
    return new URLSearchParams(form).has('grant_type')
      ? grantToken(bufferedRequest, context)
      : genericToken(bufferedRequest, context);
  } catch (error) {
    return renderProblem(error, requestIdOf(request), resourceOf(request));
  }
};

const genericToken = jsonRoute({ auth: { scope: 'handshake' }, handle: issueGenericToken });

const grantToken = oauthRoute({ parameters, clients: 'all', limit: TOKEN_LIMIT, handle: handleGrant });

/** @throws {OAuthError} */
async function handleGrant({ ctx, form, request }: TokenCall): Promise<TokenResponse> {
  const { scope, resource, audience } = form;
  const proof = dpopProofOf(request);
  switch (form.grant_type) {
    case GRANT_TYPES.deviceCode:
      rejectProof(proof);
      return redeemDeviceCode({ ctx, input: { deviceCode: requireParameter(form, 'device_code') } });
    case GRANT_TYPES.refreshToken:
      rejectProof(proof);
      return refreshAccessToken({ ctx, input: { refreshToken: requireParameter(form, 'refresh_token'), scope } });
    case GRANT_TYPES.clientCredentials:
      return issueClientToken({ ctx, input: { scope, resource, audience, proof } });
    case GRANT_TYPES.tokenExchange:
      return exchangeToken({ ctx, input: { ...readExchange(form), proof } });
    default: {
      requireParameter(form, 'grant_type');
      throw new OAuthError('unsupported_grant_type', `Expected one of: ${Object.values(GRANT_TYPES).join(' ')}.`);
    }
  }
}

/** What a device holds is for Parley's own API; only tokens for agents are bound to keys. */
function rejectProof(proof: object | undefined): void {
  if (proof) throw new OAuthError('invalid_request', 'This grant gives bearer tokens only; leave the DPoP header out.');
}

function readExchange(form: TokenCall['form']): Omit<Parameters<typeof exchangeToken>[0]['input'], 'proof'> {
  if (form.actor_token) {
    throw new OAuthError('invalid_request', 'Leave actor_token out: who acts is the agent that was called.');
  }
  return {
    subjectToken: requireParameter(form, 'subject_token'),
    subjectTokenType: requireParameter(form, 'subject_token_type'),
    requestedTokenType: form.requested_token_type,
    scope: form.scope,
    resource: form.resource,
    audience: form.audience,
  };
}

function requireParameter(form: TokenCall['form'], name: (typeof parameters)[number]): string {
  const value = form[name];
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}
