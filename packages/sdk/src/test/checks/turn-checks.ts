import type { Check } from '../check.js';
import { objectsOf } from '../json-value.js';
import { isRunning } from '../probe/conversation.js';
import { runCancel, runExamples, runQuestion } from '../probe/observe.js';
import { type Finding, shorten } from '../report.js';
import { isUsable } from '../subject.js';
import { noted } from './noted.js';
import { runFile } from './send-file.js';

const stops: Check = {
  id: 'cancel.stops',
  title: 'A running task can be canceled',
  why: 'Callers pay for work that they stopped.',
  async run(subject) {
    const { canceled, last } = await runCancel(subject);
    const expected = 'the task in the state canceled';
    const where = 'cancellation of a running task';
    if (canceled.error) {
      const found = shorten(
        `error ${canceled.error.code ?? `HTTP ${canceled.error.status}`}: ${canceled.error.message}`,
      );
      return [{ found, expected, remedy: 'Implement the cancel operation.', where }];
    }
    // A task may end at the moment of its cancellation.
    const state = last.task?.status.state;
    const ended = canceled.task !== null && !isRunning(canceled.task);
    if (state === undefined || state === 'TASK_STATE_CANCELED' || ended) return [];
    const found = isRunning(last.task) ? `the task is still ${state}` : `the task ended as ${state}`;
    return [{ found, expected, remedy: 'Stop the work when a task is canceled.', where }];
  },
};

const asks: Check = {
  id: 'question.message',
  title: 'A question has a message',
  why: 'Users do not know what to answer.',
  async run(subject) {
    const { question } = await runQuestion(subject);
    const { message } = question.task.status;
    if (message?.parts.some(({ text, data }) => text?.trim() || data !== undefined)) return [];
    return [
      {
        found: message ? shorten(message) : 'input-required without a message',
        expected: 'status.message with a text',
        remedy: 'Send the question as the message of the status input-required.',
      },
    ];
  },
};

const continues: Check = {
  id: 'question.continues',
  title: 'A task continues after an answer',
  why: 'The conversation ends at the first question.',
  async run(subject) {
    const { question, next } = await runQuestion(subject);
    const where = 'answer to the question';
    const expected = 'the same task with a new state or a new question';
    const remedy = 'Continue the task whose taskId the message has.';
    const fault = (found: string): Finding[] => [{ found: shorten(found), expected, remedy, where }];
    if (next.error) return fault(`error ${next.error.code ?? `HTTP ${next.error.status}`}: ${next.error.message}`);
    if (!isUsable(next)) return next.notes.length > 0 ? [] : fault('no answer');
    if (!next.task) return [];
    if (next.task.id !== question.task.id) return fault(`another task, ${next.task.id}`);
    const [before, after] = [question.task.status, next.task.status];
    const isSame = before.state === after.state && JSON.stringify(before.message) === JSON.stringify(after.message);
    return isSame ? fault('the task is unchanged, with the same question') : [];
  },
};

const fileAccepted: Check = {
  id: 'files.accepted',
  title: 'A file of a declared type is accepted',
  why: 'Callers send the types that the card declares.',
  async run(subject) {
    const { reply, sent } = await runFile(subject);
    const { error, task } = reply;
    const state = task?.status.state;
    if (!error && state !== 'TASK_STATE_REJECTED' && state !== 'TASK_STATE_FAILED') return [];
    const found = error ? `error ${error.code ?? `HTTP ${error.status}`}: ${error.message}` : String(state);
    const where = `message with a file of type ${sent.mediaType}`;
    const remedy = 'Accept the file, or remove its type from defaultInputModes.';
    return [{ found: shorten(found), expected: 'an answer', remedy, where }];
  },
};

const fileBytes: Check = {
  id: 'files.bytes',
  title: 'Files are base64, and come back unchanged',
  why: 'Files are damaged.',
  async run(subject) {
    await runExamples(subject);
    const wrong = subject.notes.filter(({ check }) => check === 'files.bytes');
    if (wrong.length > 0) return wrong.map(({ check: _check, ...finding }) => finding);
    const { reply, sent } = await runFile(subject);
    const parts = [
      ...(reply.task?.artifacts ?? []).flatMap((artifact) => artifact.parts),
      ...(reply.message?.parts ?? []),
    ];
    const changed = objectsOf(parts).filter(
      ({ raw, filename }) => filename === sent.filename && typeof raw === 'string' && plain(raw) !== plain(sent.raw),
    );
    return changed.map(({ raw }) => ({
      found: `${sent.filename} with other bytes: ${shorten(raw)}`,
      expected: `the bytes that were sent: ${shorten(sent.raw)}`,
      remedy: 'Decode base64 to bytes, not to text, and give files that you change another name.',
      where: `message with a file of type ${sent.mediaType}`,
    }));
  },
};

/** Base64 and base64url of the same bytes are the same. */
function plain(base64: string): string {
  return base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
}

export const cancelChecks: Check[] = [stops];
export const questionChecks: Check[] = [asks, continues];
export const fileChecks: Check[] = [
  fileAccepted,
  fileBytes,
  noted('files.media-types', {
    title: 'Types of files are media types',
    why: 'Callers cannot show or store the file.',
  }),
];
