import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '@parley/agent/test';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startSwitchable, texts } from '../fakes/faulty-agents';
import { plantedFaults } from '../fakes/planted-faults';
import { CommandLine } from '../support/cli';

/** A command line without a Parley. */
let cli: CommandLine;

beforeAll(() => {
  cli = new CommandLine({ PARLEY_API_URL: 'http://127.0.0.1:9' });
});
afterAll(() => cli?.remove());

const namedTexts = Object.entries(texts).flatMap(([name, text]) => [`--${name}`, String(text)]);

function failuresOf({ results }: Report): string[] {
  return results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

function write(name: string, text: string): string {
  const file = path.join(cli.folder, name);
  writeFileSync(file, text);
  return file;
}

describe('parley test', () => {
  it('finds nothing in an agent without a fault', async () => {
    const agent = await startSwitchable();
    const { code, stdout, stderr } = await cli.run(['test', agent.url, ...namedTexts]);
    await agent.close();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^✓ card\.readable {16}The card is served at its well-known path$/m);
    expect(stdout).toMatch(/\nok Planted 1\.0\.0: 42 passed, 0 failed, 0 skipped \(\d+\.\d s\)\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  test.concurrent.for(plantedFaults)('finds $fault by the check $check alone', { timeout: 90_000 }, async (planted) => {
    const agent = await startSwitchable();
    try {
      await agent.plant(planted);
      const timeout = planted.isSlow ? ['--timeout', '3'] : [];
      const { code, stdout, stderr } = await cli.run(['test', agent.url, '--json', ...namedTexts, ...timeout]);
      expect(failuresOf(JSON.parse(stdout) as Report), `${stdout}${stderr}`).toEqual([planted.check]);
      expect(code).toBe(1);
    } finally {
      await agent.close();
    }
  });

  it('tests the handler of a file, and explains what is wrong with it', async () => {
    const good = write('good.mjs', 'export async function* handle(turn) { yield turn.text; }');
    expect(await cli.run(['test', good])).toMatchObject({ code: 0, stderr: '' });
    const text = `export const card = { name: '' };
      export async function* handle() { throw new Error('no model'); }`;
    const { code, stdout, stderr } = await cli.run(['test', write('bad.mjs', text), '--only', 'card,examples']);
    expect([code, stderr]).toEqual([1, 'The handler failed: no model\n']);
    expect(stdout).toContain(
      '✗ card.members                 The card has its required members\n    in        agent card\n',
    );
    expect(stdout).toMatch(
      /found {5}name: ""\n {4}expected {2}a card with name\n {4}to do {5}Add name to the card\.\n/,
    );
    expect(stdout).toContain('docs      http://127.0.0.1:9/docs/test-your-agent#card\n');
  });

  it('starts an agent by a command with a port, and stops it', async () => {
    const agent = write(
      'agent.mjs',
      `import { createServer } from 'node:http';
       const url = 'http://127.0.0.1:' + process.env.PORT;
       const card = { name: 'Started ' + process.pid, description: 'd', version: '1', skills: [], capabilities: {},
         defaultInputModes: [], defaultOutputModes: [],
         supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] };
       createServer((request, response) => response.end(JSON.stringify(card))).listen(process.env.PORT, '127.0.0.1');`,
    );
    const { code, stdout } = await cli.run(['test', '--only', 'card', '--json', '--', process.execPath, agent]);
    const report = JSON.parse(stdout) as Report;
    expect([code, report.passed]).toEqual([0, 6]);
    const pid = Number(report.agent?.name.split(' ')[1]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const failing = await cli.run(['test', '--', process.execPath, '-e', 'console.error("no key"); process.exit(3)']);
    expect(failing).toMatchObject({
      code: 1,
      stderr: 'parley: The agent could not be started: it ended with code 3.\nno key\n',
    });
  });

  it('writes JUnit XML, and annotations of GitHub Actions', async () => {
    const file = write(
      'half.mjs',
      "export const card = { name: '<A & B>', version: '' };\nexport async function handle() { return 'x'; }",
    );
    const junit = path.join(cli.folder, 'junit.xml');
    const env = { GITHUB_ACTIONS: 'true' };
    const { code, stdout, stderr } = await cli.run(
      ['test', file, '--only', 'card,cart.total', '--junit', junit, '--json'],
      { env },
    );
    expect([code, failuresOf(JSON.parse(stdout) as Report)]).toEqual([1, ['card.members']]);
    expect(stderr).toBe(
      '::error title=parley test%3A card.members::agent card%0AFound: version: ""%0AExpected: a card with version%0AAdd version to the card.\n',
    );
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<testsuites name="parley test" tests="7" failures="1" skipped="1"');
    expect(xml).toContain('<testsuite name="&lt;A &amp; B&gt;: card" tests="6" failures="1" errors="0" skipped="0"');
    expect(xml).toContain('<failure message="version: &quot;&quot;" type="card.members">');
    expect(xml).toContain('<skipped message="The card declares no extension of AP2."/>');
  });

  it('sends a token of the environment, and says which one is missing', async () => {
    const agent = await startSwitchable();
    const env = { AGENT_TOKEN: 'secret-token' };
    const sent = await cli.run(['test', agent.url, '--only', 'messages.json', '--token-env', 'AGENT_TOKEN'], { env });
    await agent.close();
    expect([sent.code, sent.stdout.includes('secret-token')]).toEqual([0, false]);
    expect(await cli.run(['test', agent.url, '--token-env', 'NOT_SET'])).toMatchObject({
      code: 2,
      stderr: 'parley: The environment variable NOT_SET is empty; expected a token.\n',
    });
  });

  it.each([
    [[], 2, 'Expected a file, a URL, or a command after --.'],
    [['missing.mjs'], 1, 'File missing.mjs not found.'],
    [
      ['http://127.0.0.1:1', '--only', 'nothing'],
      2,
      '"nothing" is not a check; expected an id, or one of card, messages',
    ],
    [['--', 'no-such-program-here'], 1, 'The agent could not be started: spawn no-such-program-here ENOENT.'],
  ] as const)('with %j exits with %i', async (args, code, message) => {
    const run = await cli.run(['test', ...args]);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toContain(message);
  });
});

it('the example of @parley/agent/test runs', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['dist/examples/test-agent.mjs'], {
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([0, 'Sunny in Rome.\nSunny in Rome.\nok\n', '']);
});
