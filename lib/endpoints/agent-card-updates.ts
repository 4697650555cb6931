import { lintCard, refreshAgent, rejectCardUpdate, restoreWithdrawnAgent } from '../catalog';
import { cardDecisionSchema } from '../catalog/schema';
import { lintInputSchema, refreshInputSchema } from '../catalog/schema-card-updates';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `POST /api/cards/lint`: everything that is wrong with the text of a card, and what can be mended by itself. */
export const postLint: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  body: lintInputSchema,
  handle: lintCard,
});

/** `POST /api/agents/{slug}/refresh`: without `etag` what is different in the card that is served now; with it that goes live. */
export const postRefresh: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: refreshInputSchema,
  allowsEmptyBody: true,
  handle: ({ ctx, input, params: { slug = '' } }) => refreshAgent({ ctx, input: { ...input, slug } }),
});

/** `POST /api/agents/{slug}/card/keep`: the card that waits does not go live; 204. */
export const postRejectCard: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: cardDecisionSchema,
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    await rejectCardUpdate({ ctx, input: { ...input, slug } });
    return undefined;
  },
});

/** `POST /api/agents/{slug}/restore`: brings a withdrawn agent back. */
export const postRestore: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: ({ ctx, params: { slug = '' } }) => restoreWithdrawnAgent({ ctx, input: { slug } }),
});
