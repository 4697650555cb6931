import type { Check } from '../check.js';
import { runStream } from '../probe/observe.js';
import { shorten } from '../report.js';
import { noted } from './noted.js';

/** The first message is answered at all. What is wrong with an answer in detail is left to the other checks. */
const answered: Check = {
  id: 'messages.answered',
  title: 'A message is answered',
  why: 'Nothing else works.',
  async run(subject) {
    const [{ target }] = await subject.channels();
    const { reply, where } = await subject.first();
    const own = reply.notes.filter(({ check }) => check === 'messages.answered');
    if (own.length > 0) return own.map(({ check: _check, ...finding }) => finding);
    const { error } = reply;
    const isAbsentPath = error?.status === 404 && target.binding === 'HTTP+JSON';
    if (!error || isAbsentPath) return [];
    const remedy =
      error.status === 401 || error.status === 403
        ? 'The agent requires a credential: pass a token (option "token", or --token-env).'
        : 'Answer valid messages with a task or a message.';
    const code = error.code === null ? '' : `, code ${error.code}`;
    const found = shorten(`HTTP ${error.status}${code}: ${error.message}`);
    return [{ found, expected: 'a task or a message', remedy, where }];
  },
};

export const messageChecks: Check[] = [
  answered,
  noted('messages.json', { title: 'Responses are JSON objects', why: 'Callers cannot read anything else.' }),
  noted('messages.content-type', {
    title: 'Responses have the type application/json',
    why: 'Libraries reject other types.',
  }),
  noted('messages.utf8', { title: 'Responses are UTF-8', why: 'Texts become unreadable.' }),
  noted('messages.rpc', {
    title: 'JSON-RPC responses have the id of their request, and a result or an error',
    why: 'Callers match responses to requests by the id.',
  }),
  noted('messages.shape', {
    title: 'Answers are tasks or messages with their required members',
    why: 'Callers cannot follow a task without its id and state.',
  }),
  noted('messages.states', {
    title: 'States have the names of the version',
    why: 'Callers wait forever for a task whose state they do not know.',
  }),
  noted('messages.parts', {
    title: 'Artifacts and messages have parts, each with one content',
    why: 'Libraries reject the whole answer.',
  }),
  noted('messages.ids', {
    title: 'All events of a task have its ids',
    why: 'Callers ignore events of other tasks, so parts of the answer are lost.',
  }),
];

export const streamingChecks: Check[] = [
  noted('streaming.content-type', {
    title: 'Streams have the type text/event-stream',
    why: 'Callers read the response as a whole, or reject it.',
    needs: runStream,
  }),
  noted('streaming.events', {
    title: 'A stream begins with a task or a message, and each event is JSON',
    why: 'Callers learn the id of the task from the first event.',
    needs: runStream,
  }),
  noted('streaming.end', {
    title: 'A stream ends with a final state and is closed',
    why: 'Callers wait, or take the answer for incomplete.',
    needs: runStream,
  }),
  noted('streaming.after-end', {
    title: 'Nothing follows the final state',
    why: 'Callers have stopped reading, so it is lost.',
    needs: runStream,
  }),
];

export const limitChecks: Check[] = [
  noted('limits.first-byte', {
    title: 'A stream begins early',
    why: 'Callers and proxies close connections on which nothing arrives.',
    needs: runStream,
  }),
  noted('limits.end', { title: 'Each message is answered in time', why: 'Callers wait, and pay for it.' }),
  noted('limits.size', { title: 'Responses and events have a moderate size', why: 'Callers reject them.' }),
];
