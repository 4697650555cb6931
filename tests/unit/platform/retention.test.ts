import { expect, test } from 'vitest';
import { readEnv } from '@/lib/platform/runtime/env';

const secret = 'x'.repeat(43);
const good = { DATABASE_URL: 'postgresql://a:b@127.0.0.1:5432/p', NEXTAUTH_SECRET: secret, KEY_ENCRYPTION_KEY: secret };
const read = (RETENTION_DAYS?: string): object => readEnv({ ...good, RETENTION_DAYS }).RETENTION_DAYS;

test('user data is kept without a time limit by default, unlike Parley’s call records', () => {
  expect(read()).toEqual({
    ...{ chat: null, deleted: 7, tasks: null, sends: 30, webhooks: 90 },
    ...{ http: 30, transcripts: 90, calls: 7, figures: 62 },
  });
});

test('a retention setting changes the kinds that it names, and 0 removes the limit', () => {
  expect(read(' tasks=365, chat = 730,webhooks=0,')).toMatchObject({ tasks: 365, chat: 730, webhooks: null, calls: 7 });
});

test.each([
  ['365', 'expected entries such as tasks=365,calls=7, not "365"'],
  ['tasks=soon', 'expected entries such as tasks=365,calls=7, not "tasks=soon"'],
  ['mail=3', '"mail" is no kind; expected one of chat, deleted, tasks'],
  ['calls=0', 'calls: expected 1 to 365 days, not 0'],
  ['chat=99999', 'chat: expected 1 to 36500 days, or 0 for no limit, not 99999'],
  ['figures=30', 'figures: expected 62 to 3650 days, not 30'],
  ['calls=3,calls=4', 'expected "calls" once'],
  ['tasks=7', 'sends: expected 1 to 7, the days of tasks, because a key must not outlive its task'],
])('the retention setting %s is rejected with the expected format', (value, message) => {
  expect(() => read(value)).toThrow(message);
  expect(() => read(value)).toThrow('RETENTION_DAYS: found');
});
