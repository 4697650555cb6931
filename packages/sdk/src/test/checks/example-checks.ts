import type { Artifact, Part } from '../../wire.js';
import type { Check } from '../check.js';
import { Skipped } from '../inputs.js';
import { type JsonObject, objectsOf } from '../json-value.js';
import { runExamples } from '../probe/observe.js';
import { isMediaType } from '../probe/read-parts.js';
import { type Finding, shorten } from '../report.js';
import { type ExampleRun, isUsable } from '../subject.js';

function answerFault({ where, reply }: ExampleRun): Finding | null {
  const { task, message, error, notes } = reply;
  if (notes.length > 0) return null;
  if (error) {
    const found = shorten(`error ${error.code ?? `HTTP ${error.status}`}: ${error.message}`);
    return { found, expected: 'an answer', remedy: 'Answer the example, or remove it from the card.', where };
  }
  const state = task?.status.state;
  if (state === 'TASK_STATE_FAILED' || state === 'TASK_STATE_REJECTED' || state === 'TASK_STATE_CANCELED') {
    const found = shorten(`${state}: ${textOf(task?.status.message?.parts)}`);
    return { found, expected: 'an answer or a question', remedy: 'Correct the skill or its example.', where };
  }
  const hasOutput =
    message !== null || (task?.artifacts ?? []).length > 0 || textOf(task?.status.message?.parts) !== '';
  if (hasOutput || !isUsable(reply)) return null;
  const remedy = 'Send the answer as an artifact, or as the message of the last status.';
  return { found: `${state} without artifact and message`, expected: 'an answer', remedy, where };
}

function textOf(parts: Part[] = []): string {
  return parts.map(({ text, data, url, raw }) => text ?? raw ?? url ?? JSON.stringify(data) ?? '').join(' ');
}

function modeFaults(card: JsonObject, { where, reply }: ExampleRun): Finding[] {
  const declared = [card.defaultOutputModes, ...objectsOf(card.skills).map(({ outputModes }) => outputModes)]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((mode) => String(mode).split(';')[0]?.trim().toLowerCase() ?? '');
  const artifacts: Artifact[] = reply.task?.artifacts ?? [];
  const parts = [...artifacts.flatMap((artifact) => artifact.parts ?? []), ...(reply.message?.parts ?? [])];
  const types = new Set(parts.flatMap(({ mediaType }) => mediaType?.split(';')[0]?.trim().toLowerCase() || []));
  return [...types]
    .filter((type) => isMediaType(type) && type !== 'text/plain' && !declared.some((mode) => covers(mode, type)))
    .map((type) => ({
      found: `a part of type ${type}`,
      expected: `one of ${shorten(declared.join(', '))}`,
      remedy: 'Add the type to defaultOutputModes, or to outputModes of the skill.',
      where,
    }));
}

function covers(mode: string, type: string): boolean {
  return mode === type || mode === '*/*' || (mode.endsWith('/*') && type.startsWith(mode.slice(0, -1)));
}

export const exampleChecks: Check[] = [
  {
    id: 'examples.answered',
    title: 'Every example of a skill is answered',
    why: 'Users and probes try an agent with its examples.',
    async run(subject) {
      if ((await subject.examples()).length === 0) throw new Skipped('No skill of the card has examples.');
      return (await runExamples(subject)).flatMap((run) => answerFault(run) ?? []);
    },
  },
  {
    id: 'examples.modes',
    title: 'Answers have the types that the card declares',
    why: 'Callers choose an agent by the types that they can show.',
    async run(subject) {
      const card = await subject.card();
      return (await runExamples(subject)).flatMap((run) => modeFaults(card, run));
    },
  },
];
