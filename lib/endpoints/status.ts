import type { Endpoint } from '../http/endpoint';
import { publicRoute } from '../http/public-route';
import { getStatus } from '../status';

/** `GET /api/status`: how Parley does and did; open to all. */
export const getStatusView: Endpoint = publicRoute(() => getStatus({ ctx: { now: new Date() } }));
