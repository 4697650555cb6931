import type { z } from 'zod';
import type { JsonSchema, OpenApi, Operation, Parameter } from '../../docs/schema';
import { apiTags, type Endpoint, type EndpointDocs } from '../../http/endpoint';
import { statusOf } from '../../http/errors/render-error';
import type { Handler, HandlerSpec } from '../../http/handler';
import { cachedJsonRoute } from '../../http/routes/cached-document';
import type { ErrorCode } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { HOST_SCOPES } from '../../platform/scopes';
import { extractComponents, toJsonSchema } from './components';

/**
 * Returns the handler of `GET /openapi.json`: the API as OpenAPI 3.1. The endpoints are a parameter, because their
 * table includes this one.
 */
export function openApiOf(endpoints: Endpoint[]): Handler {
  let document: OpenApi | undefined;
  return cachedJsonRoute(async () => {
    document ??= describeApi(endpoints);
    return document;
  });
}

/** Returns the API as OpenAPI 3.1, derived from the same declarations that validate requests. */
export function describeApi(endpoints: Endpoint[]): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const endpoint of endpoints) {
    if (!endpoint.docs) continue;
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint, endpoint.docs) };
  }
  const extracted = extractComponents(paths);
  const usedTags = new Set<string | undefined>(endpoints.map(({ docs }) => docs?.tag));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version: '1',
      description: 'Find, list, call and pay A2A agents. Each agent’s card describes its A2A interface.',
      contact: { name: 'Documentation', url: `${env().APP_URL}/docs` },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: env().APP_URL }],
    tags: Object.entries(apiTags)
      .filter(([tag]) => usedTags.has(tag))
      .map(([name, description]) => ({ name, description })),
    paths: extracted.paths,
    components: {
      schemas: {
        ...extracted.schemas,
        Problem: problemSchema,
        OAuthError: oauthErrorSchema,
        ArdError: ardErrorSchema,
        OpenAiError: openAiErrorSchema,
      },
      securitySchemes: schemes(),
    },
  };
}

function schemes(): Record<string, object> {
  const cookie = env().APP_URL.startsWith('https:') ? '__Host-parley' : 'parley';
  return {
    session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Session cookie of a signed-in browser.' },
    guest: {
      type: 'apiKey',
      in: 'cookie',
      name: `${cookie}-guest`,
      description: 'Cookie of a visitor without an account.',
    },
    accessToken: { type: 'http', scheme: 'bearer', description: 'An access token with the listed scopes.' },
    connectedApp: {
      type: 'oauth2',
      description: 'The token of an app that the user connected to `/v1`.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${env().APP_URL}/oauth/authorize`,
          tokenUrl: `${env().APP_URL}/api/auth/token`,
          scopes: Object.fromEntries(HOST_SCOPES.map((scope) => [scope, ''])),
        },
      },
    },
    app: { type: 'http', scheme: 'basic', description: 'Client ID and client secret of a developer app.' },
  };
}

function describeOperation(endpoint: Endpoint, docs: EndpointDocs): Operation {
  const { spec } = endpoint.serve;
  const parameters = [...pathParameters(endpoint.path), ...queryParameters(spec?.query)];
  const body: NonNullable<Operation['requestBody']>['content'] | undefined = spec?.form
    ? { 'application/x-www-form-urlencoded': { schema: formSchema(spec.form) } }
    : spec?.body && { 'application/json': { schema: toJsonSchema(spec.body, 'input') } };
  return {
    operationId: operationId(endpoint),
    tags: [docs.tag],
    summary: docs.summary,
    ...(docs.description && { description: docs.description }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true as const, content: body } }),
    responses: { ...successOf(endpoint), ...describeProblems(endpoint) },
  };
}

