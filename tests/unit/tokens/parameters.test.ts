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

  it.each([
    'token=a.b-c_d&hint=x',
    '?token=a',
    'token=a=b==&hint',
    '&&token=a&&hint=b&',
    '=x&token=é',
    'token=a+b',
    'token=%C3%A9%zz',
  ])('reads %s as browsers do, whether something is encoded or not', (text) => {
    const { token, hint } = Object.fromEntries(new URLSearchParams(text));
    const values = { ...(token && { token }), ...(hint && { hint }) };
    expect(readParameters(text, ['token', 'hint'])).toEqual({ kind: 'read', values });
  });

  it('keeps names of the prototype apart from those of the form', () => {
    expect(readParameters('__proto__=x&constructor=y', ['token'])).toEqual({ kind: 'read', values: {} });
  });
});
