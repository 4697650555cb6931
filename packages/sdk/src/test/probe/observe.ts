import { sleep, systemClock } from '../../serve/clock.js';
import type { Task } from '../../wire.js';
import { Skipped } from '../inputs.js';
import { type ExampleRun, isUsable, type Subject } from '../subject.js';
import { type Channel, isRunning, isWaiting, messageOf, type Reply } from './conversation.js';

// The observations that several checks share. Each is made once.

/** Sends every example of the card that was not sent yet. Stops after one that does not end. */
export function runExamples(subject: Subject): Promise<ExampleRun[]> {
  return subject.once('examples', async () => {
    const channel = await subject.working();
    const first = await subject.first();
    const runs = [first];
    for (const { where, text } of await subject.examples()) {
      if (text === first.text) continue;
      const run = { where, text, reply: await subject.send(channel, { text, where }) };
      runs.push(run);
      if (run.reply.notes.some(({ check }) => check.startsWith('limits.'))) break;
    }
    const { cart } = subject.options.texts;
    if (cart !== undefined) {
      const where = `message "${cart.slice(0, 60)}"`;
      runs.push({ where, text: cart, reply: await subject.send(channel, { text: cart, where }) });
    }
    return runs;
  });
}

/** Streams the first message again. @throws {Skipped} if the card declares no streaming */
export function runStream(subject: Subject): Promise<Reply> {
  return subject.once('stream', async () => {
    const { streaming } = await subject.capabilities();
    if (streaming !== true) throw new Skipped('The card does not declare streaming.');
    const channel = await subject.working();
    const { text, where } = await subject.first();
    return subject.call(channel, { op: 'stream', message: messageOf(text) }, { where: `stream of ${where}` });
  });
}

/** A further interface, and the answer to the first message there. */
export interface InterfaceRun {
  channel: Channel;
  reply: Reply;
}

/** Sends the first message to each interface of the card but the first. */
export function runInterfaces(subject: Subject): Promise<InterfaceRun[]> {
  return subject.once('interfaces', async () => {
    await subject.working();
    const [, ...others] = await subject.channels();
    const { text, where } = await subject.first();
    const runs: InterfaceRun[] = [];
    for (const channel of others) runs.push({ channel, reply: await subject.send(channel, { text, where }) });
    return runs;
  });
}

/** A question of the agent, and what it answered to the reply. */
export interface QuestionRun {
  question: Reply & { task: Task };
  next: Reply;
}

/** Answers the first question that a message leads to. @throws {Skipped} if there is none */
export function runQuestion(subject: Subject): Promise<QuestionRun> {
  return subject.once('question', async () => {
    const channel = await subject.working();
    const { question: text, answer = 'Yes, please.' } = subject.options.texts;
    const asked = text === undefined ? (await runExamples(subject)).map(({ reply }) => reply) : [];
    if (text !== undefined) asked.push(await subject.send(channel, { text, where: `message "${text.slice(0, 60)}"` }));
    const question = asked.find(({ task }) => task?.status.state === 'TASK_STATE_INPUT_REQUIRED');
    const task = question?.task;
    if (!question || !task) {
      throw new Skipped('No message led to a question. Name one that does: option "question", or --question.');
    }
    const to = { taskId: task.id, contextId: task.contextId };
    const next = await subject.send(channel, { text: answer, where: 'answer to the question' }, to);
    return { question: { ...question, task }, next };
  });
}

/** A cancellation: the task before it, the answer to it, and the task some time later. */
export interface CancelRun {
  canceled: Reply;
  last: Reply;
}

/** Cancels a task while the agent works on it. @throws {Skipped} if no task runs long enough */
export function runCancel(subject: Subject): Promise<CancelRun> {
  return subject.once('cancel', async () => {
    const channel = await subject.working();
    const text = await slowText(subject);
    const where = `cancellation of "${text.slice(0, 60)}"`;
    const canceled = await cancelWhileRunning(subject, channel, { text, where });
    if (!canceled || canceled.error?.code === -32002 || canceled.error?.status === 409) {
      throw new Skipped(
        'Every message ended before it could be canceled. Name a slower one: option "slow", or --slow.',
      );
    }
    if (!canceled.task) return { canceled, last: canceled };
    const { settleMs: forMs } = subject.options.limits;
    return { canceled, last: await subject.settle(channel, canceled, { where, forMs }) };
  });
}

/** Sends a message and cancels its task. Returns the answer to the cancellation; null if the task was never running. */
async function cancelWhileRunning(
  subject: Subject,
  channel: Channel,
  { text, where }: { text: string; where: string },
): Promise<Reply | null> {
  const ended = new AbortController();
  let stop: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const state: { canceling: Promise<Reply> | null } = { canceling: null };
  const onTask = (task: Task): void => {
    if (!isRunning(task) || state.canceling) return;
    state.canceling = subject.call(channel, { op: 'cancel', taskId: task.id }, { where });
    const { settleMs } = subject.options.limits;
    void state.canceling.then(() => sleep(systemClock, settleMs, ended.signal)).then(stop, stop);
  };
  const message = messageOf(text);
  const { streaming } = await subject.capabilities();
  if (streaming === true) await subject.call(channel, { op: 'stream', message }, { where, onTask, until });
  else {
    const { task } = await subject.call(channel, { op: 'send', message, returnsAtOnce: true }, { where });
    if (task) onTask(task);
  }
  ended.abort();
  return state.canceling;
}

/** Returns the message on which the agent worked longest. */
async function slowText(subject: Subject): Promise<string> {
  const { slow } = subject.options.texts;
  if (slow !== undefined) return slow;
  const runs = (await runExamples(subject)).filter(({ reply }) => isUsable(reply) && !isWaiting(reply.task));
  const slowest = runs.sort((one, other) => other.reply.response.ms - one.reply.response.ms)[0];
  if (!slowest) throw new Skipped('No message leads to work that could be canceled.');
  return slowest.text;
}
