import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { CommandLine } from '../support/cli';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let agent: ScriptedAgent;
let parley: SharedParley;
let ada: Person;
let slug: string;
/** Ada's environment, signed in with an access token. */
let cli: CommandLine;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Echo of words' });
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  slug = await listAgent(parley.url, ada, { url: agent.url });
});
afterAll(() => agent?.stop());
beforeEach(() => {
  agent.received.length = 0;
  cli = new CommandLine({ PARLEY_API_URL: parley.url, PARLEY_TOKEN: ada.accessToken });
});
afterEach(() => cli.remove());

const ESC = '\u001b';

function says(...pieces: string[]): void {
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'working', 'Thinking'));
    for (const [at, piece] of pieces.entries()) result(agent03.artifact('t', piece, { append: at > 0 }));
    result(agent03.status('t', 'completed'));
    end();
  });
}

function endsAs(state: string, text: string): void {
  agent.answer(({ result, end }) => {
    result(agent03.status('t', state, text));
    end();
  });
}

function lastMessage(): { taskId?: string; contextId?: string; parts: object[] } | undefined {
  return agent.messages.at(-1)?.params.message;
}

describe('parley search', () => {
  it('finds agents for a user who is not signed in', async () => {
    const stranger = new CommandLine({ PARLEY_API_URL: parley.url });
    const { code, stdout } = await stranger.run(['search', 'echo', 'words', '-l', '5']);
    stranger.remove();
    expect(code).toBe(0);
    expect(stdout).toBe(`${slug}  Echo of words: An agent that does what the test says\n`);
  });

  it('prints the API’s response as JSON', async () => {
    const { stdout } = await cli.run(['search', 'echo', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ slug, name: 'Echo of words' }], total: 1, nextCursor: null });
  });

  it('reports that no agent matches, and shows the closest agents', async () => {
    const found = await cli.run(['search', 'nothing-like-that']);
    expect(found).toMatchObject({ code: 0, stderr: 'Nothing fits. Closest matches:\n' });
    expect(found.stdout).toContain(slug);
  });

  it('reports that no agent has the tag', async () => {
    expect(await cli.run(['search', 'nothing-like-that', '--tag', 'nothing-has-this'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No matching agents. Try fewer or different words.\n',
    });
  });
});

