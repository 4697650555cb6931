import { text as askText, isCancel } from '@clack/prompts';
import type { NewMessage } from '@parley/agent';
import type { Command } from 'commander';
import { addPayOptions, type CommandContext, collect } from '../command-line.js';
import { EventPrinter } from '../event-printer.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { followTask } from '../follow-task.js';
import { type PayOptions, readLimit } from '../pay-order.js';
import { payTask } from '../pay-task.js';
import { readFilePart } from '../read-file-part.js';
import { readAll } from '../read-input.js';
import type { Session } from '../session.js';
import { type Outcome, TaskWatch } from '../task-watch.js';

interface SendOptions extends PayOptions {
  new?: boolean;
  context?: string;
  taskId?: string;
  file?: string[];
  /** Pays the cart that the agent offers in its answer. */
  pay?: boolean;
  json?: boolean;
}

const exitCodes: Record<Outcome, number> = {
  done: EXIT.ok,
  failed: EXIT.taskFailed,
  asks: EXIT.inputRequired,
};

/**
 * Sends a message and streams the answer; Ctrl-C cancels the task. With `pay`, pays the cart in the answer. Returns the
 * exit code.
 */
async function send(
  session: Session,
  { agent, words }: { agent: string; words: string[] },
  options: SendOptions,
): Promise<number> {
  const { terminal, conversations } = session;
  if (options.pay) readLimit(options);
  const message = {
    messageId: crypto.randomUUID(),
    ...(await contentOf(session, words, options.file ?? [])),
    ...placeOf(session, agent, options),
  };
  const printer = options.json ? null : new EventPrinter(terminal);
  const watch = new TaskWatch();
  await followTask(session, { agent, message, watch }, (event) => {
    if (printer) printer.show(event);
    else terminal.print(JSON.stringify(event));
  });
  printer?.end();
  const { contextId, taskId, outcome } = watch;
  const isAsked = outcome === 'asks' && taskId !== null;
  if (contextId !== null) conversations.save(agent, isAsked ? { contextId, taskId } : { contextId });
  if (options.pay && taskId !== null && outcome !== 'failed') {
    await payTask(session, taskId, options);
    return EXIT.ok;
  }
  if (printer && isAsked) terminal.say(`Answer with: parley send ${agent} "…"`);
  return exitCodes[outcome];
}

/** Returns the context and task of the message: from the options, or otherwise from the previous message. */
function placeOf(
  { conversations }: Session,
  agent: string,
  options: SendOptions,
): Pick<NewMessage, 'contextId' | 'taskId'> {
  const { new: isNew, context: contextId, taskId } = options;
  if (isNew && (contextId !== undefined || taskId !== undefined)) {
    throw new Failure(
      EXIT.usage,
      '--new starts a conversation; --context and --task-id continue one. Use only one of them.',
    );
  }
  if (isNew) return {};
  if (contextId === undefined && taskId === undefined) return conversations.find(agent) ?? {};
  return { ...(contextId !== undefined && { contextId }), ...(taskId !== undefined && { taskId }) };
}

async function contentOf({ terminal, signal }: Session, words: string[], files: string[]): Promise<NewMessage> {
  const parts = files.map(readFilePart);
  const isPiped = words.length === 1 && words[0] === '-';
  if (words.length > 0 && !isPiped) return { text: words.join(' '), parts };
  if (isPiped || process.stdin.isTTY !== true) {
    const text = await readAll(process.stdin);
    if (text.trim() !== '') return { text, parts };
  } else if (parts.length === 0 && terminal.isInteractive) {
    const text = await askText({ message: 'Your message', output: process.stderr, signal });
    if (isCancel(text)) throw new Failure(EXIT.interrupted, 'Interrupted before anything was sent.');
    if (text) return { text };
  }
  if (parts.length > 0) return { parts };
  throw new Failure(EXIT.usage, 'The message is empty.', 'Pass the message as an argument, with --file or on stdin.');
}

/** Adds `parley send`. */
export function addSend(program: Command, { act, all }: CommandContext): void {
  const command = program
    .command('send')
    .description('send a message to an agent and stream its answer; continues your last conversation with it')
    .argument('<agent>', 'slug of the agent, as shown by search')
    .argument('[message...]', 'text of the message; - reads stdin')
    .option('-n, --new', 'start a new conversation')
    .option('-c, --context <id>', 'continue this conversation')
    .option('--task-id <id>', 'reply to this task')
    .option('-f, --file <path>', 'attach this file; can be repeated', collect)
    .option('--pay', 'pay the cart that the agent offers after you confirm');
  addPayOptions(command).action((agent: string, words: string[], options: SendOptions) =>
    act((session) => send(session, { agent, words }, all(options))),
  );
}
