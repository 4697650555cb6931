/**
 * Behaviors that the public compatibility kit (a2aproject/a2a-tck) expects of the agent. The kit selects them by the
 * prefix of the `messageId`, not by the text.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '@a2a-js/sdk';
import { dataPart, filePart, linkPart, textPart } from '../shared/parts';
import type { Turn } from '../shared/turn';

/** Longer than the time for which the kit reads a stream before it resubscribes. */
const LONG_WORK_MS = 5_000;
/**
 * The kit for A2A 0.3 continues a task right after its response: shorter than Parley's wait for a quick response over
 * REST (100 ms).
 */
const SHORT_WORK_MS = 50;

type Scenario = (turn: Turn) => Promise<void> | void;

const scenarios: Record<string, Scenario> = {
  'tck-complete-task': (turn) => {
    turn.begin();
    turn.complete('Hello from TCK');
  },
  'tck-message-response': (turn) => turn.reply([textPart('Direct message response')]),
  'tck-input-required': (turn) => {
    turn.begin();
    turn.ask('What else should I know?');
  },
  'tck-reject-task': (turn) => {
    turn.begin();
    turn.reject('rejected');
  },
  'tck-artifact-text': publishes(textPart('Generated text content')),
  'tck-artifact-file': publishes(outputFile()),
  'tck-artifact-file-url': publishes(
    linkPart({ name: 'output.txt', mediaType: 'text/plain', url: 'https://example.com/output.txt' }),
  ),
  'tck-artifact-data': publishes(dataPart({ key: 'value', count: 42 })),
  'tck-stream-001': publishes(textPart('Stream hello from TCK')),
  'tck-stream-002': (turn) => {
    turn.begin();
    turn.complete();
  },
  'tck-stream-003': publishes(textPart('Stream task lifecycle')),
  'tck-stream-ordering-001': publishes(textPart('Ordered output')),
  'tck-stream-artifact-text': publishes(textPart('Streamed text content')),
  'tck-stream-artifact-file': publishes(outputFile()),
  'tck-stream-artifact-chunked': (turn) => {
    turn.begin();
    turn.publishChunk(artifactOf(textPart('chunk-1 ')), { first: true, last: false });
    turn.publishChunk(artifactOf(textPart('chunk-2')), { first: false, last: true });
    turn.complete();
  },
  'test-resubscribe-message-id': async (turn) => {
    turn.begin();
    await sleep(LONG_WORK_MS, undefined, { signal: turn.signal });
    turn.complete();
  },
};

// Longest name first: some are prefixes of others.
const prefixes = Object.keys(scenarios).sort((a, b) => b.length - a.length);

/** Returns the behavior selected by a message's id; null for a message that does not come from the kit. */
export function scenarioOf(messageId: string): Scenario | null {
  const prefix = prefixes.find((candidate) => messageId.startsWith(candidate));
  if (prefix !== undefined) return scenarios[prefix] ?? null;
  return isOfKit03(messageId) ? workThenAsk : null;
}

/**
 * Detects ids of the kit for 0.3, which has no behavior names: nearly all are `test-…-<uuid>` or `…-message-id-<uuid>`.
 */
function isOfKit03(messageId: string): boolean {
  return /^(?:test-.+|.+-message-id)-[0-9a-f]{8}-[0-9a-f-]{27}$/.test(messageId);
}

/** Runs a task that works for a while and then waits: it can be read, canceled and continued. */
async function workThenAsk(turn: Turn): Promise<void> {
  turn.begin();
  await sleep(SHORT_WORK_MS, undefined, { signal: turn.signal });
  turn.ask('What else should I know?');
}

function publishes(part: Part): Scenario {
  return (turn) => {
    turn.begin();
    turn.publish(artifactOf(part));
    turn.complete();
  };
}

function artifactOf(part: Part): { artifactId: string; name: string; parts: Part[] } {
  return { artifactId: 'output', name: 'Output', parts: [part] };
}

function outputFile(): Part {
  return filePart({ name: 'output.txt', mediaType: 'text/plain', bytes: Buffer.from('Generated file content') });
}
