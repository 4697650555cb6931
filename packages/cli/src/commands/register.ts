import { confirm, isCancel } from '@clack/prompts';
import { ParleyError } from '@parley/agent';
import type { Command } from 'commander';
import type { CommandContext } from '../command-line.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

interface RegisterOptions {
  tags?: string[];
  slug?: string;
  visibility?: string;
  app?: string;
  confirmOrigin?: boolean;
  json?: boolean;
}

interface Listed {
  slug: string;
  url: string;
  [member: string]: unknown;
}

interface CardFault {
  line: number;
  column: number;
  pointer: string;
  found: string;
  expected: string;
  fix: string;
}

/** Lists an agent by its URL, or updates its listing. */
async function register(session: Session, url: string, options: RegisterOptions): Promise<void> {
  const { tags, slug, visibility, app: appId, confirmOrigin } = options;
  const agent = await list(session, { url, tags, slug, visibility, appId, confirmOrigin });
  if (options.json) session.terminal.print(JSON.stringify(agent));
  else session.terminal.print(`Listed as ${agent.slug}: ${session.origin}/agents/${agent.slug}`);
}

async function list(session: Session, body: object): Promise<Listed> {
  try {
    return await session.call<Listed>('/api/agents', { body });
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    if (error.code === 'card_invalid') throw withFaults(error);
    if (error.code !== 'confirm_origin') throw error;
    await askOrigin(session, error);
    return session.call<Listed>('/api/agents', { body: { ...body, confirmOrigin: true } });
  }
}

/** @throws {Failure} unless the user confirms at a terminal */
async function askOrigin({ terminal, signal }: Session, { message }: ParleyError): Promise<void> {
  const hint = 'If this is correct, add --confirm-origin.';
  if (!terminal.isInteractive) throw new Failure(EXIT.failed, message, hint);
  const agreed = await confirm({
    message: `${plainLine(message)} Is this correct?`,
    initialValue: false,
    output: process.stderr,
    signal,
  });
  if (isCancel(agreed)) throw new Failure(EXIT.interrupted, 'Nothing was listed.');
  if (!agreed) throw new Failure(EXIT.failed, 'Nothing was listed.', hint);
}

function withFaults({ message, details }: ParleyError): Failure {
  const faults = (Array.isArray(details.faults) ? details.faults : []) as CardFault[];
  const lines = faults.map(({ line, column, pointer, found, expected, fix }) =>
    plainLine(`${line}:${column} ${pointer || 'the card'}: found ${found}, expected ${expected}. ${fix}`),
  );
  return new Failure(EXIT.failed, [message, ...lines].join('\n  '));
}

/** Adds `parley register`. */
export function addRegister(program: Command, { act, all }: CommandContext): void {
  program
    .command('register')
    .description('list an agent, or update its listing')
    .argument('<url>', 'URL of the agent or its card')
    .option('--tags <tags>', 'separated by commas', (list: string) => list.split(',').map((tag) => tag.trim()))
    .option('--slug <slug>', 'slug of the agent in URLs')
    .option('--visibility <who>', 'public, unlisted or private')
    .option('--app <id>', 'developer app that the agent uses to identify callers')
    .option('--confirm-origin', 'confirm that calls may go to a different origin than the card comes from')
    .action((url: string, options: RegisterOptions) => act((session) => register(session, url, all(options))));
}
