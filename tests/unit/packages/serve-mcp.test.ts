import { McpError } from '@parley/agent/mcp';
import { describe, expect, test } from 'vitest';
import { Inbox } from '@/packages/cli/src/serve-mcp/inbox';
import { LineReader } from '@/packages/cli/src/serve-mcp/line-reader';
import { splitCommand } from '@/packages/cli/src/serve-mcp/start-process';

describe('the command of a server', () => {
  test.each([
    ['npx -y server', ['npx', '-y', 'server']],
    ['  node   "a file.js"  ', ['node', 'a file.js']],
    [`sh -c 'echo "$HOME" | cat'`, ['sh', '-c', 'echo "$HOME" | cat']],
    ['run "say \\"hi\\"" a\\ b', ['run', 'say "hi"', 'a b']],
    ['C:\\tools\\server.exe --flag', ['C:\\tools\\server.exe', '--flag']],
    ["--name=''x''", ['--name=x']],
  ])('%s is divided into words', (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });
});

describe('the output of a server', () => {
  const read = (chunks: (string | Buffer)[]): { lines: string[]; tooLong: (number | null)[] } => {
    const [lines, tooLong]: [string[], (number | null)[]] = [[], []];
    const reader = new LineReader({ onLine: (line) => lines.push(line), onTooLong: (id) => tooLong.push(id) });
    for (const chunk of chunks) reader.push(Buffer.from(chunk));
    return { lines, tooLong };
  };

  test('is divided into lines wherever its chunks end', () => {
    const bytes = Buffer.from('{"a":"ü"}\n\n{"b":1}\nrest');
    expect(read([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual(['{"a":"ü"}', '', '{"b":1}']);
  });

  test('with a line that is too long names the request, wherever its id is, and continues', () => {
    const long = 'x'.repeat(9_000_000);
    const first = `{"jsonrpc":"2.0","id":4,"result":{"a":"${long}"}}\n`;
    const last = `{"result":{"a":"${long}"},"jsonrpc":"2.0","id":5}\n`;
    const unknown = `${long}\n`;
    expect(read([first, last, unknown, 'ok\n'])).toEqual({ lines: ['ok'], tooLong: [4, 5, null] });
  });
});

describe('the messages of a request', () => {
  test('end with an error after a silence, and with the reason of its signal', async () => {
    await expect(new Inbox(true, 1).next(new AbortController().signal)).rejects.toThrow(McpError);
    await expect(new Inbox(true, 60_000).next(AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled');
  });

  test('are read before the failure of the connection; a flood of notifications loses some, never the response', async () => {
    const inbox = new Inbox(true, 60_000);
    for (let count = 0; count < 5_000; count += 1) inbox.push({ method: 'notifications/progress' });
    inbox.push({ id: 1, result: {} });
    inbox.fail(new McpError('The process ended.'));
    const { signal } = new AbortController();
    let read = 0;
    for (let message = await inbox.next(signal); !('result' in message); message = await inbox.next(signal)) read += 1;
    expect(read).toBe(1_000);
    await expect(inbox.next(signal)).rejects.toThrow('The process ended.');
  });
});
