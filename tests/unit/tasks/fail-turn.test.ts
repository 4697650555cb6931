import { expect, test } from 'vitest';
import { ParleyError } from '@/lib/platform/errors';
import { toCallerError } from '@/lib/tasks/runs/fail-turn';

test('a turn that cannot reach the database reports the outage and a retry time', () => {
  const error = new Error('timeout exceeded when trying to connect');
  expect(toCallerError(error)).toMatchObject({ code: 'unavailable', retryAfter: 2 });
});

test('a turn passes a ParleyError through, and reports any other error as internal without its message', () => {
  const known = new ParleyError('agent_timeout', 'The agent did not respond in time.');
  expect(toCallerError(known)).toBe(known);
  const unknown = toCallerError(new Error('secret'));
  expect(unknown.code).toBe('internal');
  expect(unknown.message).not.toContain('secret');
});
