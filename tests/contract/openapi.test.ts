import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema, OpenApi } from '@/lib/docs/schema';
import { endpoints } from '@/lib/endpoints/table';
import { problemGuides } from '@/lib/http/errors/problem-guide';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** Responses checked against their description: one call each, by a new user. */
const reads = [
  '/api/agents',
  '/api/auth/sessions',
  '/api/auth/access-tokens',
  '/api/auth/profile',
  '/api/auth/passkeys',
  '/api/apps',
  '/api/grants',
  '/api/notifications',
  '/api/web-push',
  '/api/chat/conversations',
  '/api/account/activity',
  '/api/orders',
  '/api/sales',
  '/api/wallet',
  '/api/payments/settings',
  '/api/push/dead-letters',
  '/api/push/deliveries',
  '/api/collections',
];

/** The same for the user's own agent. */
const readsOfAgent = ['', '/standing', '/probes', '/cards', '/team', '/calls', '/stats', '/checklist', '/ownership'];

describe('the API description', () => {
  let parley: SharedParley;
  let ada: Person;
  let host: CardServer;
  let slug: string;
  let api: OpenApi;

  beforeAll(async () => {
    host = await CardServer.start();
    parley = await sharedParley();
    ada = await createPerson(parley.url);
    slug = await listAgent(parley.url, ada, { url: host.serve('told', cardV10(host.base('told'))) });
    api = (await (await fetch(`${parley.url}/openapi.json`)).json()) as OpenApi;
  });
  afterAll(() => host?.stop());

  it('is OpenAPI 3.1 for this installation, and can be revalidated by its ETag', async () => {
    expect(api).toMatchObject({ openapi: '3.1.1', servers: [{ url: parley.url }] });
    const first = await fetch(`${parley.url}/openapi.json`);
    const again = await fetch(`${parley.url}/openapi.json`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('describes exactly the endpoints under /api and /oauth and OpenAI’s endpoints', () => {
    const documented = Object.entries(api.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const rows = endpoints
      // next-auth's own actions, at any other path.
      .filter(
        ({ path }) => path !== '/api/auth/*' && /^\/(api|oauth|v1\/(models|chat|responses|files))\//.test(`${path}/`),
      )
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(documented.sort()).toEqual(rows.sort());
  });

  it('gives each operation a unique id, exactly its path’s parameters, and a response for success', () => {
    const operations = Object.entries(api.paths).flatMap(([path, byMethod]) =>
      Object.values(byMethod).map((operation) => ({ path, operation })),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const inPath = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(Object.keys(operation.responses).some((status) => /^[23]/.test(status))).toBe(true);
    }
  });

  it('references components by name, without duplicates', () => {
    const references = [...JSON.stringify(api).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
    const documented = Object.keys(api.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(documented).toEqual(expect.arrayContaining(references));
    const answers = Object.values(api.paths)
      .flatMap((byMethod) => Object.values(byMethod))
      .map(({ responses }) => responses);
    const shapes = objectsIn([answers, api.components.schemas]).map((shape) => JSON.stringify(shape));
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([]);
  });

  it.each(reads)('describes the response to GET %s', (path) => hold(path, path));

  it.each(readsOfAgent)('describes the response to GET /api/agents/{slug}%s', (rest) =>
    hold(`/api/agents/{slug}${rest}`, `/api/agents/${slug}${rest}`),
  );

  it('describes the response to GET /api/publishers/{handle}', async () => {
    const handle = `ada-${Date.now()}`;
    const named = await send(`${parley.url}/api/publishers/own`, { method: 'PUT', body: { handle }, ...asAda() });
    expect(named.status, await named.clone().text()).toBe(200);
    await hold('/api/publishers/{handle}', `/api/publishers/${handle}`);
  });

  function asAda(): { cookie: string; origin: string } {
    return { cookie: ada.cookie, origin: parley.url };
  }

  async function hold(path: string, asked: string): Promise<void> {
    const response = await send(`${parley.url}${asked}`, asAda());
    const text = await response.text();
    expect(response.status, text).toBe(200);
    const described = api.paths[path]?.get?.responses['200']?.content?.['application/json']?.schema;
    expect(described, path).toBeDefined();
    const checked = z.fromJSONSchema(alone(described, api)).safeParse(JSON.parse(text));
    expect(checked.error?.issues ?? []).toEqual([]);
  }

  it('describes problem responses, whose type links to the code in the docs', async () => {
    const response = await send(`${parley.url}/api/auth/local`, { body: { email: 'nobody' } });
    const problem = await response.json();
    const schema = alone(api.components.schemas.Problem, api);
    expect(z.fromJSONSchema(schema).safeParse(problem).success).toBe(true);
    expect(problem.type).toBe(`${parley.url}/docs/errors#${problem.code}`);
    const text = await (await fetch(`${parley.url}/docs/errors.md`)).text();
    for (const code of Object.keys(problemGuides)) expect(text).toContain(`\n## ${code}\n`);
    const page = await (await fetch(`${parley.url}/docs/errors`)).text();
    for (const code of Object.keys(problemGuides)) expect(page).toContain(`id="${code}"`);
  });
});

/** A schema that is readable without the rest of the description. */
function alone(schema: JsonSchema | undefined, { components }: OpenApi): JsonSchema {
  const text = JSON.stringify({ ...schema, $defs: components.schemas });
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'));
}

/** Every described object of more than two members. */
function objectsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  const isShape = 'properties' in value && 'type' in value && Object.keys(value.properties as object).length > 2;
  return isShape ? [value, ...inner] : inner;
}
