import { expect, test } from 'vitest';
import { EnvError, readEnv } from '@/lib/platform/runtime/env';

const secret = 'x'.repeat(43);
const good = { DATABASE_URL: 'postgresql://a:b@127.0.0.1:5432/p', NEXTAUTH_SECRET: secret, KEY_ENCRYPTION_KEY: secret };

function refusal(extra: Record<string, string | undefined>): string {
  try {
    readEnv({ ...good, ...extra });
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return (error as Error).message;
  }
  throw new Error('expected a refusal');
}

test('an empty or missing environment variable gets its default', () => {
  expect(readEnv({ ...good, PORT: '' })).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    APP_URL: 'http://localhost:3000',
  });
  expect(readEnv({ ...good, APP_URL: 'https://parley.example/' }).APP_URL).toBe('https://parley.example');
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'abc'],
  ['APP_URL', 'parley.example'],
  ['APP_URL', 'https://parley.example/base'],
  ['DEMO', 'yes'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_REPLICA_URL', 'postgresql://u@db/p?target_session_attrs=primary'],
  ['NEXTAUTH_SECRET', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['SMTP_URL', 'http://x'],
  ['TRUSTED_PROXIES', '10.0.0.1,nginx'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
])('an environment error names %s if it is %s', (name, value) => {
  expect(refusal({ [name]: value })).toContain(`${name}: found`);
});

test('the demo has a default agent', () => {
  expect(readEnv(good).DEFAULT_AGENT).toBeUndefined();
  expect(readEnv({ ...good, DEMO: '1' }).DEFAULT_AGENT).toBe('analyst');
  expect(readEnv({ ...good, DEMO: '1', DEFAULT_AGENT: 'pizzeria' }).DEFAULT_AGENT).toBe('pizzeria');
});

test('KEY-7 an environment error contains neither a secret nor a URL with a password', () => {
  expect(refusal({ NEXTAUTH_SECRET: 'hunter2' })).not.toContain('hunter2');
  expect(refusal({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toContain('hunter2');
  expect(refusal({ DATABASE_REPLICA_URL: 'mysql://u:hunter2@h/d' })).not.toContain('hunter2');
});

test('an environment error names the missing half of a pair', () => {
  expect(refusal({ GITHUB_ID: 'a' })).toContain('GITHUB_SECRET: found nothing');
  expect(refusal({ OIDC_ISSUER: 'https://id.example' })).toContain('OIDC_CLIENT_ID: found nothing');
});

test('an embeddings provider requires a URL without credentials, a model, and a key valid in a header', () => {
  const provider = { EMBEDDINGS_URL: 'http://10.0.0.5:11434/v1', EMBEDDINGS_MODEL: 'nomic' };
  expect(readEnv({ ...good, ...provider })).toMatchObject({ EMBEDDINGS_BATCH: 10, EMBEDDINGS_QUERY_PREFIX: '' });
  expect(readEnv({ ...good, EMBEDDINGS_QUERY_PREFIX: 'query: ' }).EMBEDDINGS_QUERY_PREFIX).toBe('query: ');
  expect(refusal({ EMBEDDINGS_URL: provider.EMBEDDINGS_URL })).toContain('EMBEDDINGS_MODEL: found nothing');
  expect(refusal({ EMBEDDINGS_MODEL: 'nomic' })).toContain('EMBEDDINGS_URL: found nothing');
  const leaky = refusal({ ...provider, EMBEDDINGS_URL: 'http://me:hunter2@h/v1', EMBEDDINGS_KEY: 'hunter2\n' });
  expect(leaky).toContain('EMBEDDINGS_URL: found a value');
  expect(leaky).toContain('EMBEDDINGS_KEY: found a value');
  expect(leaky).not.toContain('hunter2');
});
