import type { ErrorCode } from '../../platform/errors';
import type { HttpResponse } from '../handler';
import { problemOf } from './render-error';

/** OpenAI's codes for those of our errors that its clients handle. Others keep our code. */
const openAiCodes: Partial<Record<string, string>> = {
  unauthenticated: 'invalid_api_key',
  invalid_token: 'invalid_api_key',
  agent_not_found: 'model_not_found',
  rate_limited: 'rate_limit_exceeded',
} satisfies Partial<Record<ErrorCode, string>>;

/** The error response of an OpenAI-compatible endpoint, with the status and headers of a problem. */
export function openAiErrorResponse(error: unknown, requestId: string, resource?: string): HttpResponse<string> {
  const { status, headers, body } = problemOf(error, requestId, resource);
  const text = JSON.stringify(toOpenAiError(JSON.parse(body)));
  return { status, body: text, headers: { ...headers, 'content-type': 'application/json' } };
}

/** The error object of OpenAI's API, for an event of a stream that has begun. */
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

/** A JSON pointer as OpenAI writes it: `messages[0].role`. Null for the whole body. */
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
