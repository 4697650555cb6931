import { describe, expect, it } from 'vitest';
import { readParameters } from '@/lib/protocol/oauth/requests';

describe('the form parser', () => {
  it('INT-6 reads known parameters and ignores any number of others', () => {
    const rest = Array.from({ length: 200 }, (_, index) => `extra${index}=1`).join('&');
    expect(readParameters(`token=a%20b&${rest}&extra1=2`, ['token', 'hint'])).toEqual({
      kind: 'read',
      values: { token: 'a b' },
    });
  });

  it('INT-6 reports a known parameter that is given twice, even with equal values', () => {
    expect(readParameters('token=a&token=a', ['token'])).toEqual({ kind: 'repeated', name: 'token' });
  });

  it('treats a parameter without a value as absent (RFC 6749 §3.2)', () => {
    expect(readParameters('token=&hint', ['token', 'hint'])).toEqual({ kind: 'read', values: {} });
  });

  it.each([
    'token=a.b-c_d&hint=x',
    '?token=a',
    'token=a=b==&hint',
    '&&token=a&&hint=b&',
    '=x&token=é',
    'token=a+b',
    'token=%C3%A9%zz',
  ])('decodes %s like a browser', (text) => {
    const { token, hint } = Object.fromEntries(new URLSearchParams(text));
    const values = { ...(token && { token }), ...(hint && { hint }) };
    expect(readParameters(text, ['token', 'hint'])).toEqual({ kind: 'read', values });
  });

  it('separates prototype names from form names', () => {
    expect(readParameters('__proto__=x&constructor=y', ['token'])).toEqual({ kind: 'read', values: {} });
  });
});
