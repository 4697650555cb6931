import { beforeAll, describe, expect, it } from 'vitest';
import { openAiEndpoints } from '@/lib/hosts/openai/endpoints';
import { createPerson, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let ada: Person;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
});

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Paths of OpenAI's API that no agent can serve, and paths that nobody has. */
const unknown = [
  ...['/v1', '/v1/', '/v1/nope', '/v1/agents', '/v1/files', '/v1/files/x1', '/v1/responses/x1', '/v1/models/a/b'],
  ...['/v1/embeddings', '/v1/completions', '/v1/images/generations', '/v1/audio/speech', '/v1/moderations'],
  ...['/v1/assistants', '/v1/threads', '/v1/batches', '/v1/vector_stores', '/v1/conversations', '/v1/chat'],
];
const served = openAiEndpoints.map(({ method, path }) => ({ method, path: path.replace(/:\w+/g, 'x1') }));

async function call(method: string, path: string, headers: Record<string, string> = {}) {
  const init = { method, headers: { authorization: `Bearer ${ada.accessToken}`, ...headers } };
  const response = await fetch(parley.url + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

function expectOpenAiError(text: string, expected: { code: string; type: string }): void {
  const { error, ...others } = JSON.parse(text) as { error: Record<string, unknown> };
  expect(others).toEqual({});
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(error).toMatchObject({ ...expected, param: null, message: expect.stringMatching(/expect/) });
}

describe('a path under /v1', () => {
  it.each(unknown.flatMap((path) => methods.map((method) => [method, path] as const)))(
    'returns 404 in OpenAI’s form for %s %s, even to browsers',
    async (method, path) => {
      for (const accept of ['application/json', 'text/html']) {
        const { status, headers, text } = await call(method, path, { accept });
        expect([status, headers.get('content-type')]).toEqual([404, 'application/json']);
        if (method === 'HEAD') expect(text).toBe('');
        else expectOpenAiError(text, { code: 'not_found', type: 'invalid_request_error' });
      }
    },
  );

  it.each(served.flatMap(({ path }) => methods.map((method) => [method, path] as const)))(
    'returns 405, or an error in OpenAI’s form, for %s %s',
    async (method, path) => {
      const allowed = served.filter((endpoint) => endpoint.path === path).map((endpoint) => endpoint.method as string);
      const { status, headers, text } = await call(method, path);
      if (method === 'HEAD') {
        expect(text).toBe('');
        return;
      }
      if (allowed.includes(method)) {
        if (status !== 200)
          expect(JSON.parse(text)).toEqual({ error: expect.objectContaining({ code: expect.any(String) }) });
        return;
      }
      expect([status, headers.get('content-type')]).toEqual([405, 'application/json']);
      expectOpenAiError(text, { code: 'method_not_allowed', type: 'invalid_request_error' });
      expect(headers.get('allow')).toContain(allowed[0]);
    },
  );

  it('returns errors in OpenAI’s form if the request line or the media type is invalid', async () => {
    for (const [path, init] of [
      ['/v1/models?x=%00', {}],
      ['/v1/models/%00', {}],
      [
        '/v1/chat/completions',
        { method: 'POST', body: 'a=b', headers: { authorization: `Bearer ${ada.accessToken}` } },
      ],
    ] as [string, RequestInit][]) {
      const response = await fetch(parley.url + path, init);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(await response.json()).toEqual({ error: expect.objectContaining({ type: 'invalid_request_error' }) });
    }
  });

  it('returns A2A errors at A2A endpoints with the same prefix', async () => {
    for (const path of ['/v1/agents/x1/a2a', '/v1/agent-systems/x1/a2a', '/v1/agent-systems/x1/nope']) {
      const { headers } = await call('PUT', path);
      expect([path, headers.get('content-type')]).toEqual([path, 'application/problem+json']);
    }
  });
});
