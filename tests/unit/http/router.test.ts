import { expect, test } from 'vitest';
import { matchEndpoint } from '@/lib/endpoints/router';

const paramsOf = (method: string, path: string): Record<string, string> | string => {
  const match = matchEndpoint(method, path);
  return match.kind === 'endpoint' ? match.params : match.kind;
};

test('a path parameter excludes a verb that follows it in the path', () => {
  expect(paramsOf('POST', '/agents/a/a2a/rest/tasks/t-1:cancel')).toEqual({ slug: 'a', task: 't-1' });
  expect(paramsOf('GET', '/agents/a/a2a/rest/v1/tasks/t%2F1:subscribe')).toEqual({ slug: 'a', task: 't/1' });
  expect(paramsOf('POST', '/agents/a/a2a/rest/tasks/x:cancel:cancel')).toEqual({ slug: 'a', task: 'x:cancel' });
});

test.each([
  ['POST', '/agents/a/a2a/rest/tasks/:cancel', 'wrong-method'],
  ['POST', '/agents/a/a2a/rest/tasks/t:destroy', 'wrong-method'],
  ['POST', '/agents/a/a2a/rest/tasks/%E0:cancel', 'none'],
  ['POST', '/agents/a/a2a/rest/tasks/t:cancel/more', 'none'],
  ['POST', '/agents/a/a2a/rest/message:sent', 'none'],
])('the router matches %s %s as %s', (method, path, found) => {
  expect(paramsOf(method, path)).toBe(found);
});
