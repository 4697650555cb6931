import { keepCard, lintCard, refreshAgent, restoreWithdrawn } from '../catalog';
import { acceptInputSchema } from '../catalog/schema';
import { lintInputSchema, refreshInputSchema } from '../catalog/schema-upkeep';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/json-route';

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
  mayBeBare: true,
  handle: ({ ctx, input, params: { slug = '' } }) => refreshAgent({ ctx, input: { ...input, slug } }),
});

/** `POST /api/agents/{slug}/card/keep`: the card that waits does not go live; 204. */
export const postKeepCard: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: acceptInputSchema,
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    await keepCard({ ctx, input: { ...input, slug } });
    return undefined;
  },
});

/** `POST /api/agents/{slug}/restore`: brings a withdrawn agent back. */
export const postRestore: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  handle: ({ ctx, params: { slug = '' } }) => restoreWithdrawn({ ctx, input: { slug } }),
});
