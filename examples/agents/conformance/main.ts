/**
 * conformance: an agent to test clients and gateways against. The text of a message selects its behavior:
 *
 *   stream N      an artifact in N numbered pieces, as fast as possible
 *   slow N        the same, one piece every 50 ms; can be canceled
 *   ask, auth     stops at input-required or auth-required; the next message on the task is echoed and completes it
 *   fail, reject  ends the task in that state
 *   message       answers with a message and no task
 *   whoami        the claims of the caller's token, as data
 *   headers       the names of the request's headers, as data
 *
 * All other messages, and all messages with a file or data part, are echoed part by part as one artifact. Messages with
 * ids of the public compatibility kit receive the response that the kit expects (kit.ts).
 *
 * `npm start` bundles and runs it as part of the demo. By hand, with the credentials of your developer app:
 *
 *   npx esbuild examples/agents/conformance/main.ts --bundle --platform=node --format=esm --packages=external \
 *     --outfile=dist/agents/conformance.mjs
 *   PORT=4003 PUBLIC_URL=http://localhost:4003 PARLEY_URL=http://localhost:3000 \
 *     PARLEY_CLIENT_ID=… PARLEY_CLIENT_SECRET=… node dist/agents/conformance.mjs
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Part, TaskState } from '@a2a-js/sdk';
import { dataPart, textOf, textPart } from '../shared/parts';
import { runAgent } from '../shared/serve';
import type { Turn } from '../shared/turn';
import { conformanceCard } from './card';
import { type Command, parseCommand } from './command';
import { scenarioOf } from './kit';

const PAUSE_MS = 50;

async function takeTurn(turn: Turn): Promise<void> {
  const scenario = scenarioOf(turn.message.messageId);
  if (scenario) return scenario(turn);
  const command = readCommand(turn);
  if (command.kind === 'message') {
    turn.reply([textPart('This is a message without a task.')]);
    return;
  }
  turn.begin();
  if (command.kind === 'stream') await countUp(turn, command.count, 0);
  else if (command.kind === 'slow') await countUp(turn, command.count, PAUSE_MS);
  else if (command.kind === 'ask') turn.ask('What shall I echo?');
  else if (command.kind === 'auth') turn.askForAuthorization('Authorize me, then send any message on this task.');
  else if (command.kind === 'fail') turn.fail('Failed, as you asked.');
  else if (command.kind === 'reject') turn.reject('Rejected, as you asked.');
  else if (command.kind === 'whoami') answer(turn, 'whoami', [dataPart(turn.caller.claims)]);
  else if (command.kind === 'headers') answer(turn, 'headers', [dataPart({ names: turn.headerNames })]);
  else answer(turn, 'echo', turn.message.parts);
}

/** Reads a command. A reply to `ask` or `auth` is always echoed, and so is a message with more than text. */
function readCommand(turn: Turn): Command {
  const answersUs =
    turn.previousState === TaskState.TASK_STATE_INPUT_REQUIRED ||
    turn.previousState === TaskState.TASK_STATE_AUTH_REQUIRED;
  const onlyText = turn.message.parts.every(({ content }) => content?.$case === 'text');
  return answersUs || !onlyText ? { kind: 'echo' } : parseCommand(textOf(turn.message));
}

async function countUp(turn: Turn, count: number, pauseMs: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: turn.signal });
    const artifact = { artifactId: 'numbers', name: 'Numbers', parts: [textPart(`${number}\n`)] };
    turn.publishChunk(artifact, { first: number === 1, last: number === count });
  }
  turn.complete();
}

function answer(turn: Turn, name: string, parts: Part[]): void {
  turn.publish({ artifactId: name, name, parts });
  turn.complete();
}

runAgent({ slug: 'conformance', createCard: conformanceCard, open: () => ({ takeTurn }) });
