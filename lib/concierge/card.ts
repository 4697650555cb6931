import { CONCIERGE_SLUG } from '../discovery/schema';
import { env } from '../platform/runtime/env';
import type { JsonObject } from '../protocol/json';

/** The concierge's card, without its address. */
export function toConciergeCard(): JsonObject {
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
