import { expect, test } from 'vitest';
import { isPaymentExtension } from '@/lib/protocol/extensions';

test.each([
  ['https://github.com/google-agentic-commerce/ap2/tree/v0.1', true],
  ['https://github.com/google-agentic-commerce/ap2/v1', true],
  ['https://google-a2a.github.io/A2A/ext/payments/v1', true],
  ['https://google-a2a.github.io/A2A/extensions/payments/v1', true],
  ['https://ucp.dev/2026-01-23/specification/reference', true],
  ['https://github.com/google-a2a/a2a-x402/v0.1', false],
  ['https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2', false],
  ['https://evil.example/?https://github.com/google-agentic-commerce/ap2/', false],
  ['https://example.com/ext', false],
])('the extension %s declares that an agent accepts payment: %s', (uri, payable) => {
  expect(isPaymentExtension(uri)).toBe(payable);
});
