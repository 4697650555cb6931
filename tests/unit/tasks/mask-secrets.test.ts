import { expect, test } from 'vitest';
import { redactHeaders, redactSecrets, redactUrl } from '@/lib/tasks/agent-client/redact-secrets';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

test.each([
  ['a JWT', `token was ${jwt}.`],
  ['a JWT without a signature', `${jwt.split('.').slice(0, 2).join('.')}.`],
  ['a Parley access token', `use parley_pat_${'a'.repeat(43)}`],
  ['a Parley client secret', `parley_cs_${'B'.repeat(43)}`],
  ['a bearer credential', 'Authorization: Bearer abcdefgh12345678'],
  ['basic credentials', 'basic dXNlcjpwYXNzd29yZA=='],
])('%s is masked everywhere', (_, text) => {
  const shown = redactSecrets(text);
  expect(shown).toContain('[secret]');
  expect(shown).not.toMatch(/eyJ|aaaa|BBBB|abcdefgh|dXNlcj/);
});

test.each([
  '{"token":"open sesame"}',
  '{"params":{"pushNotificationConfig":{"authentication":{"schemes":["Bearer"],"credentials":"open sesame"}}}}',
  '{"client_secret" : "open sesame"}',
  '{"apiKey":"open sesame","api-key":"open sesame","x_api_key":"open sesame"}',
  '{"Password":"open sesame',
  JSON.stringify({ text: JSON.stringify({ access_token: 'open sesame', at: 1 }) }),
  JSON.stringify({ text: JSON.stringify({ token: 'a "quoted" open sesame' }) }),
  JSON.stringify({ authorization: 'open sesame' }),
  JSON.stringify({ token: 'a "quoted" open sesame' }),
])('members with secret-like names are masked: %s', (text) => {
  expect(redactSecrets(text)).not.toContain('sesame');
});

test('a JWT is masked after other words and between dots', () => {
  expect(redactSecrets(`id-${jwt} and host.name.${jwt}.rest`)).toBe('id-[secret] and host.name.[secret].rest');
});

test('text without secrets is unchanged', () => {
  const text = '{"method":"message/send","author":"Ada","parts":[{"text":"hello eyJust kidding"}]}';
  expect(redactSecrets(text)).toBe(text);
});

test('header fields are masked by name, and by secrets in other values', () => {
  const headers = { authorization: 'x', 'set-cookie': 'y', 'parley-token': 'z', 'x-api-key': 'k', link: `<${jwt}>` };
  expect(new Set(Object.values(redactHeaders({ ...headers, accept: 'text/plain' })))).toEqual(
    new Set(['[secret]', '<[secret]>', 'text/plain']),
  );
});

test('query parameters are masked by name', () => {
  expect(redactUrl('https://agent.example/a?api_key=open&q=1&token=sesame')).toBe(
    'https://agent.example/a?api_key=[secret]&q=1&token=[secret]',
  );
});

// A rule that backtracks exceeds the time limit on these texts.
test.each([
  ['quotes', '"'.repeat(200_000)],
  ['a quoted word that resembles a secret name', `"${'token'.repeat(40_000)}`],
  ['a quoted word', `"${'a'.repeat(200_000)}`],
  ['escapes', '\\'.repeat(200_000)],
  ...['-eyJ', '.eyJabcdefghi', 'eyJabcdefgh-', '-parley_a_', '"token":"\\'].map((text) => [text, text.repeat(200_000)]),
])(
  'masking takes linear time for repeated %s',
  (_what, text = '') => {
    expect(redactSecrets(text)).not.toBe('');
  },
  10_000,
);
