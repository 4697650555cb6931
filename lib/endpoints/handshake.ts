import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/json-route';
import { proofOf } from '../http/request';
import { handshake } from '../tokens';
import { handshakeSchema } from '../tokens/schema';

/** `POST /api/auth/handshake`: a token for one agent, for a session or an access token that may have one. */
export const postHandshake: Endpoint = jsonRoute({
  auth: { scope: 'handshake' },
  body: handshakeSchema,
  handle: ({ ctx, input, request }) => handshake({ ctx, input: { ...input, proof: proofOf(request) } }),
});
