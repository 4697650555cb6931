import type { ErrorCode } from '../../platform/errors';
import { OAuthError } from '../../protocol/oauth/authorization-server';
import type { HttpResponse } from '../handler';
import { BASIC_CHALLENGE, retryHeaders } from './error-headers';
import { problemOf, statusOf, toVisibleError } from './render-error';

const ardPaths = /^\/api\/ard(?:\/|$)/;

/** All of OpenAI's API. The A2A endpoints that share its prefix have their own errors. */
const openAiPaths = /^\/v1(?:\/|$)(?!(?:agents|agent-systems)\/[^/])/;

/**
 * Returns the error for a request that reaches no endpoint, in the format of the endpoints with similar paths: ARD,
 * OpenAI, or problem JSON.
 */
export function errorAt(path: string, error: unknown, requestId: string): HttpResponse<string> {
  if (ardPaths.test(path)) return ardErrorOf(error, requestId);
  return openAiPaths.test(path) ? openAiErrorResponse(error, requestId) : problemOf(error, requestId);
}

/** OAuth codes of Parley's errors (RFC 6749 §4.1.2.1 and §5.2, RFC 9449 §5). `rate_limited` is not standard. */
const oauthErrorCodes: Partial<Record<ErrorCode, string>> = {
  invalid_client: 'invalid_client',
  rate_limited: 'rate_limited',
  unavailable: 'temporarily_unavailable',
  invalid_dpop_proof: 'invalid_dpop_proof',
  use_dpop_nonce: 'use_dpop_nonce',
};

/** Returns the error response of an OAuth endpoint (RFC 6749 §5.2). */
export function oauthErrorOf(error: unknown, requestId: string): HttpResponse<string> {
  if (error instanceof OAuthError)
    return oauthJson(400, errorBody(error.code, error.message), { 'x-request-id': requestId });
  const visible = toVisibleError(error, requestId);
  // At the token endpoint, an invalid DPoP proof is a parameter error (RFC 9449 §5), elsewhere an authentication error.
  const status = visible.code.includes('dpop') ? 400 : statusOf(visible.code);
  const code = oauthErrorCodes[visible.code] ?? (status >= 500 ? 'server_error' : 'invalid_request');
  return oauthJson(status, errorBody(code, visible.message), {
    'x-request-id': requestId,
    ...(status === 401 && { 'www-authenticate': BASIC_CHALLENGE }),
    ...(status === 413 && { connection: 'close' }),
    ...retryHeaders(visible),
  });
}

/** Returns a JSON response that is never cached (RFC 6749 §5.1). */
export function oauthJson(status: number, body: object, headers: Record<string, string>): HttpResponse<string> {
  const common = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, body: JSON.stringify(body), headers: { ...common, ...headers } };
}

/** Returns the body. RFC 6749 §5.2 does not permit quotes and backslashes in the description. */
function errorBody(error: string, description: string): object {
  return { error, error_description: description.replace(/[^ !#-[\]-~]/g, "'") };
}

/** OpenAI's codes for those of our errors that its clients handle. Other errors keep our code. */
const openAiCodes: Partial<Record<string, string>> = {
  unauthenticated: 'invalid_api_key',
  invalid_token: 'invalid_api_key',
  agent_not_found: 'model_not_found',
  rate_limited: 'rate_limit_exceeded',
} satisfies Partial<Record<ErrorCode, string>>;

/** Returns the error response of an OpenAI-compatible endpoint, with the status and headers of a problem. */
export function openAiErrorResponse(error: unknown, requestId: string, resource?: string): HttpResponse<string> {
  return rewrite(problemOf(error, requestId, resource), toOpenAiError);
}

/** Returns the error object of OpenAI's API, for an event of a stream that has started. */
export function openAiErrorOf(error: unknown, requestId: string): object {
  return toOpenAiError(JSON.parse(problemOf(error, requestId).body));
}

interface Problem {
  title: string;
  status: number;
  code: string;
  faults?: { pointer: string; message: string }[];
  parameter?: string;
}

function toOpenAiError({ title, status, code, faults, parameter }: Problem): object {
  const [fault] = faults ?? [];
  const param = parameter ?? (fault && toParam(fault.pointer)) ?? null;
  const message = fault && param ? `${param}: ${fault.message}` : title;
  return { error: { message, type: typeOf(status), param, code: openAiCodes[code] ?? code } };
}

/** Returns a JSON pointer in OpenAI's notation: `messages[0].role`. Returns null for the whole body. */
function toParam(pointer: string): string | null {
  const steps = pointer.split('/').slice(1);
  const text = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
  return text.replace(/^\./, '') || null;
}

function typeOf(status: number): string {
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** ARD's error codes by status (ARD Appendix B). */
const errorCodes: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  410: 'NOT_FOUND',
  429: 'RATE_LIMIT_EXCEEDED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
};

/**
 * Returns the error response of an ARD endpoint: `errorCode` and `message` (ARD Appendix B), and the members of a
 * problem.
 */
export function ardErrorOf(error: unknown, requestId: string): HttpResponse<string> {
  return rewrite(problemOf(error, requestId), (problem) => {
    const errorCode = errorCodes[problem.status] ?? (problem.status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR');
    return { errorCode, message: problem.title, ...problem };
  });
}

/** Returns the error response of the MCP registry API v0.1: `error`, and the members of a problem. */
export function registryErrorOf(error: unknown, requestId: string): HttpResponse<string> {
  return rewrite(problemOf(error, requestId), (problem) => ({ error: problem.title, ...problem }));
}

/** Returns a problem with another body, of type `application/json`. */
function rewrite(
  { status, headers, body }: HttpResponse<string>,
  toBody: (problem: Problem) => object,
): HttpResponse<string> {
  const text = JSON.stringify(toBody(JSON.parse(body)));
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: text };
}
