import { getIcon } from '../catalog';
import type { Endpoint } from '../http/endpoint';
import { imageResponse } from '../http/image-response';
import { jsonRoute } from '../http/routes/json-route';

/**
 * `GET /agents/{slug}/icon`: the agent's picture as Parley made it anew. Its address names the version, so it may be kept, by
 * everyone unless the agent is private.
 */
export const agentIcon: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: async ({ ctx, params, request, url }) => {
    const { digest, bytes, isOpen } = await getIcon({ ctx, input: { slug: params.slug ?? '' } });
    const etag = `"${digest.slice(0, 32)}"`;
    const isThisOne = url.searchParams.get('v') === digest.slice(0, 16);
    const cacheControl = isOpen ? `public, max-age=${isThisOne ? 604_800 : 300}` : 'no-store';
    const isKnown = request.headers.get('if-none-match')?.includes(etag) ?? false;
    if (isKnown) return new Response(null, { status: 304, headers: { etag, 'cache-control': cacheControl } });
    const response = imageResponse(bytes, cacheControl);
    response.headers.set('etag', etag);
    return response;
  },
});
