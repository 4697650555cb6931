import { z } from 'zod';
import { searchAgents } from '../../discovery';
import { searchPageSchema, searchQuerySchema } from '../../discovery/schema';
import { endpoint } from '../../http/endpoint';
import { etagOfDigest, imageResponse, isNotModified, jsonResponse, respond } from '../../http/respond';
import { getPresence } from '../../hub';
import { ownsApp } from '../../tokens';
import {
  checkOwnership,
  getAgent,
  getIcon,
  getOwnership,
  getPublisher,
  registerAgent,
  removeAgentCredential,
  setAgentCredential,
  setPublisher,
  updateAgent,
  withdrawAgent,
} from '..';
import { ICON_CACHE_SECONDS, UNVERSIONED_ICON_CACHE_SECONDS } from '../limits';
import { agentResponseSchema, agentViewSchema, credentialInputSchema, credentialSchema } from '../schema';
import { registerInputSchema, updateInputSchema } from '../schema-registration';
import { ownershipSchema, publisherInputSchema, publisherPageSchema, publisherProfileSchema } from '../schema-team';

export const getAgents = endpoint({
  method: 'GET',
  path: '/api/agents',
  reads: 'replica',
  auth: 'anyone',
  hasEtag: true,
  query: searchQuerySchema,
  readQuery: readSearch,
  response: searchPageSchema,
  docs: { tag: 'Agents', summary: 'Search the catalog' },
  handle: ({ ctx, query }) => searchAgents({ ctx, input: query }),
});

const lists: readonly string[] = ['tag', 'capability'];

/** Reads the search parameters. Empty parameters count as absent. */
function readSearch(params: URLSearchParams): object {
  const names = Object.keys(searchQuerySchema.shape);
  return Object.fromEntries(
    names.map((name) => [name, lists.includes(name) ? params.getAll(name) : params.get(name) || undefined]),
  );
}

export const postAgent = endpoint({
  method: 'POST',
  path: '/api/agents',
  auth: { scope: 'agents:write' },
  body: registerInputSchema,
  response: agentViewSchema,
  status: 201,
  errors: ['card_invalid', 'card_unreachable', 'agent_url_taken', 'confirm_origin', 'url_refused'],
  docs: {
    tag: 'Agents',
    summary: 'List an agent by URL',
    description: 'Returns 200 if you have already listed this URL; the listing is then updated.',
  },
  handle: async ({ ctx, input }) => {
    const { agent, created } = await registerAgent({ ctx, input, ownsApp });
    const presence = await getPresence({ ctx, input: { slug: agent.slug } });
    return jsonResponse(
      { ...agent, presence },
      { status: created ? 201 : 200, headers: { location: `/api/agents/${agent.slug}` } },
    );
  },
});

export const getOneAgent = endpoint({
  method: 'GET',
  path: '/api/agents/:slug',
  reads: 'replica',
  auth: 'anyone',
  hasEtag: true,
  response: agentResponseSchema,
  errors: ['gone'],
  docs: { tag: 'Agents', summary: 'Get an agent' },
  handle: async ({ ctx, params: { slug = '' } }) => {
    const call = { ctx, input: { slug } };
    return { ...(await getAgent(call)), presence: await getPresence(call) };
  },
});

export const patchAgent = endpoint({
  method: 'PATCH',
  path: '/api/agents/:slug',
  auth: { scope: 'agents:write' },
  body: updateInputSchema,
  response: agentViewSchema,
  errors: ['card_invalid', 'conflict'],
  docs: { tag: 'Agents', summary: 'Update a listing' },
  handle: async ({ ctx, input, params: { slug = '' } }) => {
    const agent = await updateAgent({ ctx, input: { ...input, slug }, ownsApp });
    return { ...agent, presence: await getPresence({ ctx, input: { slug } }) };
  },
});

export const deleteAgent = endpoint({
  method: 'DELETE',
  path: '/api/agents/:slug',
  auth: { scope: 'agents:write' },
  docs: { tag: 'Agents', summary: 'Withdraw an agent' },
  handle: async ({ ctx, params }) => {
    await withdrawAgent({ ctx, input: { slug: params.slug ?? '' } });
    return undefined;
  },
});

/** Stores the credentials, which are never returned. */
export const putAgentCredentials = endpoint({
  method: 'PUT',
  path: '/api/agents/:slug/credentials',
  auth: { scope: 'agents:write' },
  body: credentialInputSchema,
  response: credentialSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Store the credential that your agent requires' },
  handle: ({ ctx, input, params }) =>
    setAgentCredential({ ctx, input: { slug: params.slug ?? '', credential: input } }),
});

/** Deletes the credentials. Responds with 204 even if there are none. */
export const deleteAgentCredentials = endpoint({
  method: 'DELETE',
  path: '/api/agents/:slug/credentials',
  auth: { scope: 'agents:write' },
  docs: { tag: 'Agents', summary: 'Delete the stored credential for your agent' },
  handle: async ({ ctx, params }) => {
    await removeAgentCredential({ ctx, input: { slug: params.slug ?? '' } });
    return undefined;
  },
});

export const getAgentOwnership = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/ownership',
  auth: { scope: 'agents:read' },
  response: ownershipSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Get the instructions to verify ownership of the host' },
  handle: ({ ctx, params }) => getOwnership({ ctx, input: { slug: params.slug ?? '' } }),
});

export const postAgentOwnership = endpoint({
  method: 'POST',
  path: '/api/agents/:slug/ownership',
  auth: { scope: 'agents:write' },
  response: ownershipSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Check ownership now' },
  handle: ({ ctx, params }) => checkOwnership({ ctx, input: { slug: params.slug ?? '' } }),
});

/**
 * The agent's icon, re-encoded by Parley. A URL with its version in `v` is cached for a long time; icons of private
 * agents are not cached.
 */
export const agentIcon = endpoint({
  method: 'GET',
  path: '/agents/:slug/icon',
  reads: 'replica',
  auth: 'anyone',
  query: z.object({ v: z.string().optional() }),
  handle: async ({ ctx, query, params, request }) => {
    const { digest, bytes, isOpen } = await getIcon({ ctx, input: { slug: params.slug ?? '' } });
    const etag = etagOfDigest(digest);
    const isVersioned = query.v === digest.slice(0, 16);
    const maxAge = isVersioned ? ICON_CACHE_SECONDS : UNVERSIONED_ICON_CACHE_SECONDS;
    const cacheControl = isOpen ? `public, max-age=${maxAge}` : 'no-store';
    const headers = { etag, 'cache-control': cacheControl };
    return isNotModified(request, etag) ? respond(304, null, headers) : imageResponse(bytes, headers);
  },
});

export const getOnePublisher = endpoint({
  method: 'GET',
  path: '/api/publishers/:handle',
  reads: 'replica',
  auth: 'anyone',
  response: publisherPageSchema,
  errors: ['not_found'],
  docs: { tag: 'Agents', summary: 'Get a publisher and their listings' },
  handle: ({ params }) => getPublisher({ input: { handle: params.handle ?? '' } }),
});

export const putOwnPublisher = endpoint({
  method: 'PUT',
  path: '/api/publishers/own',
  auth: { scope: 'agents:write' },
  body: publisherInputSchema,
  response: publisherProfileSchema,
  errors: ['conflict'],
  docs: { tag: 'Agents', summary: 'Update your publisher profile' },
  handle: setPublisher,
});
