import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { CommandContext } from '../command-line.js';
import type { Session } from '../session.js';
import { type TypedCard, writeClient } from '../types/write-client.js';

/** Prints or writes a typed client of an agent. */
async function writeTypes(session: Session, agent: string, { output }: { output?: string }): Promise<void> {
  const path = `/agents/${encodeURIComponent(agent)}/.well-known/agent-card.json`;
  const card = await session.callOpenly<TypedCard>(path);
  const text = writeClient(agent, card);
  if (output === undefined) {
    session.terminal.print(text.trimEnd());
    return;
  }
  await writeFile(output, text);
  session.terminal.say(`Written to ${output}.`);
}

/** Adds `parley types`. */
export function addTypes(program: Command, { act, all }: CommandContext): void {
  program
    .command('types')
    .description('write a typed TypeScript client of an agent, from its card')
    .argument('<agent>', 'slug of the agent')
    .option('-o, --output <file>', 'file to write; default: print')
    .action((agent: string, options: { output?: string }) =>
      act((session) => writeTypes(session, agent, all(options))),
    );
}
