import type { Endpoint } from '../http/endpoint';
import { cachedJsonRoute } from '../http/routes/cached-document';
import { getStatus } from '../status';

/** `GET /api/status`: how Parley does and did; open to all. */
export const getStatusView: Endpoint = cachedJsonRoute(() => getStatus({ ctx: { now: new Date() } }));
