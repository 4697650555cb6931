import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** What is said to people goes to stderr, what was asked for to stdout, so that a pipe gets nothing else. */
export interface Terminal {
  /** A line of the answer. */
  print(line: string): void;
  /** A piece of the answer, without a line break of its own. */
  write(text: string): void;
  /** A line about what happens. */
  say(line: string): void;
  /** The text in a style, where stdout shows styles. */
  paint(style: Style, text: string): string;
  /** Both ends are a person's: questions may be asked. */
  isInteractive: boolean;
}

export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** A terminal over the process's streams. Without one, or with NO_COLOR, nothing is coloured. */
export function openTerminal({ stdin, stdout, stderr }: Streams, environment: NodeJS.ProcessEnv): Terminal {
  const hasColour = stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return {
    print: (line) => void stdout.write(`${line}\n`),
    write: (text) => void stdout.write(text),
    say: (line) => void stderr.write(`${line}\n`),
    paint: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
  };
}

/** Text from elsewhere without the control characters that could move the cursor, hide text or set a title. */
export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|[\u200b-\u200f\u2028-\u202e\u2066-\u2069]/gu, '');
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}
