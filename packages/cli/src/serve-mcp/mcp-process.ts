import { setTimeout as sleep } from 'node:timers/promises';
import { initialize, listTools, McpError, type McpServerInfo, type McpTool } from '@parley/agent/mcp';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { plainLine } from '../terminal.js';
import { endProcess, type ServerProcess, startProcess } from './start-process.js';
import { StdioTransport } from './stdio-transport.js';

export interface McpProcessOptions {
  command: [string, ...string[]];
  environment: NodeJS.ProcessEnv;
  client: { name: string; version: string };
  signal: AbortSignal;
  /** Shows a line to the operator. */
  say: (line: string) => void;
  /** Called when the server's tools have changed. */
  onTools: (server: McpServerInfo, tools: McpTool[]) => void;
}

/** A started server with its tools. */
interface Started {
  child: ServerProcess;
  transport: StdioTransport;
  info: McpServerInfo;
  tools: McpTool[];
}

/** Delays before restarts, in milliseconds; the last one repeats. A server that ran for a minute starts again at once. */
const RESTART_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000];
const STABLE_MS = 60_000;
/** Maximum time for which a turn waits for a restart, in milliseconds. */
const WAIT_MS = 15_000;
/** Minimum time between two lists of tools, in milliseconds. */
const REFRESH_MS = 500;
const MAX_STDERR_LINE = 2_000;
const LAST_LINES = 8;

/** An MCP server in a process, which is started again after it ends. */
export class McpProcess {
  private current: Started | null = null;
  private failures = 0;
  private isStopped = false;
  /** The server announced a change that has not been read; it is being read. */
  private isStale = false;
  private isRefreshing = false;
  private waiters: (() => void)[] = [];
  /** The latest lines of stderr. */
  private lastLines: string[] = [];

  private constructor(private readonly options: McpProcessOptions) {}

  /**
   * Starts a server and lists its tools.
   * @throws {Failure} if it cannot be started, or does not speak MCP
   */
  static async start(options: McpProcessOptions): Promise<McpProcess> {
    const server = new McpProcess(options);
    try {
      await server.open();
    } catch (error) {
      await server.stop();
      options.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      const last = server.lastLines.length === 0 ? '' : ` Its last output: ${server.lastLines.join(' ')}`;
      throw new Failure(EXIT.failed, `The MCP server "${options.command.join(' ')}" did not start. ${reason}${last}`);
    }
    return server;
  }

  /** The server's description and tools, as of its last start or change. */
  get description(): { info: McpServerInfo; tools: McpTool[] } {
    if (!this.current) throw new McpError('The MCP server is not running.');
    return this.current;
  }

  /**
   * Returns the running server; waits while it is started again.
   * @throws {McpError} if it does not run in time
   */
  async ready(signal: AbortSignal): Promise<Pick<Started, 'transport' | 'tools'>> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    while (!this.current && !this.isStopped && !deadline.aborted)
      await new Promise<void>((resolve) => {
        this.waiters.push(resolve);
        deadline.addEventListener('abort', () => resolve(), { once: true });
      });
    signal.throwIfAborted();
    if (!this.current) throw new McpError('The MCP server is not running. It is being started again; try later.');
    return this.current;
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const { current } = this;
    this.wake();
    if (current) await endProcess(current.child);
  }

  private async open(): Promise<void> {
    const { command, environment, client, signal, say } = this.options;
    const child = startProcess(command, environment);
    const transport = new StdioTransport(child.stdin, {
      onToolsChanged: () => void this.refresh(transport),
      onNote: say,
    });
    child.stdout.on('data', transport.read);
    child.stdin.on('error', () => undefined);
    this.showErrors(child);
    const startedAt = performance.now();
    const ended = new Promise<McpError>((resolve) => {
      child.once('error', (error) => resolve(new McpError(`It could not be executed: ${error.message}.`)));
      child.once('close', (code, by) => resolve(new McpError(`The MCP server ended (${by ?? `exit code ${code}`}).`)));
    });
    void ended.then((error) => transport.close(error));
    this.isStale = false;
    try {
      const info = await initialize(transport, { signal, client });
      const tools = await listTools(transport, { signal });
      this.current = { child, transport, info, tools };
    } catch (error) {
      await endProcess(child);
      throw error;
    }
    this.wake();
    if (this.isStale) void this.refresh(transport);
    void ended.then((error) => this.restart(error, performance.now() - startedAt));
  }

  private showErrors(child: ServerProcess): void {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${text}${chunk}`.split(/\r?\n/);
      text = (lines.pop() ?? '').slice(-MAX_STDERR_LINE);
      for (const line of lines) {
        if (line.trim() === '') continue;
        const shown = plainLine(line.slice(0, MAX_STDERR_LINE));
        this.lastLines = [...this.lastLines, shown].slice(-LAST_LINES);
        this.options.say(`mcp: ${shown}`);
      }
    });
  }

  /**
   * Lists the tools again after the server announced a change; changes that follow quickly are one. Calls that are running
   * continue.
   */
  private async refresh(transport: StdioTransport): Promise<void> {
    this.isStale = true;
    if (this.isRefreshing || this.current?.transport !== transport) return;
    this.isRefreshing = true;
    const { signal, say, onTools } = this.options;
    try {
      while (this.isStale && this.current?.transport === transport && !this.isStopped) {
        this.isStale = false;
        const tools = await listTools(transport, { signal });
        if (this.current?.transport !== transport) return;
        this.current = { ...this.current, tools };
        onTools(this.current.info, tools);
        await sleep(REFRESH_MS, undefined, { signal });
      }
    } catch (error) {
      if (!this.isStopped && !signal.aborted) say(`The new list of tools was not read. ${messageOf(error)}`);
    } finally {
      this.isRefreshing = false;
    }
  }

  private async restart(error: McpError, ranMs: number): Promise<void> {
    this.current = null;
    const { signal, say } = this.options;
    for (let isFirst = true; !this.isStopped && !signal.aborted; isFirst = false) {
      this.failures = isFirst && ranMs > STABLE_MS ? 0 : this.failures + 1;
      const delayMs = RESTART_MS[Math.min(this.failures, RESTART_MS.length) - 1] ?? 0;
      say(`${isFirst ? `${error.message} ` : ''}Starting the MCP server again in ${delayMs / 1_000} s.`);
      try {
        await sleep(delayMs, undefined, { signal });
        if (this.isStopped) return;
        await this.open();
        this.options.onTools(this.description.info, this.description.tools);
        return;
      } catch (failure) {
        if (!signal.aborted) say(messageOf(failure));
      }
    }
  }

  private wake(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }
}

function messageOf(error: unknown): string {
  return plainLine(error instanceof Error ? error.message : String(error));
}
