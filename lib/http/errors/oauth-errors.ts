import type { ErrorCode } from '../../platform/errors';
import { OAuthError } from '../../protocol/oauth/authorization-server';
import type { HttpResponse } from '../handler';
import { retryHeaders, statusOf, toVisibleError } from './render-error';

/** OAuth codes of Parley's errors (RFC 6749 §4.1.2.1 and §5.2, RFC 9449 §5). `rate_limited` is not standard. */
const oauthErrorCodes: Partial<Record<ErrorCode, string>> = {
  invalid_client: 'invalid_client',
  rate_limited: 'rate_limited',
  unavailable: 'temporarily_unavailable',
  invalid_dpop_proof: 'invalid_dpop_proof',
  use_dpop_nonce: 'use_dpop_nonce',
};

/** The error response of an OAuth endpoint (RFC 6749 §5.2). */
export function oauthErrorOf(error: unknown, requestId: string): HttpResponse<string> {
  if (error instanceof OAuthError)
    return oauthJson(400, errorBody(error.code, error.message), { 'x-request-id': requestId });
  const visible = toVisibleError(error, requestId);
  // At the token endpoint an invalid DPoP proof is a parameter error (RFC 9449 §5), elsewhere an authentication error.
  const status = visible.code.includes('dpop') ? 400 : statusOf(visible.code);
  const code = oauthErrorCodes[visible.code] ?? (status >= 500 ? 'server_error' : 'invalid_request');
  return oauthJson(status, errorBody(code, visible.message), {
    'x-request-id': requestId,
    ...(status === 401 && { 'www-authenticate': 'Basic realm="parley", charset="UTF-8"' }),
    ...(status === 413 && { connection: 'close' }),
    ...retryHeaders(visible),
  });
}

/** A JSON response that is never cached (RFC 6749 §5.1). */
export function oauthJson(status: number, body: object, headers: Record<string, string>): HttpResponse<string> {
  const common = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, body: JSON.stringify(body), headers: { ...common, ...headers } };
}

/** RFC 6749 §5.2 does not allow quotes and backslashes in the description. */
function errorBody(error: string, description: string): object {
  return { error, error_description: description.replace(/[^ !#-[\]-~]/g, "'") };
}
