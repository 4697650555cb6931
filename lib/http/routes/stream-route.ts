import type { AuthRule } from '../actor';
import type { EndpointContext, StreamEndpoint } from '../endpoint';
import { renderProblem } from '../render-error';
import { requestIdOf } from '../request';
import { resourceOf } from '../resource';
import type { EventStream } from '../sse/event-stream';
import { type JsonCall, runJsonRoute } from './json-route';

interface StreamRoute {
  auth: AuthRule;
  handle: (call: JsonCall<undefined>) => Promise<EventStream>;
}

/** An endpoint of our own API that answers with a stream; until it begins, errors are problem JSON as in `jsonRoute`. */
export function streamRoute(route: StreamRoute): StreamEndpoint {
  async function answer(request: Request, context: EndpointContext): Promise<Response | EventStream> {
    const requestId = requestIdOf(request);
    try {
      const stream = await runJsonRoute(route, request, { ...context, requestId });
      stream.headers['x-request-id'] = requestId;
      return stream;
    } catch (error) {
      return renderProblem(error, requestId, resourceOf(request));
    }
  }
  return Object.assign(answer, { facts: { auth: route.auth } });
}
