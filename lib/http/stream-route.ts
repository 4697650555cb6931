import type { AuthRule } from './actor';
import type { EndpointContext, StreamEndpoint } from './endpoint';
import type { EventStream } from './event-stream';
import { callJsonRoute, type JsonCall } from './json-route';
import { renderProblem } from './render-error';
import { requestIdOf } from './request';
import { resourceOf } from './resource';

interface StreamRoute {
  auth: AuthRule;
  handle: (call: JsonCall<undefined>) => Promise<EventStream>;
}

/** An endpoint of our own API that answers with a stream; until it begins, errors are problem JSON as in `jsonRoute`. */
export function streamRoute(route: StreamRoute): StreamEndpoint {
  async function answer(request: Request, context: EndpointContext): Promise<Response | EventStream> {
    const requestId = requestIdOf(request);
    try {
      const stream = await callJsonRoute(route, request, { ...context, requestId });
      stream.headers['x-request-id'] = requestId;
      return stream;
    } catch (error) {
      return renderProblem(error, requestId, resourceOf(request));
    }
  }
  return Object.assign(answer, { facts: { auth: route.auth } });
}
