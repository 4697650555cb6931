import type { z } from 'zod';
import type { JsonSchema, OpenApi, Operation, Parameter } from '../../docs/schema';
import { env } from '../../platform/env';
import { apiTags, type Route, type RouteDocs } from '../route';
import { extractComponents, toJsonSchema } from './components';
import { describeProblems, oauthErrorSchema, problemSchema } from './describe-problems';

/** The API as OpenAPI 3.1, from the rows themselves: what they check is what is told. */
export function describeApi(routes: Route[]): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const route of routes) {
    if (!route.docs) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, route.docs) };
  }
  const extracted = extractComponents(paths);
  const described = new Set(routes.map(({ docs: about }) => about?.tag));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version: '1',
      description: 'Find, list, call and pay agents that speak A2A. A2A itself is described by each agent’s card.',
    },
    servers: [{ url: env().APP_URL }],
    tags: apiTags.filter((tag) => described.has(tag)).map((name) => ({ name })),
    paths: extracted.paths,
    components: {
      schemas: { ...extracted.schemas, Problem: problemSchema, OAuthError: oauthErrorSchema },
      securitySchemes: schemes(),
    },
  };
}

function schemes(): Record<string, object> {
  const cookie = env().APP_URL.startsWith('https:') ? '__Host-parley' : 'parley';
  return {
    session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'A signed-in browser.' },
    accessToken: { type: 'http', scheme: 'bearer', description: 'A personal access token, with the scopes named.' },
    app: { type: 'http', scheme: 'basic', description: 'Client id and client secret of an app.' },
  };
}

function describeOperation(route: Route, docs: RouteDocs): Operation {
  const { facts } = route.endpoint;
  const parameters = [...pathParameters(route.path), ...queryParameters(docs.query)];
  const body: NonNullable<Operation['requestBody']>['content'] | undefined = facts?.form
    ? { 'application/x-www-form-urlencoded': { schema: formSchema(facts.form) } }
    : facts?.body && { 'application/json': { schema: toJsonSchema(facts.body, 'input') } };
  return {
    operationId: operationId(route),
    tags: [docs.tag],
    summary: docs.summary,
    ...(docs.description && { description: docs.description }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true as const, content: body } }),
    responses: { ...successOf(docs), ...describeProblems(route, docs) },
  };
}

/** `GET /api/agents/:slug` is `getAgentsSlug`. */
function operationId({ method, path }: Route): string {
  const words = path.replace(/^\/api/, '').match(/[A-Za-z0-9]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function securityOf({ endpoint }: Route): Operation['security'] {
  const auth = endpoint.facts?.auth ?? 'anyone';
  if (auth === 'anyone') return [];
  if (auth === 'app') return [{ app: [] }];
  if (auth === 'client') return [{ app: [] }, {}];
  if (auth === 'session') return [{ session: [] }];
  return [{ session: [] }, { accessToken: auth === 'user' ? [] : [auth.scope] }];
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
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    schema,
  }));
}

function formSchema(names: readonly string[]): JsonSchema {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
}

function successOf({ response: answer, status, mediaType: media }: RouteDocs): Operation['responses'] {
  const code = String(status ?? (answer || media ? 200 : 204));
  if (media) return { [code]: { description: 'Done.', content: { [media]: { schema: { type: 'string' } } } } };
  if (!answer) return { [code]: { description: 'Done.' } };
  const content = { 'application/json': { schema: toJsonSchema(answer, 'output') } };
  return { [code]: { description: 'Done.', content } };
}
