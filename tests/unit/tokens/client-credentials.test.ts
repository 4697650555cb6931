import { describe, expect, it } from 'vitest';
import { readClientCredentials } from '@/lib/protocol/oauth/requests';

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function read(authorization: string | null, form: { clientId?: string; clientSecret?: string } = {}) {
  return readClientCredentials({ authorization, clientId: form.clientId, clientSecret: form.clientSecret });
}

describe('client credentials', () => {
  it.each([
    { of: 'plain', pair: 'app:secret', clientId: 'app', clientSecret: 'secret' },
    { of: 'a colon in the id', pair: 'a%3Ab:secret', clientId: 'a:b', clientSecret: 'secret' },
    { of: 'a colon in the secret', pair: 'app:a:b', clientId: 'app', clientSecret: 'a:b' },
    { of: 'an encoded percent sign', pair: 'app:100%25', clientId: 'app', clientSecret: '100%' },
    { of: 'a plus sign that is a space', pair: 'app:a+b', clientId: 'app', clientSecret: 'a b' },
    { of: 'an encoded plus sign', pair: 'app:a%2Bb', clientId: 'app', clientSecret: 'a+b' },
    { of: 'letters outside ASCII, encoded', pair: 'app:%C3%A9', clientId: 'app', clientSecret: 'é' },
    { of: 'letters outside ASCII, raw', pair: 'é:ü', clientId: 'é', clientSecret: 'ü' },
  ])('INT-3 are form-decoded in both halves of Basic: $of', ({ pair, clientId, clientSecret }) => {
    expect(read(basic(pair))).toEqual({ kind: 'given', clientId, clientSecret });
  });

  it('can use the scheme in any case', () => {
    expect(read(basic('app:secret').replace('Basic', 'bAsIc'))).toMatchObject({ kind: 'given' });
  });

  it('can be sent as client_secret_post', () => {
    const form = { clientId: 'app', clientSecret: 'a:b' };
    expect(read(null, form)).toEqual({ kind: 'given', ...form });
  });

  it.each([
    ['nothing', null],
    ['a bearer token', 'Bearer abc'],
    ['text that is not Base64', 'Basic ***'],
    ['no colon', basic('app')],
    ['no id', basic(':secret')],
    ['no secret', basic('app:')],
    ['a lone percent sign', basic('app:%')],
    ['an empty header', ''],
  ])('INT-2 are not found in %s', (_name, authorization) => {
    expect(read(authorization)).toEqual({ kind: 'none' });
  });

  it('can consist of only an id, as public clients send them', () => {
    expect(read(null, { clientId: 'app' })).toEqual({ kind: 'named', clientId: 'app' });
  });

  it('are not found if only a secret is sent', () => {
    expect(read(null, { clientSecret: 'secret' })).toEqual({ kind: 'none' });
  });

  it.each([
    ['Basic and the form', basic('app:secret'), { clientId: 'app', clientSecret: 'secret' }],
    ['Basic and a secret in the form', basic('app:secret'), { clientSecret: 'secret' }],
    ['Basic and another id in the form', basic('app:secret'), { clientId: 'other' }],
    ['two Authorization headers', `${basic('app:secret')}, ${basic('app:secret')}`, {}],
  ])('INT-3 are rejected if they are sent in more than one way: %s', (_name, authorization, form) => {
    expect(read(authorization, form)).toEqual({ kind: 'several' });
  });

  it('can include the same client_id in the form and in the header', () => {
    expect(read(basic('app:secret'), { clientId: 'app' })).toMatchObject({ kind: 'given', clientId: 'app' });
  });
});
