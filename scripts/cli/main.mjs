import { existsSync } from 'node:fs';
import path from 'node:path';
import { runMain } from '../cli-output.mjs';
import { completeEnvironment } from '../environment.mjs';
import { ROOT, requireNode, version } from '../program.mjs';
import { shutDown } from '../shutdown.mjs';
import { audit } from './audit.mjs';
import { backup } from './backup.mjs';
import { helpOf, readArguments, UsageError } from './command.mjs';
import { doctor } from './doctor.mjs';
import { fees } from './fees.mjs';
import { keys } from './keys.mjs';
import { migrate } from './migrate.mjs';
import { serve } from './serve.mjs';
import { shards } from './shards.mjs';
import { tax } from './tax.mjs';
import { x402 } from './x402.mjs';

/** @type {Record<string, import('./command.mjs').Command>} */
const COMMANDS = { serve, migrate, shards, keys, fees, tax, x402, audit, backup, doctor };

function overview() {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Parley ${version()}

Usage: parley <command> [options]

${lines.join('\n')}

parley <command> --help describes a command. Settings are environment variables (.env.example lists them), or lines of
the file given with --env-file.

Exit codes: 0 success, 1 failure, 2 wrong usage`;
}

function readEnvFile(file) {
  if (!existsSync(file)) throw new UsageError(`--env-file: ${file} does not exist`);
  process.loadEnvFile(file);
}

/** Runs the command of the command line. Returns its exit code, or null while the process continues to serve. */
async function runCommand([name, ...argv]) {
  if (name === '--version' || name === '-v') return print(version());
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return print(overview());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : null;
  if (!command) {
    throw new UsageError(
      `${JSON.stringify(name)} is not a command; expected one of ${Object.keys(COMMANDS).join(', ')}`,
    );
  }
  const { values, args } = readArguments(name, command, argv);
  if (values.help) return print(helpOf(name, command));
  if (values['env-file']) readEnvFile(path.resolve(values['env-file']));
  completeEnvironment({ dev: false });
  // Relative paths of arguments are relative to the caller's folder.
  const input = { values, args, cwd: process.cwd() };
  process.chdir(ROOT);
  const code = await command.run(input);
  return code === undefined ? 0 : code;
}

function print(text) {
  console.log(text);
  return 0;
}

await runMain(async () => {
  requireNode();
  const code = await runCommand(process.argv.slice(2));
  if (code !== null) await shutDown(code);
});
