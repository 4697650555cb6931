import { describe, expect, it } from 'vitest';
import { readParameters } from '@/lib/protocol/oauth/parameters';

describe('form parameters', () => {
  it('INT-6 reads those the endpoint knows and ignores the rest, however many', () => {
    const rest = Array.from({ length: 200 }, (_, index) => `extra${index}=1`).join('&');
    expect(readParameters(`token=a%20b&${rest}&extra1=2`, ['token', 'hint'])).toEqual({
      kind: 'read',
      values: { token: 'a b' },
    });
  });

  it('INT-6 names a known parameter that is given twice, also when the values agree', () => {
    expect(readParameters('token=a&token=a', ['token'])).toEqual({ kind: 'repeated', name: 'token' });
  });

  it('counts one without a value as absent (RFC 6749 §3.2)', () => {
    expect(readParameters('token=&hint', ['token', 'hint'])).toEqual({ kind: 'read', values: {} });
  });

  it('keeps names of the prototype apart from those of the form', () => {
    expect(readParameters('__proto__=x&constructor=y', ['token'])).toEqual({ kind: 'read', values: {} });
  });
});
