import type { Endpoint } from '../http/endpoint';
import { cachedJsonRoute } from '../http/routes/cached-document';
import { listJwks } from '../tokens';

/** `GET /.well-known/jwks.json` (RFC 7517 §5). */
export const jwks: Endpoint = cachedJsonRoute(() => listJwks(new Date()));
