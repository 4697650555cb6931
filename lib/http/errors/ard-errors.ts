import type { HttpResponse } from '../handler';
import { problemOf } from './render-error';

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

/** The error response of an ARD endpoint: `errorCode` and `message` (ARD Appendix B), and the members of a problem. */
export function ardErrorOf(error: unknown, requestId: string): HttpResponse<string> {
  return withArdMembers(problemOf(error, requestId));
}

function withArdMembers({ status, headers, body }: HttpResponse<string>): HttpResponse<string> {
  const problem = JSON.parse(body) as { title?: string };
  const errorCode = errorCodes[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR');
  const text = JSON.stringify({ errorCode, message: problem.title, ...problem });
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: text };
}
