import { Command } from 'commander';
import type { Act, CommandContext, GlobalOptions } from './command-line.js';
import { addApps } from './commands/apps.js';
import { addAuth } from './commands/auth.js';
import { addCart } from './commands/carts.js';
import { addImport } from './commands/import.js';
import { addMcp } from './commands/mcp.js';
import { addRegister } from './commands/register.js';
import { addSearch } from './commands/search.js';
import { addSend } from './commands/send.js';
import { addServe } from './commands/serve.js';
import { addTest } from './commands/test.js';
import { addTokens } from './commands/tokens.js';
import { addTypes } from './commands/types.js';
import { addWallet } from './commands/wallet.js';

/** Creates the command line: commands, options and help. `act` creates a command's session and runs the command. */
export function createProgram(act: Act, version: string): Command {
  const program = new Command('parley')
    .description('Find, call and list A2A agents.')
    .version(version)
    .option(
      '--api-url <origin>',
      'origin of the Parley to use (default: PARLEY_API_URL, or the last one you signed in to)',
    )
    .option('--json', 'print JSON')
    .showHelpAfterError('Try: parley --help')
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 rejected or failed, 2 invalid command line, 3 not signed in, 4 not found,\n5 no response, 6 task failed, 7 waiting for your reply, 8 not paid, 130 interrupted.',
    );
  const context: CommandContext = { act, all: (options) => ({ ...program.opts<GlobalOptions>(), ...options }) };
  const commands = [
    addAuth,
    addSearch,
    addSend,
    addRegister,
    addImport,
    addServe,
    addTest,
    addMcp,
    addTokens,
    addTypes,
    addApps,
    addWallet,
    addCart,
  ];
  for (const add of commands) {
    add(program, context);
  }
  return program;
}
