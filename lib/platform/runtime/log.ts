import { isDatabaseUnavailable } from '../db/database-errors';
import { env } from './env';

const ranks = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const;

/** Fields of a log line. Must not contain a token, a secret, a cookie, an email address or message text. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Receives log lines, in addition to stderr. Must not throw and must not block. */
export type LogSink = (line: { at: Date; level: LogLevel; event: string; fields: LogFields }) => void;

let extraSink: LogSink | null = null;

/** Sets or removes a second destination of this process's log. */
export function setLogSink(sink: LogSink | null): void {
  extraSink = sink;
}

function write(level: LogLevel, event: string, fields: LogFields = {}): void {
  if (ranks[level] < ranks[env().LOG_LEVEL]) return;
  const at = new Date();
  // JSON escapes line breaks and control characters, so that no field can forge a second line.
  process.stderr.write(`${JSON.stringify({ time: at.toISOString(), level, event, ...fields })}\n`);
  extraSink?.({ at, level, event, fields });
}

export const log = {
  debug: (event: string, fields?: LogFields): void => write('debug', event, fields),
  info: (event: string, fields?: LogFields): void => write('info', event, fields),
  warn: (event: string, fields?: LogFields): void => write('warn', event, fields),
  error: (event: string, fields?: LogFields): void => write('error', event, fields),
};

/**
 * Returns the parts of an unknown error that may be logged: name, message, cause and stack. Omits the stack if the
 * database is unavailable, because every statement then fails, and the location of the call is unrelated to the cause.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? messageOf(error.cause) : undefined;
  if (isDatabaseUnavailable(error)) return { error: `${error.name}: ${messageOf(error)}`, cause };
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return { error: `${error.name}: ${messageOf(error)}`, cause, stack: stack?.join('\n') };
}

/**
 * Returns the message, for Prisma only its last line: the other lines repeat the query's input, which may be user data.
 */
function messageOf({ name, message }: Error): string {
  return name.startsWith('PrismaClient') ? (message.trim().split('\n').at(-1) ?? '') : message;
}
