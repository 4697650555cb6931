import { type Endpoint, endpoint } from '../../../http/endpoint';
import { serveMcp } from './serve-mcp';

/** The Model Context Protocol over Streamable HTTP. It is stateless, so there is nothing to GET or DELETE. */
export const mcpEndpoints: Endpoint[] = [
  endpoint({ method: 'POST', path: '/mcp', serve: serveMcp }),
  endpoint({ method: 'POST', path: '/agents/:slug/mcp', serve: serveMcp }),
];
