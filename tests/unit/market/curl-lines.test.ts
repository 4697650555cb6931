import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callLines, introspectLine } from '@/components/market/listing/curl-lines';

const target = { url: 'https://parley.test/agents/pizzeria', slug: 'pizzeria', messageIds: ['m-1', 'm-2'] } as const;

/** The arguments that a POSIX shell passes to curl for this line. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`;
  const printed = execFileSync('sh', ['-c', script], {
    env: { NODE_ENV: 'test', AGENT_TOKEN: 'a-token', CLIENT_ID: 'app', CLIENT_SECRET: 's3' },
  });
  return printed.toString('utf8').split('\0').slice(0, -1);
}

function bodyOf(line: string): {
  method: string;
  params: { message: { messageId: string; parts: [{ text: string }] } };
} {
  const words = argumentsOf(line);
  return JSON.parse(words[words.indexOf('-d') + 1] ?? '');
}

test('a shell reads each curl line as one call, whatever the example', () => {
  const texts = ["it's 5 o'clock", '"$(whoami)" `id` \\ $HOME', 'two\nlines', '; rm -rf /', '🍕 größe', '!!'];
  for (const text of texts) {
    const { send, stream } = callLines({ ...target, text, messageIds: ['m-1', 'm-2'] });
    expect(bodyOf(send).params.message).toMatchObject({ messageId: 'm-1', parts: [{ text }] });
    expect(bodyOf(stream).params.message).toMatchObject({ messageId: 'm-2', parts: [{ text }] });
    expect(argumentsOf(send)).toContain('https://parley.test/agents/pizzeria/a2a/jsonrpc');
    expect(argumentsOf(send)).toContain('Authorization: Bearer a-token');
  }
});

test('a curl line to be pasted contains no invisible or reordering characters', () => {
  const text = 'pay \u202e oot \u200b\u2066x\u2069 \u2028 \u0085';
  const lines = Object.values(callLines({ ...target, text, messageIds: ['m-1', 'm-2'] }));
  expect(lines.join('\n')).not.toMatch(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(bodyOf(lines[1] ?? '').params.message.parts[0].text).toBe(text);
});

test('an agent introspects with its own credentials and the token it received', () => {
  expect(argumentsOf(introspectLine('https://parley.test')).slice(0, 4)).toEqual([
    '-sS',
    'https://parley.test/api/auth/introspect',
    '-u',
    'app:s3',
  ]);
});
