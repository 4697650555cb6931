import { type Command, InvalidArgumentError } from 'commander';
import type { Session } from './session.js';

/** Options of every command. */
export interface GlobalOptions {
  apiUrl?: string;
  json?: boolean;
}

/** Runs a command; a returned number is the exit code. */
export type Act = (work: (session: Session) => Promise<number> | Promise<void>) => Promise<void>;

/** Data shared by all commands: options and the function that runs a command. */
export interface CommandContext {
  act: Act;
  /** The command's options merged with the program's. */
  all: <Options extends object>(options: Options) => Options & GlobalOptions;
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

/** Returns the parser of a whole number from 1 to `max`. */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`);
  };
}

/** Adds the options of a command that pays. */
export function addPayOptions(command: Command): Command {
  return command
    .option('-y, --yes', 'pay without asking; requires --max-amount')
    .option('--max-amount <amount>', 'pay up to this amount, such as 20.00EUR')
    .option('--method <method>', 'wallet or card');
}
