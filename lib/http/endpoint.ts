/** What an endpoint knows beside the request: path parameters and the caller's address (behind trusted proxies). */
export interface EndpointContext {
  params: Record<string, string>;
  address: string;
}

/** One endpoint of the data plane, a web-standard function; listed in lib/endpoints/table.ts. */
export type Endpoint = (request: Request, context: EndpointContext) => Promise<Response>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
