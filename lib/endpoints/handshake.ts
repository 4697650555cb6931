import type { Endpoint } from '../http/endpoint';
import { dpopProofOf } from '../http/request';
import { jsonRoute } from '../http/routes/json-route';
import { handshake } from '../tokens';
import { handshakeSchema } from '../tokens/schema';

/** `POST /api/auth/handshake`: a token for one agent, for a session or an access token that may have one. */
export const postHandshake: Endpoint = jsonRoute({
  auth: { scope: 'handshake' },
  body: handshakeSchema,
  handle: ({ ctx, input, request }) => handshake({ ctx, input: { ...input, proof: dpopProofOf(request) } }),
});
