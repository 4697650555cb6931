import { expect, test } from 'vitest';
import { clientAddress, networkOf } from '@/lib/platform/http-client/client-address';

process.env.DATABASE_URL = 'postgresql://a:b@127.0.0.1:5432/p';
process.env.TRUSTED_PROXIES = '10.0.0.0/8, 127.0.0.1,2001:db8::/32';

test('only a trusted proxy can set a caller’s address', () => {
  expect(clientAddress('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
  expect(clientAddress('10.1.2.3', null)).toBe('10.1.2.3');
});

test('a caller’s address is the last address that is not a proxy', () => {
  expect(clientAddress('127.0.0.1', '1.2.3.4')).toBe('1.2.3.4');
  expect(clientAddress('127.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9')).toBe('1.2.3.4');
  expect(clientAddress('::ffff:127.0.0.1', '1.2.3.4')).toBe('1.2.3.4');
  expect(clientAddress('2001:db8::1', '2a00::5')).toBe('2a00::5');
});

test('an invalid forwarding header falls back to the socket’s address', () => {
  expect(clientAddress('127.0.0.1', 'evil')).toBe('127.0.0.1');
  expect(clientAddress('127.0.0.1', '10.0.0.1')).toBe('127.0.0.1');
});

test('address limits count by IPv4 address, and by customer network for IPv6', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('2a00:1:2:3:4:5:6:7')).toBe(networkOf('2a00:1:2:3::1'));
  expect(networkOf('2a00:1:2:3::1')).not.toBe(networkOf('2a00:1:2:4::1'));
  expect(networkOf('')).toBe('');
});
