import { PassThrough } from 'node:stream';
import { isResponse, McpError } from '@parley/agent/mcp';
import { describe, expect, test } from 'vitest';
import { Inbox } from '@/packages/cli/src/serve-mcp/inbox';
import { LineReader } from '@/packages/cli/src/serve-mcp/line-reader';
import { splitCommand } from '@/packages/cli/src/serve-mcp/start-process';
import { StdioTransport } from '@/packages/cli/src/serve-mcp/stdio-transport';

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

describe('WS-2: a question on stdin and stdout', () => {
  type Message = Record<string, unknown>;

  /** A transport, what the server says, and what it received. */
  function connected() {
    const stdin = new PassThrough();
    const transport = new StdioTransport(stdin, { onToolsChanged: () => undefined, onNote: () => undefined });
    const says = (message: Message): void => transport.read(Buffer.from(`${JSON.stringify(message)}\n`));
    const asks = (id: string): void => says({ jsonrpc: '2.0', id, method: 'elicitation/create', params: {} });
    const received = (): Message[] =>
      String(stdin.read() ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Message);
    return { transport, says, asks, received };
  }

  /** Starts a call; returns what arrives for it until its response, or until it is canceled. */
  function call(transport: StdioTransport, id: number) {
    const controller = new AbortController();
    const arrived: Message[] = [];
    const request = { jsonrpc: '2.0', id, method: 'tools/call', params: {} };
    const read = async (): Promise<void> => {
      for await (const message of transport.request(request, controller)) arrived.push(message);
    };
    return { arrived, over: read().catch(() => undefined), cancel: () => controller.abort() };
  }

  test('of a canceled call reaches no other caller; after its response, questions are asked again', async () => {
    const { transport, says, asks, received } = connected();
    const first = call(transport, 1);
    await Promise.resolve();
    first.cancel();
    await first.over;
    const second = call(transport, 2);
    await Promise.resolve();
    received();
    asks('of-the-first');
    expect(received()).toEqual([{ jsonrpc: '2.0', id: 'of-the-first', result: { action: 'cancel' } }]);
    says({ jsonrpc: '2.0', id: 1, result: {} });
    asks('of-the-second');
    says({ jsonrpc: '2.0', id: 2, result: {} });
    await second.over;
    expect(second.arrived.map((message) => (isResponse(message) ? 'response' : message.id))).toEqual([
      'of-the-second',
      'response',
    ]);
    expect(received()).toEqual([]);
  });

  test('after the end of a canceled call and without another one is canceled', async () => {
    const { transport, asks, received } = connected();
    const only = call(transport, 1);
    await Promise.resolve();
    only.cancel();
    await only.over;
    received();
    asks('late');
    expect(received()).toEqual([{ jsonrpc: '2.0', id: 'late', result: { action: 'cancel' } }]);
  });
});
