import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { CommandLine } from '../support/cli';
import { createPerson, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let host: CardServer;
let ada: Person;
let cli: CommandLine;

beforeAll(async () => {
  host = await CardServer.start();
  parley = await sharedParley();
});
afterAll(() => host?.stop());
beforeEach(async () => {
  ada = await createPerson(parley.url, 'Ada');
  cli = new CommandLine({ PARLEY_API_URL: parley.url, PARLEY_TOKEN: ada.accessToken });
});
afterEach(() => cli.remove());

function agent(name: string, change: object = {}): string {
  const folder = newUuid();
  host.serve(folder, cardV10(host.base(folder), { name, ...change }));
  return `${host.base(folder)}/.well-known/agent-card.json`;
}

function manifest(...urls: string[]): string {
  const entries = urls.map((url, at) => ({
    identifier: `urn:air:acme.com:agent:a${at}`,
    displayName: `Entry ${at}`,
    type: url.includes('agent-card') ? 'application/a2a-agent-card+json' : 'application/mcp-server-card+json',
    url,
  }));
  const name = `/${newUuid()}/ard.json`;
  host.on('GET', name, (_request, response) => response.end(JSON.stringify({ entries })));
  return host.url + name;
}

async function isListed(slug: string): Promise<boolean> {
  return (await fetch(`${parley.url}/api/agents/${slug}`)).status === 200;
}

describe('parley import', () => {
  it('checks agents but lists none with --dry-run', async () => {
    const url = manifest(agent('Barge dry'), 'https://acme.com/mcp.json');
    const { code, stdout, stderr } = await cli.run(['import', url, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^can be listed {2}Barge dry {2}http:\/\/127\.0\.0\.1/);
    expect(stdout).toContain('refused        Entry 1  urn:air:acme.com:agent:a1\n');
    expect(stdout).toContain('Found an MCP server (application/mcp-server-card+json); expected an A2A agent card.');
    expect(stderr).toBe('1 agent can be listed. To list them, run the command without --dry-run.\n');
    expect(await isListed('barge-dry')).toBe(false);
  });

  it('lists no agent outside a terminal unless --yes is given, in which case it reports each agent', async () => {
    const url = manifest(...Array.from({ length: 23 }, (_, at) => agent(`Barge number ${at}`)));
    const asked = await cli.run(['import', url]);
    expect([asked.code, asked.stderr]).toEqual([
      1,
      'parley: 23 agents can be listed. Nothing was listed.\nTo list them without confirmation, add --yes.\n',
    ]);
    const { code, stdout, stderr } = await cli.run(['import', url, '--yes', '--tags', 'river,barge']);
    expect([code, stderr]).toEqual([0, '23 agents listed.\n']);
    expect(stdout.match(/^listed {9}Barge number \d+ {2}http/gm)).toHaveLength(23);
    const again = await cli.run(['import', url, '--yes']);
    expect([again.code, again.stderr]).toEqual([0, 'There is nothing to list.\n']);
  });

  it('prompts for confirmation in a terminal, and lists agents after a yes', async () => {
    const terminal = cli.open(['import', manifest(agent('Barge asked'))]);
    await terminal.sees('List 1 agent?');
    terminal.press('y');
    await terminal.sees('1 agent listed.');
    expect(await terminal.end()).toBe(0);
  });

  it('reads a file or stdin', async () => {
    const file = path.join(cli.folder, 'cards.json');
    writeFileSync(file, JSON.stringify([agent('Barge of a file')]));
    expect((await cli.run(['import', file, '--yes', '--visibility', 'unlisted'])).code).toBe(0);
    const stdin = JSON.stringify({ agents: [{ cardUrl: agent('Barge of stdin') }] });
    const { code, stdout } = await cli.run(['import', '-', '--yes'], { stdin });
    expect(code).toBe(0);
    expect(stdout).toContain('Barge of stdin');
  });

  it('requires --confirm-origins for agents whose calls go to another origin', async () => {
    const interfaces = [{ url: 'https://else.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    const url = manifest(agent('Barge elsewhere', { supportedInterfaces: interfaces }));
    const { code, stdout } = await cli.run(['import', url, '--yes']);
    expect(code).toBe(1);
    expect(stdout).toContain('sends calls to https://else.example. If this is correct, add --confirm-origins.');
    expect((await cli.run(['import', url, '--yes', '--confirm-origins'])).code).toBe(0);
  });

  it('prints a single JSON object with --json', async () => {
    const url = manifest(agent('Barge as JSON'), 'https://acme.com/mcp.json');
    const { stdout } = await cli.run(['import', url, '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      source: url,
      format: 'ard',
      omitted: 0,
      entries: [
        { number: 1, name: 'Barge as JSON', state: 'listed', slug: 'barge-as-json', problem: null },
        { number: 2, state: 'refused', slug: null, problem: { code: 'not_an_agent' } },
      ],
    });
  });

  it('reports a URL without a list, and removes control characters from third-party text', async () => {
    const { code, stderr } = await cli.run(['import', `${host.url}/nothing.json`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^parley: .*returned HTTP 404; expected 200 and a list of agents in JSON\.\n/);
    const stdin = JSON.stringify({ servers: [{ server: { name: '\u001b[2J\u202eevil' } }] });
    const { stdout } = await cli.run(['import', '-', '--dry-run'], { stdin });
    expect(stdout).toContain('[2Jevil');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
  });
});