describe('parley send', () => {
  it('prints only the reply on stdout', async () => {
    says('Hello, ', 'Ada');
    const run = await cli.run(['send', slug, 'Hello', 'there']);
    expect(run).toEqual({ code: 0, stdout: 'Hello, Ada\n', stderr: 'Thinking\n' });
    expect(lastMessage()?.parts).toEqual([{ kind: 'text', text: 'Hello there' }]);
  });

  it('prints each A2A 1.0 event as a line of JSON', async () => {
    says('Hello');
    const { stdout } = await cli.run(['send', slug, 'Hi', '--json']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toHaveProperty('task.id');
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(events.some((event) => event.artifactUpdate?.artifact.parts[0].text === 'Hello')).toBe(true);
  });

  it('reads the message from stdin, and sends files with it', async () => {
    says('ok');
    const file = path.join(cli.folder, 'a.csv');
    writeFileSync(file, 'x,y\n1,2\n');
    expect((await cli.run(['send', slug, '-f', file], { stdin: 'What is in it?\n' })).code).toBe(0);
    const bytes = Buffer.from('x,y\n1,2\n').toString('base64');
    expect(lastMessage()?.parts).toEqual([
      { kind: 'text', text: 'What is in it?\n' },
      { kind: 'file', file: { name: 'a.csv', mimeType: 'text/csv', bytes } },
    ]);
  });

  it('continues the conversation, answers a question, and starts a new conversation with --new', async () => {
    endsAs('input-required', 'Which color?');
    const asked = await cli.run(['send', slug, 'Paint it']);
    expect(asked).toMatchObject({ code: 7, stdout: 'Which color?\n' });
    expect(asked.stderr).toContain(`parley send ${slug}`);
    expect(lastMessage()?.taskId).toBeUndefined();
    expect(lastMessage()?.contextId).toBeUndefined();
    says('Painted');
    await cli.run(['send', slug, 'Blue']);
    expect(lastMessage()).toMatchObject({ contextId: 'agent-context', taskId: 't' });
    await cli.run(['send', slug, 'Thanks']);
    expect(lastMessage()?.contextId).toBe('agent-context');
    expect(lastMessage()?.taskId).toBeUndefined();
    await cli.run(['send', slug, 'Hello', '--new']);
    expect(lastMessage()?.contextId).toBeUndefined();
  });

  it('uses --context and --task-id', async () => {
    endsAs('input-required', 'Which color?');
    const { stdout } = await cli.run(['send', slug, 'Paint it', '--json']);
    const { task } = JSON.parse(stdout.split('\n')[0] ?? '');
    says('Painted');
    const { code } = await cli.run(['send', slug, 'Red', '--context', task.contextId, '--task-id', task.id]);
    expect(code).toBe(0);
    expect(lastMessage()?.taskId).toBe('t');
    expect((await cli.run(['send', slug, 'x', '--new', '--context', 'y'])).code).toBe(2);
  });

  it.each(['failed', 'rejected'])('exits with 6 if the task is %s', async (state) => {
    endsAs(state, 'It did not work');
    expect(await cli.run(['send', slug, 'Do it'])).toMatchObject({ code: 6, stdout: 'It did not work\n' });
  });

  it('strips control characters that an agent sends', async () => {
    says(`a${ESC}[2Jb${ESC}]0;title\u0007c\u009b1md\u202ee`);
    const { stdout } = await cli.run(['send', slug, 'Hi']);
    expect(stdout).toBe('a[2Jb]0;titlec1mde\n');
  });

  it('exits cleanly if its reader closes the pipe', async () => {
    says(...Array.from({ length: 500 }, (_, at) => `line ${at}\n`));
    const run = cli.open(['send', slug, 'Hi']);
    await run.sees('line 499');
    expect(await run.end()).toBe(0);
  });
});

describe('Ctrl-C', () => {
  it('cancels the task at the agent and exits with 130', async () => {
    agent.answer(async ({ received, result, json, gone }) => {
      if (received.method === 'tasks/cancel') {
        json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t', 'canceled') });
        return;
      }
      result(agent03.status('t', 'working', 'Thinking'));
      await gone;
    });
    const run = cli.open(['send', slug, 'Take your time']);
    await run.sees('Thinking');
    run.press('\u0003');
    expect(await run.end()).toBe(130);
    await run.sees('Cancelled.');
    expect(agent.calls('tasks/cancel')).toHaveLength(1);
  });

  it('cancels the task even before the agent’s first event', async () => {
    agent.answer(({ received, json }) => {
      if (received.method === 'tasks/cancel') {
        json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t', 'canceled') });
      }
    });
    const run = cli.open(['send', slug, 'Take your time']);
    await waitFor(() => agent.received.length > 0, { what: 'the agent to be called' });
    run.press('\u0003');
    expect(await run.end()).toBe(130);
    await run.sees('Cancelled.');
    expect(agent.calls('message/stream')).toHaveLength(1);
  });

  it('ends the command without sending a message if it is pressed at the prompt for the message', async () => {
    const run = cli.open(['send', slug]);
    await run.sees('Your message');
    run.press('\u0003');
    expect(await run.end()).toBe(130);
    expect(agent.received).toEqual([]);
  });
});

describe('command output', () => {
  it('includes a prompt for the message in a terminal', async () => {
    says('You said it');
    const run = cli.open(['send', slug]);
    await run.sees('Your message');
    run.press('Hello\r');
    expect(await run.end()).toBe(0);
    await run.sees('You said it');
    expect(lastMessage()?.parts).toEqual([{ kind: 'text', text: 'Hello' }]);
  });

  it('is colored in a terminal, except with NO_COLOR', async () => {
    const colored = cli.open(['search', 'echo']);
    expect(await colored.end()).toBe(0);
    await colored.sees(`${ESC}[1m${slug}`);
    const bare = cli.open(['search', 'echo'], { NO_COLOR: '1' });
    expect(await bare.end()).toBe(0);
    await bare.sees(slug);
    expect(bare.screen).not.toContain(ESC);
  });

  it('is not colored in a pipe', async () => {
    expect((await cli.run(['search', 'echo'])).stdout).not.toContain(ESC);
  });
});

describe('parley auth', () => {
  let signedOut: CommandLine;
  beforeEach(() => {
    signedOut = new CommandLine({ PARLEY_API_URL: parley.url });
  });
  afterEach(() => signedOut.remove());

  it('stores a token from stdin so that only its owner can read it, and deletes it', async () => {
    const login = await signedOut.run(['auth', 'login', '--with-token'], { stdin: `${ada.accessToken}\n` });
    expect(login).toEqual({ code: 0, stdout: '', stderr: `Signed in to ${parley.url} as ${ada.email}.\n` });
    const file = path.join(signedOut.folder, 'config', 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(await signedOut.run(['auth', 'whoami', '--json'], { env: { PARLEY_API_URL: '' } })).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ url: parley.url, email: ada.email, name: 'Ada', scopes: ['agents:read', 'agents:write', 'handshake'] })}\n`,
    });
    expect((await signedOut.run(['auth', 'logout'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(ada.accessToken);
    expect((await signedOut.run(['auth', 'whoami'])).code).toBe(3);
  });

  it('does not store a token that Parley rejects', async () => {
    const { code, stderr } = await signedOut.run(['auth', 'login', '--with-token'], { stdin: 'parley_at_wrong' });
    expect(code).toBe(3);
    expect(stderr).toContain('The access token is unknown, expired or revoked.');
    expect(stderr).not.toContain('parley_at_wrong');
  });

  it('does not accept a token as an argument', async () => {
    expect((await signedOut.run(['auth', 'login', '--token', ada.accessToken])).code).toBe(2);
  });

  it('reports that a sign-in cannot be read instead of reporting the user as signed out', async () => {
    const file = path.join(signedOut.folder, 'config', 'credentials.json');
    mkdirSync(file, { recursive: true });
    const { code, stderr } = await signedOut.run(['auth', 'whoami']);
    expect(code).toBe(1);
    expect(stderr).toContain('EISDIR');
    expect(stderr).not.toContain('not signed in');
  });

  it('explains what to do if the user is signed out', async () => {
    const { code, stderr } = await signedOut.run(['send', slug, 'Hi']);
    expect(code).toBe(3);
    expect(stderr).toContain(`You are not signed in to ${parley.url}.`);
    expect(stderr).toContain('parley auth login');
  });
});

describe('parley tokens', () => {
  it('prints a token for one agent, and nothing else on that line', async () => {
    const { code, stdout } = await cli.run(['tokens', 'get', slug]);
    expect(code).toBe(0);
    const response = await fetch(`${parley.url}/agents/${slug}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: crypto.randomUUID() } }),
    });
    expect(response.status).toBe(200);
  });
});

