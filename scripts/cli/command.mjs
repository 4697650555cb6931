import { parseArgs } from 'node:util';
import { CliError } from '../cli-output.mjs';
import { primaryUrl } from '../primary-url.mjs';

/**
 * @typedef {object} Command
 * @property {string} summary one line for the list of commands
 * @property {string} usage the arguments after the name, one form per line
 * @property {string} help its effect, and each option
 * @property {Record<string, { type: 'string' | 'boolean', default?: string | boolean }>} options
 * @property {number} most the maximum number of arguments in addition to options
 * @property {(input: { values: Record<string, string | boolean | undefined>, args: string[], cwd: string }) =>
 *   Promise<number | void>} run returns the exit code, 0 by default; `null` while the process continues to serve
 */

/** The error for a command line that cannot be run. The exit code is 2. */
export class UsageError extends CliError {
  exitCode = 2;
}

/** The options of every command. */
const COMMON = { 'env-file': { type: 'string' }, help: { type: 'boolean', short: 'h' } };

/**
 * Splits a command's arguments into options and the rest.
 *
 * @param {string} name
 * @param {Command} command
 * @param {string[]} argv
 * @returns {{ values: Record<string, string | boolean | undefined>, args: string[] }}
 * @throws {UsageError} for an unknown option, a missing value or too many arguments
 */
export function readArguments(name, command, argv) {
  let parsed;
  try {
    parsed = parseArgs({ args: argv, options: { ...COMMON, ...command.options }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error.message.split('. ')[0]}; parley ${name} --help lists the options`);
  }
  const { values, positionals: args } = parsed;
  if (args.length > command.most) {
    throw new UsageError(
      `found the argument ${JSON.stringify(args[command.most])}; expected at most ${command.most}; see parley ${name} --help`,
    );
  }
  return { values, args };
}

/**
 * Returns the help of one command.
 *
 * @param {string} name
 * @param {Command} command
 * @returns {string}
 */
export function helpOf(name, { summary, usage, help }) {
  const forms = usage.split('\n').map((form) => `  parley ${name} ${form}`.trimEnd());
  return `${summary}\n\nUsage:\n${forms.join('\n')}\n\n${help.trim()}\n\nOptions of every command:
  --env-file FILE  read variables from FILE; those that are already set take precedence
  -h, --help       print this help`;
}

/**
 * Returns the URL of the primary among the database servers of the environment.
 *
 * @returns {Promise<string>}
 * @throws {CliError}
 */
export async function databaseUrl() {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return primaryUrl(DATABASE_URL);
  throw new CliError('DATABASE_URL is not set; expected postgresql://user:password@host:5432/database');
}
