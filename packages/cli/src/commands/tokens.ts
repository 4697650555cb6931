import type { Command } from 'commander';
import { callApi } from '../api.js';
import type { CommandContext } from '../command-line.js';
import { CLIENT_ID } from '../device-sign-in.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { readAll } from '../read-input.js';
import type { Session } from '../session.js';

/** Prints a token for one agent, for use with other tools. */
async function getToken(session: Session, agent: string, { json }: { json?: boolean }): Promise<void> {
  const token = await session.client().handshake(agent);
  session.terminal.print(json ? JSON.stringify(token) : token.token);
}

/** Revokes the token on stdin (RFC 7009). */
async function revokeToken({ origin, terminal, signal }: Session): Promise<void> {
  const token = (await readAll(process.stdin)).trim();
  if (token === '') {
    throw new Failure(
      EXIT.usage,
      'Found no token on stdin; expected one.',
      'For example: parley tokens revoke < token.txt',
    );
  }
  await callApi(origin, '/api/auth/revoke', { form: { token, client_id: CLIENT_ID }, signal });
  terminal.say('Revoked, if the token was yours.');
}

/** Adds `parley tokens`. */
export function addTokens(program: Command, { act, all }: CommandContext): void {
  const tokens = program.command('tokens').description('get and revoke tokens for other tools');
  tokens
    .command('get')
    .description('print a token for one agent, valid for 15 minutes')
    .argument('<agent>', 'slug of the agent')
    .action((agent: string) => act((session) => getToken(session, agent, all({}))));
  tokens
    .command('revoke')
    .description('revoke the token on stdin')
    .action(() => act(revokeToken));
}