/** Returns the operation id: `GET /api/agents/:slug` is `getAgentsSlug`. */
function operationId({ method, path }: Endpoint): string {
  const words = path.replace(/^\/api/, '').match(/[A-Za-z0-9]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function securityOf({ serve }: Endpoint): Operation['security'] {
  const auth = serve.spec?.auth ?? 'none';
  if (auth === 'anyone' || auth === 'none') return [];
  if (auth === 'app') return [{ app: [] }];
  if (auth === 'client') return [{ app: [] }, {}];
  if (auth === 'session' || auth === 'chat') return [{ session: [] }, ...(auth === 'chat' ? [{ guest: [] }] : [])];
  if (auth === 'user') return [{ session: [] }, { accessToken: [] }];
  if (typeof auth === 'object' && 'scope' in auth) return [{ session: [] }, { accessToken: [auth.scope] }];
  return [{ session: [] }, { accessToken: ['handshake'] }, { connectedApp: auth === 'host' ? [] : [auth.hostScope] }];
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toJsonSchema(query, 'input');
  return Object.entries(properties as Record<string, JsonSchema>)
    .filter(([, schema]) => !('undocumented' in schema))
    .map(([name, schema]) => ({ name, in: 'query', required: (required as string[]).includes(name), schema }));
}

function formSchema(names: readonly string[]): JsonSchema {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
}

function successOf({ response, status, mediaType: media }: Endpoint): Operation['responses'] {
  const code = String(status ?? (response || media ? 200 : 204));
  if (media) return { [code]: { description: 'Done.', content: { [media]: { schema: { type: 'string' } } } } };
  if (!response) return { [code]: { description: 'Done.' } };
  const content = { 'application/json': { schema: toJsonSchema(response, 'output') } };
  return { [code]: { description: 'Done.', content } };
}

/** The error response of every other endpoint (RFC 9457). */
const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'URL of the error code in the docs.' },
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

/** The error response of OAuth endpoints (RFC 6749 §5.2). */
const oauthErrorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
};

/** The error response of ARD endpoints (ARD Appendix B), which also contains the members of a problem. */
const ardErrorSchema: JsonSchema = {
  type: 'object',
  required: ['errorCode', 'message'],
  properties: { errorCode: { type: 'string' }, message: { type: 'string' } },
};

/** The error response of OpenAI-compatible endpoints. */
const openAiErrorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        code: { type: 'string' },
      },
    },
  },
};

const errorSchemaNames = { ard: 'ArdError', oauth: 'OAuthError', openai: 'OpenAiError' } as const;

/** Returns the error responses of an endpoint by status, with their codes. */
function describeProblems(endpoint: Endpoint): Operation['responses'] {
  const { spec } = endpoint.serve;
  const codes = [...new Set(codesOf(endpoint, spec))];
  const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b);
  const name = spec?.errorFormat ? errorSchemaNames[spec.errorFormat] : spec?.form ? 'OAuthError' : 'Problem';
  const media = name === 'Problem' ? 'application/problem+json' : 'application/json';
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

function codesOf({ method, path, errors }: Endpoint, spec: HandlerSpec | undefined): ErrorCode[] {
  const auth = spec?.auth ?? 'anyone';
  const hasBody = spec?.body !== undefined || spec?.form !== undefined;
  return [
    ...(hasBody ? (['invalid_request', 'unsupported_media_type', 'payload_too_large'] as const) : []),
    ...(queryParameters(spec?.query).length > 0 ? (['invalid_request'] as const) : []),
    ...(auth === 'app' || auth === 'client' ? (['invalid_client'] as const) : []),
    ...(isUserAuth(auth) ? (['unauthenticated', 'invalid_token'] as const) : []),
    ...(isUserAuth(auth) && method !== 'GET' ? (['origin_required'] as const) : []),
    ...(auth === 'session' || auth === 'chat' ? (['forbidden'] as const) : []),
    ...(typeof auth === 'object' ? (['insufficient_scope'] as const) : []),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(errors ?? []),
    'rate_limited',
    'unavailable',
    'internal',
  ];
}

function isUserAuth(auth: HandlerSpec['auth']): boolean {
  return auth === 'user' || auth === 'host' || auth === 'session' || auth === 'chat' || typeof auth === 'object';
}
