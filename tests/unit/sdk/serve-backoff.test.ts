import { describe, expect, it } from 'vitest';
import { ParleyError } from '@/packages/sdk/src/errors';
import { Backoff } from '@/packages/sdk/src/serve/backoff';
import { retryAfterClose, retryAfterError } from '@/packages/sdk/src/serve/retry-policy';

describe('the reconnection backoff', () => {
  it('is random, with a maximum that doubles from 500 ms to 30 s', () => {
    const backoff = new Backoff(() => 0.999_999);
    const delays = Array.from({ length: 9 }, () => Math.ceil(backoff.next()));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('can be zero', () => {
    expect(new Backoff(() => 0).next()).toBe(0);
  });

  it('restarts after a reset', () => {
    const backoff = new Backoff(() => 0.5);
    for (let attempt = 0; attempt < 5; attempt++) backoff.next();
    backoff.reset();
    expect(backoff.next()).toBe(250);
  });

  it('stays below the given limit', () => {
    const backoff = new Backoff(() => 0.5);
    for (let attempt = 0; attempt < 7; attempt++) backoff.next();
    expect(backoff.next(7_500)).toBe(3_750);
  });
});

describe('the reaction to a closed connection', () => {
  it.each([
    [4403, { stop: expect.objectContaining({ code: 'not_your_agent' }) }],
    [4409, { stop: expect.objectContaining({ code: 'replaced' }) }],
    [4401, { waitMs: 0, newToken: true }],
    [4429, { waitMs: 60_000, newToken: false }],
    [4400, { waitMs: 5_000, newToken: false }],
    [1001, { waitMs: 0, newToken: false }],
    [1006, { waitMs: 0, newToken: false }],
    [1012, { waitMs: 0, newToken: false }],
    [1013, { waitMs: 0, newToken: false }],
  ])('is as specified for code %i', (code, retry) => {
    expect(retryAfterClose({ code, reason: '' })).toEqual(retry);
  });
});

describe('a rejected connection', () => {
  const refusal = (code: string, more: ConstructorParameters<typeof ParleyError>[2] = {}) =>
    retryAfterError(new ParleyError(code, 'Refused.', more));

  it.each([
    ['suspended', {}],
    ['not_your_agent', {}],
    ['invalid_client', { status: 401 }],
    ['rpc_-32602', { details: { rpcCode: -32602 } }],
  ])('stops the worker if the error code is %s', (code, more) => {
    expect(refusal(code, more)).toHaveProperty('stop');
  });

  it.each([
    ['invalid_token', {}, { waitMs: 0, newToken: true }],
    ['too_many_workers', { retryAfter: 5 }, { waitMs: 60_000, newToken: false }],
    ['rate_limited', { retryAfter: 90 }, { waitMs: 90_000, newToken: false }],
    ['unavailable', { retryAfter: 2 }, { waitMs: 2_000, newToken: false }],
    ['unreachable', {}, { waitMs: 0, newToken: false }],
    ['unavailable', { status: 503 }, { waitMs: 0, newToken: false }],
    ['rpc_-32603', { details: { rpcCode: -32603 } }, { waitMs: 0, newToken: false }],
  ])('is retried after %s with %j', (code, more, retry) => {
    expect(refusal(code, more)).toEqual(retry);
  });
});
