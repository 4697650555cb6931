import type { JsonSchema, Operation } from '../../docs/schema';
import type { RouteFacts } from '../../http/endpoint';
import { statusOf } from '../../http/render-error';
import type { ErrorCode } from '../../platform/errors';
import type { About, Row } from '../row';

/** The problem that every endpoint answers errors with (RFC 9457). */
export const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Leads to the code in the docs.' },
    title: { type: 'string', description: 'What was found, what was expected and what to do.' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'Stable.' },
    requestId: { type: 'string' },
    faults: {
      type: 'array',
      items: { type: 'object', properties: { pointer: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};

/** What OAuth's endpoints answer errors with (RFC 6749 §5.2). */
export const oauthErrorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
};

/** Errors of an endpoint by status, with the codes that it may answer. */
export function describeProblems(row: Row, about: About): Operation['responses'] {
  const facts = row.endpoint.facts;
  const codes = [...new Set(codesOf(row, facts, about))];
  const statuses = [...new Set(codes.map(statusOf))].sort((one, other) => one - other);
  const form = facts?.form !== undefined;
  const name = form ? 'OAuthError' : 'Problem';
  const media = form ? 'application/json' : 'application/problem+json';
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: codes
          .filter((code) => statusOf(code) === status)
          .map((code) => `\`${code}\``)
          .join(', '),
        content: { [media]: { schema: { $ref: `#/components/schemas/${name}` } } },
      },
    ]),
  );
}

function codesOf({ method, path }: Row, facts: RouteFacts | undefined, about: About): ErrorCode[] {
  const auth = facts?.auth ?? 'anyone';
  const reads = facts?.body !== undefined || facts?.form !== undefined;
  return [
    ...(reads ? (['invalid_request', 'unsupported_media_type', 'payload_too_large'] as const) : []),
    ...(about.query ? (['invalid_request'] as const) : []),
    ...(auth === 'app' || auth === 'client' ? (['invalid_client'] as const) : []),
    ...(isPerson(auth) ? (['unauthenticated', 'invalid_token'] as const) : []),
    ...(isPerson(auth) && method !== 'GET' ? (['origin_required'] as const) : []),
    ...(auth === 'session' ? (['forbidden'] as const) : []),
    ...(typeof auth === 'object' ? (['insufficient_scope'] as const) : []),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(about.problems ?? []),
    'rate_limited',
    'unavailable',
    'internal',
  ];
}

function isPerson(auth: RouteFacts['auth']): boolean {
  return auth === 'user' || auth === 'session' || typeof auth === 'object';
}
