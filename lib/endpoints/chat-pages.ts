import { getArtifactPage, signImageUrl } from '../chat';
import { signImageUrlSchema } from '../chat/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/**
 * What an agent's page may do: show itself. `sandbox` gives it an origin of its own, that of nobody, also when somebody opens
 * the address by hand; it runs nothing, asks for nothing and leads nowhere (XSS-2).
 */
const policy = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** `GET /api/chat/tasks/{id}/page?artifact=&part=`: HTML that an agent made, for a frame. */
export const getTaskPage: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' }, url: { searchParams: query } }) => {
    const part = Number(query.get('part') ?? '0');
    const html = await getArtifactPage({ ctx, input: { taskId: id, artifactId: query.get('artifact') ?? '', part } });
    return new Response(html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    });
  },
});

/** `POST /api/chat/pictures`: where Parley serves a picture that an agent named. */
export const postImageUrl: Endpoint = jsonRoute({
  auth: 'session',
  body: signImageUrlSchema,
  handle: async ({ ctx, input }) => signImageUrl({ ctx, input }),
});
