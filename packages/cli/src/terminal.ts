import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Prints messages for the user to stderr and requested output to stdout, so that a pipe only receives output. */
export interface Terminal {
  /** Prints a line of output. */
  print(line: string): void;
  /** Writes output without a line break. */
  write(text: string): void;
  /** Prints a message line. */
  say(line: string): void;
  /** Returns the styled text, if stdout supports styles. */
  paint(style: Style, text: string): string;
  /** True if both stdin and stderr are interactive, so that prompts are possible. */
  isInteractive: boolean;
}

export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** Creates a terminal on the process's streams, without color if there is no TTY or NO_COLOR is set. */
export function openTerminal({ stdin, stdout, stderr }: Streams, environment: NodeJS.ProcessEnv): Terminal {
  const hasColor = stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return {
    print: (line) => void stdout.write(`${line}\n`),
    write: (text) => void stdout.write(text),
    say: (line) => void stderr.write(`${line}\n`),
    paint: (style, text) => (hasColor ? styleText(style, text, { validateStream: false }) : text),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
  };
}

/** Removes control characters from third-party text, which could move the cursor, hide text or set a title. */
export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|[\u200b-\u200f\u2028-\u202e\u2066-\u2069]/gu, '');
}

/** Like `plain`, on one line. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}
