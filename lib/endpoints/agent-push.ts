import { listDeadLetters, receiveAgentPush } from '../gateway';
import type { Endpoint } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { bearerOf, requestIdOf } from '../http/request';
import { respond } from '../http/respond';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/push/dead-letters`: the person's pushes that nobody took, latest first. */
export const getDeadLetters: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  handle: ({ ctx }) => listDeadLetters({ ctx }),
});

/** `POST /api/push/{task}`: an agent's push, known by the task's secret alone. The body is not read. */
export const postAgentPush: Endpoint = async (request, { params }) => {
  const requestId = requestIdOf(request);
  try {
    const secret = request.headers.get('x-a2a-notification-token') ?? bearerOf(request) ?? '';
    await receiveAgentPush({ ctx: { now: new Date(), requestId }, input: { taskId: params.task ?? '', secret } });
    return respond(204, null, { 'cache-control': 'no-store', 'x-request-id': requestId });
  } catch (error) {
    return renderProblem(error, requestId);
  }
};
