import { answerMcpTurn, type ChooseTool, cardOfTools, McpError, WaitingCalls } from '@parley/agent/mcp';
import { type Handler, TurnError } from '@parley/agent/serve';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';
import { McpProcess } from './mcp-process.js';
import { splitCommand } from './start-process.js';

/** An MCP server as an agent. */
export interface ServedMcp {
  handle: Handler;
  /** The card, whose skills are the tools. */
  card: object;
  close: () => Promise<void>;
}

/**
 * Starts an MCP server and returns its tools as an agent.
 * @throws {Failure} if it cannot be started, or does not speak MCP
 */
export async function serveMcpProcess(
  { environment, signal, terminal }: Session,
  { command, choose, onCard }: { command: string; choose?: ChooseTool; onCard: (card: object) => void },
): Promise<ServedMcp> {
  const waiting = new WaitingCalls((callback, ms) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  });
  let written = '';
  const server = await McpProcess.start({
    command: splitCommand(command),
    environment,
    client: { name: 'parley-serve', version: '1.0.0' },
    signal,
    say: (line) => terminal.say(plainLine(line)),
    onTools: (info, tools) => {
      const card = cardOfTools(info, tools);
      if (JSON.stringify(card) === written) return;
      written = JSON.stringify(card);
      onCard(card);
    },
  });
  const { info, tools } = server.description;
  const card = cardOfTools(info, tools);
  written = JSON.stringify(card);
  async function* handle(turn: Parameters<Handler>[0]): ReturnType<typeof answerMcpTurn> {
    const { taskId, contextId, message, history, caller, signal: stop } = turn;
    const group = { agent: '', caller: caller?.subject ?? contextId };
    const running = await server.ready(stop).catch((error: unknown) => {
      throw error instanceof McpError ? new TurnError(error.message) : error;
    });
    yield* answerMcpTurn(
      { taskId, contextId, parts: message.parts, history, signal: stop, group },
      { ...running, waiting, choose },
    );
  }
  const close = async (): Promise<void> => {
    waiting.clear();
    await server.stop();
  };
  return { handle, card, close };
}
