import type { JsonSchema, Operation } from '../../docs/schema';
import type { RouteFacts } from '../../http/endpoint';
import { statusOf } from '../../http/render-error';
import type { ErrorCode } from '../../platform/errors';
import type { Route, RouteDocs } from '../route';

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
export function describeProblems(route: Route, docs: RouteDocs): Operation['responses'] {
  const facts = route.endpoint.facts;
  const codes = [...new Set(codesOf(route, facts, docs))];
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

function codesOf({ method, path }: Route, facts: RouteFacts | undefined, docs: RouteDocs): ErrorCode[] {
  const auth = facts?.auth ?? 'anyone';
  const reads = facts?.body !== undefined || facts?.form !== undefined;
  return [
    ...(reads ? (['invalid_request', 'unsupported_media_type', 'payload_too_large'] as const) : []),
    ...(docs.query ? (['invalid_request'] as const) : []),
    ...(auth === 'app' || auth === 'client' ? (['invalid_client'] as const) : []),
    ...(isPerson(auth) ? (['unauthenticated', 'invalid_token'] as const) : []),
    ...(isPerson(auth) && method !== 'GET' ? (['origin_required'] as const) : []),
    ...(auth === 'session' ? (['forbidden'] as const) : []),
    ...(typeof auth === 'object' ? (['insufficient_scope'] as const) : []),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(docs.problems ?? []),
    'rate_limited',
    'unavailable',
    'internal',
  ];
}

function isPerson(auth: RouteFacts['auth']): boolean {
  return auth === 'user' || auth === 'session' || typeof auth === 'object';
}
