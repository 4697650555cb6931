import { chooseWithModel } from '@parley/agent/mcp';
import {
  type Connection,
  connect,
  type FromOpenAIOptions,
  fromOpenAI,
  type Handler,
  type TurnSummary,
  type WorkerState,
} from '@parley/agent/serve';
import type { Command } from 'commander';
import { type CommandContext, wholeNumber } from '../command-line.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { bridgeTo } from '../serve/bridge.js';
import { watchHandler } from '../serve/load-handler.js';
import { findLocalAgent } from '../serve/local-agent.js';
import { findServeCredentials } from '../serve/serve-credentials.js';
import { serveMcpProcess } from '../serve-mcp/serve-mcp.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

interface ServeOptions {
  agent: string;
  create?: boolean;
  capacity?: number;
  repeat?: boolean;
  browser: boolean;
  json?: boolean;
  /** Command that starts an MCP server. */
  mcp?: string;
  /** Base URL of an OpenAI-compatible API. */
  openai?: string;
  model?: string;
  system?: string;
}

/** The served agent, and the resources to release at the end of the command. */
interface Served {
  handle: Handler;
  /** Card of the file or the local server. */
  card?: object;
  /** True if the card follows the source, so that it is sent to Parley on each connection. */
  sendsCard?: boolean;
  close: () => Promise<void>;
}

const MAX_CAPACITY = 100;
/** Maximum time of running turns after Ctrl-C, in milliseconds. */
const DRAIN_MS = 25_000;

/** Connects a file, a local A2A server, an MCP server or a model to Parley, and serves its callers until Ctrl-C. */
async function serve(session: Session, source: string | undefined, options: ServeOptions): Promise<void> {
  const { origin, terminal, signal } = session;
  const { agent, capacity, repeat, browser } = options;
  let connection: Connection | null = null;
  requireOneSource(source, options);
  const served = await open(
    session,
    { source, options },
    {
      onHandler: (handle) => connection?.replaceHandler(handle),
      onCard: (card) => connection?.replaceCard(card),
    },
  );
  try {
    const credentials = await findServeCredentials(session, { browser });
    if (options.create) await list(session, agent, served.card);
    signal.throwIfAborted();
    connection = await connect({
      ...credentials,
      url: origin,
      agent,
      handle: served.handle,
      redelivery: repeat ? 'safe' : 'never',
      ...(capacity !== undefined && { capacity }),
      ...(served.sendsCard && { card: served.card }),
      onTurn: (summary) => showTurn(session, summary, options),
      onState: (state, detail) => showState(session, { state, detail }, options),
      onError: (error, what) => terminal.say(`${what} failed: ${plainLine(messageOf(error))}`),
    });
    if (!options.json)
      terminal.say(`Serving ${agent} at ${origin}/agents/${agent}. Press Ctrl-C to finish running turns and stop.`);
    await untilStopped(connection, signal);
  } finally {
    await served.close();
  }
}

/** Waits for Ctrl-C, which drains; the second one ends the process. */
async function untilStopped(connection: Connection, signal: AbortSignal): Promise<void> {
  const drain = (): void => void connection.drain({ timeoutMs: DRAIN_MS });
  signal.addEventListener('abort', drain, { once: true });
  if (signal.aborted) drain();
  await connection.closed;
}

function requireOneSource(source: string | undefined, { openai, mcp }: ServeOptions): void {
  const given = [source, openai, mcp].filter((value) => value !== undefined);
  // With a server, a model chooses its tools.
  if (source === undefined && openai !== undefined && mcp !== undefined) return;
  if (given.length > 1) throw new Failure(EXIT.usage, 'Expected either a file or URL to serve, or --mcp, or --openai.');
}

/** Called when the source of the agent has changed. */
interface Changes {
  onHandler: (handle: Handler) => void;
  onCard: (card: object) => void;
}

/** Opens the source of the agent. A file is reloaded when it changes; an MCP server announces changes of its tools. */
async function open(
  session: Session,
  { source, options }: { source: string | undefined; options: ServeOptions },
  { onHandler, onCard }: Changes,
): Promise<Served> {
  const { terminal, signal } = session;
  if (options.mcp !== undefined) {
    const choose = options.openai === undefined ? undefined : chooseWithModel(readModel(session, options));
    return { ...(await serveMcpProcess(session, { command: options.mcp, choose, onCard })), sendsCard: true };
  }
  if (source === undefined) return openModel(session, options);
  if (/^https?:\/\//.test(source)) {
    const local = await findLocalAgent(source, signal);
    return { handle: bridgeTo(local), card: local.card, close: async () => undefined };
  }
  return watchHandler({
    file: source,
    onChange: ({ handle }) => {
      onHandler(handle);
      terminal.say(`Loaded ${source} again.`);
    },
    onError: (message) => terminal.say(`${source} was not reloaded: ${plainLine(message)}`),
  });
}

