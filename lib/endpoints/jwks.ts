import type { Endpoint } from '../http/endpoint';
import { publicRoute } from '../http/public-route';
import { listJwks } from '../tokens';

/** `GET /.well-known/jwks.json` (RFC 7517 §5). */
export const jwks: Endpoint = publicRoute(() => listJwks(new Date()));
