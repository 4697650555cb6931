import { writeFileSync } from 'node:fs';
import { agentCard, LocalAgent, type Report, type TestOptions, type TestTarget, testAgent } from '@parley/agent/test';
import type { Command } from 'commander';
import { type CommandContext, collect, wholeNumber } from '../command-line.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { watchHandler } from '../serve/load-handler.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';
import { annotationsOf, printResult, printSummary, toJunit } from '../test/print-report.js';
import { startAgent } from '../test/start-agent.js';

interface TestCommandOptions {
  only?: string[];
  skip?: string[];
  message?: string;
  slow?: string;
  question?: string;
  answer?: string;
  cart?: string;
  tokenEnv?: string;
  agent?: string;
  junit?: string;
  timeout?: number;
  json?: boolean;
}

/** An agent that can be tested, until `close`. */
interface Opened {
  target: TestTarget;
  close(): Promise<void>;
}

const MAX_TIMEOUT_SECONDS = 3_600;
/** Origin of an agent that runs inside this process (RFC 2606). */
const LOCAL_ORIGIN = 'https://agent.example';

/** Tests the agent in a file, at a URL, or that a command starts. Returns the exit code: 1 if a check failed. */
async function test(session: Session, operands: string[], options: TestCommandOptions): Promise<number> {
  const { terminal, origin, environment, signal } = session;
  const testOptions = await optionsOf(session, options);
  const opened = await open(session, operands);
  try {
    const report = await run(opened.target, {
      ...testOptions,
      signal,
      ...(!options.json && { onResult: (result) => printResult(terminal, result, origin) }),
    });
    if (options.json) terminal.print(JSON.stringify(report));
    else printSummary(terminal, report);
    if (options.junit !== undefined) writeFileSync(options.junit, toJunit(report));
    // Read from stderr too, so that the output stays JSON with --json.
    if (environment.GITHUB_ACTIONS === 'true') for (const line of annotationsOf(report)) terminal.say(line);
    return report.ok ? EXIT.ok : EXIT.failed;
  } finally {
    await opened.close();
  }
}

async function run(target: TestTarget, options: TestOptions): Promise<Report> {
  try {
    return await testAgent(target, options);
  } catch (error) {
    if (error instanceof TypeError) throw new Failure(EXIT.usage, `${error.message}.`);
    throw error;
  }
}

/** Returns the options of the test. Credentials come from the environment or from Parley, never from an argument. */
async function optionsOf(session: Session, options: TestCommandOptions): Promise<TestOptions> {
  const { only, skip, message, slow, question, answer, cart, timeout, tokenEnv, agent } = options;
  const named = (values: string[] | undefined): string[] => (values ?? []).flatMap((value) => value.split(','));
  const token = await tokenOf(session, { tokenEnv, agent });
  return {
    only: named(only),
    skip: named(skip),
    texts: { message, slow, question, answer, cart },
    ...(timeout !== undefined && { limits: { answerMs: timeout * 1_000 } }),
    ...(token !== undefined && { token }),
  };
}

async function tokenOf(
  session: Session,
  { tokenEnv, agent }: Pick<TestCommandOptions, 'tokenEnv' | 'agent'>,
): Promise<string | undefined> {
  if (agent !== undefined) return (await session.client().handshake(agent)).token;
  if (tokenEnv === undefined) return undefined;
  const token = session.environment[tokenEnv]?.trim();
  if (token) return token;
  throw new Failure(EXIT.usage, `The environment variable ${tokenEnv} is empty; expected a token.`);
}

/** Opens what is tested: a URL, a file with a handler, or a command, which may follow its URL. */
async function open(session: Session, operands: string[]): Promise<Opened> {
  const [first, ...rest] = operands;
  if (first === undefined) {
    const hint =
      'For example: parley test ./agent.ts, parley test http://localhost:4000, or parley test -- node agent.mjs';
    throw new Failure(EXIT.usage, 'Expected a file, a URL, or a command after --.', hint);
  }
  const isUrl = /^https?:\/\//.test(first);
  if (isUrl && rest.length === 0) return { target: first, close: async () => undefined };
  if (rest.length === 0 && /\.[cm]?[jt]sx?$/.test(first)) return openFile(session, first);
  const [program, ...args] = isUrl ? rest : operands;
  const { environment, signal } = session;
  const command: [string, ...string[]] = [program ?? first, ...args];
  const started = await startAgent({ command, url: isUrl ? first : null, environment, signal });
  return { target: started.url, close: started.close };
}

async function openFile({ terminal }: Session, file: string): Promise<Opened> {
  const { handle, card, close } = await watchHandler({ file, onChange: () => undefined, onError: () => undefined });
  const agent = new LocalAgent({
    card: (origin) => ({ ...agentCard(origin), name: file, ...card }),
    handle,
    onError: (error) =>
      terminal.say(`The handler failed: ${plainLine(error instanceof Error ? error.message : String(error))}`),
  });
  const fetchLocally = (url: string, init: RequestInit): Promise<Response> =>
    url.startsWith(`${LOCAL_ORIGIN}/`) ? agent.fetch(new Request(url, init)) : fetch(url, init);
  return { target: { url: LOCAL_ORIGIN, fetch: fetchLocally }, close };
}

/** Adds `parley test`. */
export function addTest(program: Command, { act, all }: CommandContext): void {
  program
    .command('test')
    .description('test an agent as a caller does: a file with a handler, an A2A server, or a command that starts one')
    .argument('[file-or-url]', 'file that exports a handler, or URL of an agent or its card')
    .argument('[command...]', 'after --: command that starts the agent; it receives a port as PORT')
    .option('--only <checks>', 'ids or subjects of checks, such as card,messages.states', collect)
    .option('--skip <checks>', 'ids or subjects of checks that are not run', collect)
    .option('--message <text>', 'message that the agent answers (default: the first example of its card)')
    .option('--slow <text>', 'message on which it works long enough to be canceled')
    .option('--question <text>', 'message that it answers with a question')
    .option('--answer <text>', 'answer to that question')
    .option('--cart <text>', 'message that leads to a cart')
    .option('--agent <slug>', 'send Parley’s token for this agent; requires a sign-in')
    .option('--token-env <name>', 'send the bearer token in this environment variable')
    .option('--timeout <seconds>', 'time for each answer (default: 60)', wholeNumber(MAX_TIMEOUT_SECONDS))
    .option('--junit <file>', 'also write the results as JUnit XML')
    .action((source: string | undefined, command: string[], options: TestCommandOptions) =>
      act((session) => test(session, [...(source === undefined ? [] : [source]), ...command], all(options))),
    );
}