/**
 * Opens a model. The key comes from the environment: other users of this machine can read the arguments of a command.
 */
function openModel(session: Session, options: ServeOptions): Served {
  return { ...fromOpenAI(readModel(session, options)), close: async () => undefined };
}

function readModel({ environment }: Session, { openai: url, model, system }: ServeOptions): FromOpenAIOptions {
  if (url === undefined || model === undefined) {
    const hint = 'Or pass --mcp with a command, or --openai and --model for a model behind an OpenAI-compatible API.';
    throw new Failure(EXIT.usage, 'Expected a file or the URL of a local server.', hint);
  }
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new Failure(EXIT.usage, `"${url}" is not a URL.`, 'Expected a base URL such as https://api.example/v1.');
  const apiKey = environment.OPENAI_API_KEY?.trim() || undefined;
  return { url, model, apiKey, system };
}

/** Lists the agent as one that connects to Parley, or updates its card. */
async function list(session: Session, slug: string, card: object | undefined): Promise<void> {
  await session.call('/api/agents', { body: { hub: true, slug, ...(card && { card }) } });
}

/** Prints one line per turn. */
function showTurn(
  { terminal }: Session,
  { turn, outcome, durationMs, error }: TurnSummary,
  { json }: ServeOptions,
): void {
  const { taskId, contextId } = turn;
  const message = error === undefined ? null : messageOf(error);
  if (json) {
    terminal.print(JSON.stringify({ turn: { taskId, contextId, outcome, durationMs, error: message } }));
    return;
  }
  const seconds = (durationMs / 1_000).toFixed(1);
  const why = message === null ? '' : `: ${plainLine(message)}`;
  terminal.say(`${new Date().toISOString()} task ${plainLine(taskId)} ${outcome} in ${seconds} s${why}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function showState(
  { terminal }: Session,
  { state, detail }: { state: WorkerState; detail: string | null },
  { json }: ServeOptions,
): void {
  if (json) {
    terminal.print(JSON.stringify({ state, detail }));
    return;
  }
  const texts: Record<WorkerState, string> = {
    connecting: `Not connected${detail === null ? '' : ` (${plainLine(detail)})`}; retrying.`,
    online: 'Connected.',
    draining: 'Finishing running turns.',
    stopped: 'Stopped.',
  };
  terminal.say(texts[state]);
}

/** Reads a slug in Parley's notation. */
function readSlug(text: string): string {
  if (/^[a-z0-9-]{1,60}$/.test(text)) return text;
  throw new Failure(EXIT.usage, `"${text}" is not a valid slug.`, 'Expected lowercase letters, digits and hyphens.');
}

/** Adds `parley serve`. */
export function addServe(program: Command, { act, all }: CommandContext): void {
  program
    .command('serve')
    .description('connect an agent that has no public URL: a file, an A2A or MCP server on this machine, or a model')
    .argument('[file-or-url]', 'file that exports a handler, or URL of a local server')
    .requiredOption('--agent <slug>', 'slug of the agent on Parley')
    .option('--create', 'list the agent first, or update its card')
    .option('--capacity <n>', 'number of concurrent turns (default: 4)', wholeNumber(MAX_CAPACITY))
    .option('--repeat', 'allow turns that are lost with this process to be restarted')
    .option(
      '--mcp <command>',
      'command that starts an MCP server on stdin and stdout; its tools become skills; with --openai, a model chooses among them',
    )
    .option('--openai <url>', 'base URL of an OpenAI-compatible API; its key is read from OPENAI_API_KEY')
    .option('--model <name>', 'model of that API')
    .option('--system <text>', 'system prompt for that model')
    .option('--no-browser', 'do not open a browser to sign in')
    .action((source: string | undefined, options: ServeOptions) =>
      act((session) => serve(session, source, all({ ...options, agent: readSlug(options.agent) }))),
    );
}
