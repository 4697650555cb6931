import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { CommandContext } from '../command-line.js';
import { Forwarder } from '../mcp/forward.js';
import type { Session } from '../session.js';

/** Serves MCP on stdin and stdout by forwarding to Parley's `/mcp`, until stdin ends. */
async function serveMcp({ origin, terminal, signal, accessToken }: Session): Promise<void> {
  const forwarder = new Forwarder({
    url: `${origin}/mcp`,
    accessToken,
    write: (message) => terminal.print(JSON.stringify(message)),
    signal,
  });
  const running = new Set<Promise<void>>();
  const lines = createInterface({ input: process.stdin });
  const stop = (): void => lines.close();
  signal.addEventListener('abort', stop, { once: true });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const forwarded = forwarder.forward(line).finally(() => running.delete(forwarded));
    running.add(forwarded);
  }
  await Promise.all(running);
}

/** Adds `parley mcp`. */
export function addMcp(program: Command, { act }: CommandContext): void {
  program
    .command('mcp')
    .description('serve MCP on stdin and stdout, for hosts without remote servers')
    .action(() => act(serveMcp));
}