describe('parley register and parley apps', () => {
  it('list an agent with a newly created app', async () => {
    const created = await cli.run(['apps', 'create', 'From a terminal', '--json']);
    const app = JSON.parse(created.stdout);
    expect(app).toMatchObject({ name: 'From a terminal', clientSecret: expect.stringMatching(/.{40}/) });
    const other = await ScriptedAgent.start({ name: 'Fresh agent' });
    const registered = await cli.run(['register', other.url, '--tags', 'one, two', '--app', app.id]);
    expect(registered).toMatchObject({ code: 0, stdout: `Listed as fresh-agent: ${parley.url}/agents/fresh-agent\n` });
    expect(JSON.parse((await cli.run(['search', 'fresh', '--json'])).stdout).items[0].tags).toEqual(['one', 'two']);
    await other.stop();
  });

  it('rotate a secret without downtime', async () => {
    const { id, clientSecret } = JSON.parse((await cli.run(['apps', 'create', 'Rotating', '--json'])).stdout);
    const second = JSON.parse((await cli.run(['apps', 'add-secret', id, '--json'])).stdout);
    expect(second.clientSecret).not.toBe(clientSecret);
    const [first] = second.secrets;
    expect((await cli.run(['apps', 'remove-secret', id, first.id])).code).toBe(0);
    const { stdout } = await cli.run(['apps', 'list']);
    expect(stdout).toContain('Rotating');
    expect(stdout).not.toContain(first.id);
    expect(stdout).not.toContain(second.clientSecret);
  });

  it('rotate a secret with an overlap that expires by itself', async () => {
    const { id } = JSON.parse((await cli.run(['apps', 'create', 'Overlapping', '--json'])).stdout);
    const add = ['apps', 'add-secret', id, '--json', '--others-end-in-hours'];
    const { secrets } = JSON.parse((await cli.run([...add, '24'])).stdout);
    const hours = secrets.map(({ expiresAt }: { expiresAt: string | null }) =>
      expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000),
    );
    expect(hours.sort()).toEqual([24, null]);
    expect((await cli.run([...add, '5'])).code).toBe(2);
  });

  it('list every error in a card', async () => {
    const { code, stderr } = await cli.run(['register', `${parley.url}/api/agents`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^parley: /);
  });
});

describe('command-line errors', () => {
  it.each([
    ['an unknown agent', ['send', 'nobody', 'Hi'], 4],
    ['an unknown verb', ['sned', 'x'], 2],
    ['a missing argument', ['send'], 2],
    ['an invalid limit', ['search', 'x', '-l', '1000'], 2],
    ['an invalid address', ['search', 'x', '--api-url', 'parley.example'], 2],
    ['an unreachable Parley server', ['search', 'x', '--api-url', 'http://127.0.0.1:9'], 5],
    ['a missing file', ['send', 'x', 'y', '-f', '/nowhere/a.txt'], 2],
    ['a site that is not a Parley server', ['search', 'x', '--api-url', 'AGENT'], 1],
  ])('are reported for %s with an exit code', async (_name, args, expected) => {
    const { code, stdout, stderr } = await cli.run(args.map((word) => (word === 'AGENT' ? agent.url : word)));
    expect(code).toBe(expected);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr).not.toContain(ada.accessToken);
  });

  it('are JSON with --json', async () => {
    const { code, stderr } = await cli.run(['send', 'nobody', 'Hi', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'invalid_target', message: expect.any(String), hint: expect.any(String), exitCode: 4 },
    });
  });
});
