import { expect, test } from 'vitest';
import { connectionFailureOf } from '@/lib/platform/http-client/connection-failure';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'name-not-found'],
  ['EAI_AGAIN', 'name-lookup-failed'],
  ['EHOSTUNREACH', 'no-route'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect-timeout'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['EPROTO', 'tls'],
  ['HPE_INVALID_CONSTANT', 'not-http'],
  ['UND_ERR_SOCKET', 'closed'],
])('%s is reported as %s, even in another error’s cause and among several addresses', (code, expected) => {
  expect(connectionFailureOf(failure(code))).toBe(expected);
  expect(connectionFailureOf(new Error('The agent could not be reached.', { cause: failure(code) }))).toBe(expected);
  expect(connectionFailureOf(new AggregateError([failure(code), failure(code)]))).toBe(expected);
});

test('an error without a code is not reported as a connection failure', () => {
  expect(connectionFailureOf(new Error('given up'))).toBeNull();
  expect(connectionFailureOf('given up')).toBeNull();
});
