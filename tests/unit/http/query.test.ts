import { expect, test } from 'vitest';
import { z } from 'zod';
import { jsonRoute, lastValues, type QueryReader, requiredText } from '@/lib/http/routes/json-route';

async function call(url: string, query: z.ZodType, readQuery?: QueryReader): Promise<unknown> {
  const route = jsonRoute({ auth: 'anyone', query, readQuery, handle: async (given) => ({ query: given.query }) });
  const { body } = await route(new Request(`https://parley.test${url}`), { params: {}, address: '127.0.0.1' });
  return JSON.parse(String(body));
}

const page = z.object({ limit: z.coerce.number().int().max(9).optional(), q: requiredText });

test('a handler receives the parsed query, without parameters outside its schema', async () => {
  expect(await call('/x?limit=3&q=tea&other=1', page)).toEqual({ query: { limit: 3, q: 'tea' } });
});

test('a missing required query parameter is an empty string', async () => {
  expect(await call('/x', page)).toEqual({ query: { q: '' } });
});

test('an invalid query parameter is reported like an invalid member of a body', async () => {
  const problem = { code: 'invalid_request', faults: [{ pointer: '/limit' }] };
  expect(await call('/x?limit=10', page)).toMatchObject(problem);
});

test('a repeated query parameter’s first value is used, or its last one at endpoints configured for it', async () => {
  expect(await call('/x?limit=3&limit=10&q=a&q=b', page)).toEqual({ query: { limit: 3, q: 'a' } });
  expect(await call('/x?limit=10&limit=3&q=a&q=b', page, lastValues)).toEqual({ query: { limit: 3, q: 'b' } });
});
