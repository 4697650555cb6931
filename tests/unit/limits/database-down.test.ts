import { expect, test } from 'vitest';
import { acquireSlot, consume, countAttempt } from '@/lib/limits';

// The port has no listener.
process.env.DATABASE_URL = 'postgresql://nobody:none@127.0.0.1:9/none';

const now = new Date();

test('LIM-8 a sign-in limit rejects every request if the database is down', async () => {
  const rule = { name: 'closed', burst: 10, perMinute: 10, onDatabaseDown: 'refuse' } as const;
  await expect(consume(rule, 'ada', now)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(countAttempt({ name: 'sign-ins', max: 3, windowSeconds: 60 }, 'ada')).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});

test('LIM-8 other limits apply per node if the database is down', async () => {
  const rule = { name: 'open', burst: 5, perMinute: 60, onDatabaseDown: 'count-here' } as const;
  for (let call = 0; call < 5; call++) await consume(rule, 'ada', now);
  await expect(consume(rule, 'ada', now)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 });
  await consume(rule, 'ada', new Date(now.getTime() + 1_100));
});

test('LIM-9 slots apply per node if the database is down', async () => {
  const rule = { name: 'streams', max: 3 };
  const releases = [];
  for (let slot = 0; slot < 3; slot++) releases.push(await acquireSlot(rule, 'ada'));
  expect(releases.every((release) => release !== null)).toBe(true);
  expect(await acquireSlot(rule, 'ada')).toBeNull();
});
