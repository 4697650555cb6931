import { endpoint } from '../../http/endpoint';
import { listOf } from '../../platform/schema';
import {
  approveCardUpdate,
  lintCard,
  listCardVersions,
  previewAgent,
  refreshAgent,
  rejectCardUpdate,
  restoreWithdrawnAgent,
} from '..';
import { agentViewSchema } from '../schema';
import { cardDecisionSchema, cardRefreshSchema, cardVersionSchema, refreshInputSchema } from '../schema-cards';
import { agentPreviewSchema, cardLintSchema, lintInputSchema, previewInputSchema } from '../schema-registration';

export const postAgentPreview = endpoint({
  method: 'POST',
  path: '/api/agents/preview',
  auth: { scope: 'agents:write' },
  body: previewInputSchema,
  response: agentPreviewSchema,
  errors: ['card_invalid', 'card_unreachable', 'url_refused'],
  docs: { tag: 'Agents', summary: 'Preview a card without listing it' },
  handle: previewAgent,
});

export const postLint = endpoint({
  method: 'POST',
  path: '/api/cards/lint',
  auth: { scope: 'agents:read' },
  body: lintInputSchema,
  response: cardLintSchema,
  errors: ['rate_limited', 'url_refused'],
  docs: {
    tag: 'Agents',
    summary: 'Lint a card',
    description: 'Every error has its line, column and rule, and edits if it can be fixed automatically.',
  },
  handle: lintCard,
});

/** Without `etag`, returns the differences of the served card from the listed one. With `etag`, publishes that card. */
export const postRefresh = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/refresh',
  auth: { scope: 'agents:write' },
  body: refreshInputSchema,
  allowsEmptyBody: true,
  response: cardRefreshSchema,
  errors: ['card_invalid', 'card_unreachable', 'conflict', 'rate_limited'],
  docs: { tag: 'Agents', summary: 'Compare the served card with the listed card, or publish it' },
  handle: ({ ctx, input, params: { slug = '' } }) => refreshAgent({ ctx, input: { ...input, slug } }),
});

export const postRejectCard = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/card/keep',
  auth: { scope: 'agents:write' },
  body: cardDecisionSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Keep the listed card and reject the card waiting for review' },
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    await rejectCardUpdate({ ctx, input: { ...input, slug } });
    return undefined;
  },
});

export const postRestore = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/restore',
  auth: { scope: 'agents:write' },
  response: agentViewSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Restore a withdrawn agent' },
  handle: ({ ctx, params: { slug = '' } }) => restoreWithdrawnAgent({ ctx, input: { slug } }),
});

export const postApproveCard = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/card/accept',
  auth: { scope: 'agents:write' },
  body: cardDecisionSchema,
  response: agentViewSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Publish the card waiting for review' },
  handle: ({ ctx, input, params }) => approveCardUpdate({ ctx, input: { ...input, slug: params.slug ?? '' } }),
});

export const getCardVersions = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/cards',
  reads: 'replica',
  auth: 'anyone',
  response: listOf(cardVersionSchema),
  errors: ['not_found', 'gone'],
  docs: { tag: 'Agents', summary: 'List the card history of an agent' },
  handle: async ({ ctx, params }) => ({ items: await listCardVersions({ ctx, input: { slug: params.slug ?? '' } }) }),
});
