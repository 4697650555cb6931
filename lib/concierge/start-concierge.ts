import { findAgent, isBuiltInUrl, listBuiltInAgent, withdrawBuiltInAgent } from '../catalog';
import { isCallable } from '../catalog/schema';
import { CONCIERGE_SLUG } from '../discovery/schema';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { env } from '../platform/runtime/env';
import { log } from '../platform/runtime/log';
import type { JsonObject } from '../protocol/json';
import { type BuiltInAgent, readHired, readOwnTask, setBuiltInAgent } from '../tasks';
import { answer } from './answer';
import { routedAgent } from './pass-on';
import { readRouting } from './routing';

const concierge: BuiltInAgent = {
  slug: CONCIERGE_SLUG,
  answer,
  read: async ({ record }) => {
    const routing = readRouting(await readOwnTask(record));
    const agent = routing && (await routedAgent(routing));
    return agent && routing.task !== null ? readHired({ record, agent }, routing.task) : null;
  },
};

/**
 * Lists the concierge, or withdraws it if it is disabled. Runs at every start, and is safe to run concurrently on
 * several nodes.
 */
export async function startConcierge(now: Date): Promise<void> {
  const ctx: Ctx = { actor: { kind: 'anonymous' }, requestId: newId('req'), signal: new AbortController().signal, now };
  if (env().CONCIERGE === 'off') {
    await withdrawBuiltInAgent({ ctx, input: { slug: CONCIERGE_SLUG } });
    return;
  }
  setBuiltInAgent(concierge);
  const agent = await listBuiltInAgent({ ctx, input: { slug: CONCIERGE_SLUG, card: toConciergeCard() } });
  if (!agent) log.warn('concierge.slug_taken', { slug: CONCIERGE_SLUG });
}

/** Returns true if the concierge is listed and accepts messages. */
export async function isConciergeOpen(): Promise<boolean> {
  const agent = await findAgent(CONCIERGE_SLUG);
  return agent !== null && isBuiltInUrl(agent.url) && isCallable(agent.status);
}

/** Returns the concierge's card, without URLs. */
function toConciergeCard(): JsonObject {
  return {
    name: 'Concierge',
    description:
      'Finds the listed agent that can do what you ask for and forwards your message to it. Asks you first when several could fit, when an agent takes payments, or when your message looks private.',
    version: '1.0.0',
    provider: { organization: 'Parley', url: env().APP_URL },
    defaultInputModes: ['*/*'],
    defaultOutputModes: ['*/*'],
    skills: [
      {
        id: CONCIERGE_SLUG,
        name: 'Find an agent for a message',
        description:
          'Picks a listed agent by its skills and forwards the message. To choose one yourself, set the metadata "executor" and "skill_used".',
        tags: ['concierge', 'routing'],
        examples: [],
      },
    ],
  };
}
