import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChooseTool } from '@parley/agent/mcp';
import { connect, type Connection as Served } from '@parley/agent/serve';
import { serveMcpProcess } from '@/packages/cli/src/serve-mcp/serve-mcp';
import type { Session } from '@/packages/cli/src/session';
import { connectTo, listAgent, message10, type Person, rpc, send, withHeaders } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

const FAKE_SERVER = `"${process.execPath}" "${path.resolve('tests/fakes/mcp-stdio-server.mjs')}"`;

export interface Part {
  text?: string;
  raw?: string;
  url?: string;
  data?: Record<string, unknown>;
  mediaType?: string;
  filename?: string;
  metadata?: Record<string, unknown>;
}

export interface Task {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: Part[] } };
  artifacts?: { name?: string; parts: Part[] }[];
}

/** Lists the MCP server at a URL, sends it parts in A2A 1.0, and returns the task when its turn has ended. */
export async function callServer(
  { url, person, server }: { url: string; person: Person; server: string },
  parts: object[] = [{ data: { tool: 'go' } }],
  more: object = {},
): Promise<Task> {
  const slug = await listAgent(url, person, { url: server });
  const connection = withHeaders(await connectTo(url, person, slug), { 'a2a-version': '1.0' });
  return taskOf((await rpc(connection, 'SendMessage', message10('', { parts, ...more }))).body);
}

/** Returns the task of a response. A failure before the task is confirmed is an error of the send. */
export function taskOf({ error, result }: Awaited<ReturnType<typeof rpc>>['body']): Task {
  return error ? ({ status: { state: 'TASK_STATE_FAILED' } } as Task) : (result as { task: Task }).task;
}

/** An MCP server that the command line serves in this process. */
export class McpServing {
  /** The lines for the operator. */
  readonly lines: string[] = [];
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'parley-mcp-'));
  private readonly controller = new AbortController();
  private constructor(
    readonly parley: SharedParley,
    readonly agent: HubAgent,
  ) {}

  private served: Served | null = null;
  private close: () => Promise<void> = async () => undefined;

  /** Starts a server and waits until its agent is online. `fake`: options of the fake server. */
  static async start({
    choose,
    command = FAKE_SERVER,
    fake = {},
    env = {},
  }: {
    choose?: ChooseTool;
    command?: string;
    fake?: object;
    env?: object;
  } = {}) {
    const parley = await sharedParley();
    const serving = new McpServing(parley, await listHubAgent(parley));
    const file = path.join(serving.folder, 'fake.json');
    writeFileSync(file, JSON.stringify(fake));
    await serving.begin({ command, choose }, { ...process.env, FAKE_MCP: file, ...env });
    return serving;
  }

  private async begin(given: { command: string; choose?: ChooseTool }, environment: NodeJS.ProcessEnv): Promise<void> {
    const { agent, parley, controller, lines } = this;
    const terminal = { say: (line: string) => lines.push(line) };
    const session = { environment, signal: controller.signal, terminal } as object as Session;
    const server = await serveMcpProcess(session, { ...given, onCard: (card) => this.served?.replaceCard(card) });
    this.close = server.close;
    const { handle, card } = server;
    this.served = await connect({ url: parley.url, agent: agent.slug, token: agent.token, handle, card, capacity: 8 });
    await waitFor(() => this.served?.state === 'online', { what: 'the worker to be online' });
  }

  /** Sends parts, and returns the task when its turn has ended. */
  async ask(parts: Part[], more: object = {}): Promise<Task> {
    const { body } = await rpc(this.caller, 'SendMessage', message10('', { parts, ...more }));
    if (body.error) throw new Error(JSON.stringify(body.error));
    return (body.result as { task: Task }).task;
  }

  /** Calls a tool by data. */
  call(tool: string, args?: object, more: object = {}): Promise<Task> {
    return this.ask([{ data: { tool, ...(args && { arguments: args }) } }], more);
  }

  get caller() {
    return withHeaders(this.agent.caller, { 'a2a-version': '1.0' });
  }

  /** The skills of the listed card. */
  async skills(): Promise<{ id: string; name: string; tags: string[]; examples?: string[] }[]> {
    const { url } = this.parley;
    const response = await send(`${url}/agents/${this.agent.slug}/.well-known/agent-card.json`, { method: 'GET' });
    return ((await response.json()) as { skills: never[] }).skills;
  }

  async stop(): Promise<void> {
    await this.served?.drain({ timeoutMs: 0 });
    await this.close();
    this.controller.abort();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const partsOf = ({ artifacts = [] }: Task): Part[] => artifacts.flatMap(({ parts }) => parts);
export const textOf = (task: Task): string =>
  partsOf(task)
    .map(({ text }) => text ?? '')
    .join('');
export const questionOf = ({ status }: Task) => status.message?.parts[0]?.data;
export const reasonOf = ({ status }: Task) => status.message?.parts[0]?.text;
