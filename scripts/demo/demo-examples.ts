import { setTimeout as sleep } from 'node:timers/promises';
import { questionsOf } from '@/examples/agents/starters/quiz-questions';
import type { AgentExample, ExampleDraft } from '@/lib/chat/schema-shares';
import { env } from '@/lib/platform/runtime/env';
import { errorFields, log } from '@/lib/platform/runtime/log';
import { OwnerClient } from './owner-client';
import type { DemoState } from './state';

/** What the demo user writes: a text, or a function of the agent's previous reply. */
type Line = string | ((reply: string) => string);

interface Talk {
  lines: Line[];
  /** True if the conversation ends with a payment. */
  pays?: true;
}

/** One conversation with each agent, by slug. */
const talks: Record<string, Talk> = {
  pizzeria: { lines: ['A large margherita, please', '12 Via Roma, Florence'], pays: true },
  calendar: { lines: ['Book a meeting next Tuesday at 10 for an hour'], pays: true },
  analyst: { lines: ['Profile the sample table'] },
  researcher: { lines: ['Which of the planets is the largest?'] },
  converter: { lines: ['12 miles', 'km'] },
  illustrator: { lines: ['A small red house between two big trees, at night in the snow'] },
  quiz: { lines: ['Test me on capitals', answerCapital, 'hint', 'skip', answerCapital, 'stop'] },
  'regex-helper': { lines: ['What does this regex do: `^\\d{4}-\\d{2}$`'] },
};

const READY_POLL_MS = 500;

interface PublishExamplesOptions {
  state: DemoState;
  /** Stores the changed state. */
  save: () => void;
  signal: AbortSignal;
}

/**
 * Has a conversation with each agent, as its owner, and publishes it as the example on the agent's page. Does so once
 * for each agent: an example that was removed is not published again. Waits until the server is ready. An agent that
 * fails is logged and tried again at the next start. Never rejects.
 */
export async function publishExamples({ state, save, signal }: PublishExamplesOptions): Promise<void> {
  const { APP_URL, STRIPE_SECRET_KEY } = env();
  // With Stripe there are no test credits.
  const possible = Object.keys(talks).filter((slug) => !(talks[slug]?.pays && STRIPE_SECRET_KEY));
  const missing = possible.filter((slug) => !state.examples.includes(slug));
  if (missing.length === 0) return;
  try {
    await untilReady(APP_URL, signal);
    const client = await OwnerClient.signIn(APP_URL, state, signal);
    try {
      for (const slug of missing) {
        if (!(await publishExample(client, slug))) continue;
        state.examples.push(slug);
        save();
      }
    } finally {
      await client.signOut();
    }
  } catch (error) {
    if (!signal.aborted) log.warn('demo.examples_failed', errorFields(error));
  }
}

/** Returns false if the agent failed. */
async function publishExample(client: OwnerClient, slug: string): Promise<boolean> {
  try {
    const known = await client.call<AgentExample>('GET', `/api/agents/${slug}/example`);
    if (known.example || known.isRemoved) return true;
    const taskId = await converse(client, slug);
    const { turns } = await client.call<ExampleDraft>('GET', `/api/agents/${slug}/example/tasks/${taskId}`);
    const texts = turns.map(({ text }, at) => ({ at, text }));
    await client.call('PUT', `/api/agents/${slug}/example`, { body: { taskId, turns: texts } });
    return true;
  } catch (error) {
    client.signal.throwIfAborted();
    log.warn('demo.example_failed', { agent: slug, ...errorFields(error) });
    return false;
  }
}

/** Has the conversation until its task is completed. Returns the task. */
async function converse(client: OwnerClient, slug: string): Promise<string> {
  const { lines = [], pays } = talks[slug] ?? {};
  const [first = '', ...others] = lines;
  let posted = await client.send({ text: textOf(first, ''), agentSlug: slug });
  const { conversationId, taskId } = posted;
  try {
    let reply = await client.replyTo(posted);
    for (const line of others) {
      posted = await client.send({ text: textOf(line, reply), conversationId, taskId });
      reply = await client.replyTo(posted);
    }
    if (pays) {
      await client.payWithTestCredits(taskId);
      await client.untilCompleted(posted);
    }
    return taskId;
  } finally {
    // The list of the demo user's conversations is left to the person who tries the demo.
    await client.call('PATCH', `/api/chat/conversations/${conversationId}`, { body: { archived: true } });
  }
}

function textOf(line: Line, reply: string): string {
  return typeof line === 'string' ? line : line(reply);
}

/** Answers the last question of a quiz on capitals. */
function answerCapital(reply: string): string {
  const asked = questionsOf('capitals', 'easy').toSorted(
    (a, b) => reply.lastIndexOf(b.text) - reply.lastIndexOf(a.text),
  );
  return asked[0]?.answers[0] ?? 'skip';
}

async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  while (!(await isReady(url, signal))) await sleep(READY_POLL_MS, undefined, { signal });
}

async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal }).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
