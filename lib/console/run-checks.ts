import { testAgent } from '@parley/agent/test';
import { type AgentRecord, isBuiltInUrl, isHubUrl, isMcpServer } from '../catalog';
import { consume } from '../limits';
import type { Call } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { fetchExternal } from '../platform/http-client/safe-fetch';
import { type Authorization, authorizeRequest } from '../tasks';
import { PROBE_CLIENT, upstreamTokenFor } from '../tokens';
import { authorizeAgentAccess } from './calls';
import {
  CHECK_ANSWER_MS,
  CHECK_EVENT_BYTES,
  CHECK_FIRST_BYTE_MS,
  CHECK_REQUESTS,
  CHECK_RESPONSE_BYTES,
  CHECK_SETTLE_MS,
  CHECKED_EXAMPLES,
  CHECKS_TOTAL_BYTES,
  CHECKS_TOTAL_MS,
} from './limits';
import { acquireCheckSlot, CHECKS_LIMIT } from './rate-limits';
import { type CheckInput, type CheckReportView, checkReportSchema } from './schema-checks';

const limits = {
  firstByteMs: CHECK_FIRST_BYTE_MS,
  answerMs: CHECK_ANSWER_MS,
  settleMs: CHECK_SETTLE_MS,
  totalMs: CHECKS_TOTAL_MS,
  maxResponseBytes: CHECK_RESPONSE_BYTES,
  maxEventBytes: CHECK_EVENT_BYTES,
  maxTotalBytes: CHECKS_TOTAL_BYTES,
  maxExamples: CHECKED_EXAMPLES,
  maxRequests: CHECK_REQUESTS,
};

/**
 * Runs the checks of `parley test` on an agent, as its card is now. They call it as Parley's probe, which can neither pay
 * nor hire, so nothing is bought and no grant is used. Only the team of an agent may run them.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents), `forbidden` for
 *   viewers; `conflict` for an agent that Parley does not call by A2A at a URL; `invalid_request` for unknown checks;
 *   `rate_limited`
 */
export async function runChecks({ ctx, input }: Call<CheckInput & { slug: string }>): Promise<CheckReportView> {
  const { agent, user } = await authorizeAgentAccess(ctx, input.slug, { minRole: 'developer', scope: 'agents:write' });
  requireTestable(agent);
  await consume(CHECKS_LIMIT, user.userId, ctx.now);
  const release = await acquireCheckSlot(user.userId);
  try {
    const token = await upstreamTokenFor({ ...PROBE_CLIENT, agent, now: ctx.now });
    const authorization = await authorizeRequest({ agent, token, now: ctx.now });
    const { texts, only, skip } = input;
    const fetch = guardedFetch(agent, authorization);
    const report = await testAgent({ url: agent.url, fetch }, { texts, only, skip, limits, signal: ctx.signal });
    // An agent may send back what it received.
    return checkReportSchema.parse(JSON.parse(authorization.redact(JSON.stringify(report))));
  } catch (error) {
    if (error instanceof TypeError) throw new ParleyError('invalid_request', `${error.message}.`);
    throw error;
  } finally {
    release();
  }
}

function requireTestable(agent: AgentRecord): void {
  const { url, status } = agent;
  if (isHubUrl(url) || isBuiltInUrl(url) || isMcpServer(agent)) {
    const text = 'This agent has no URL with A2A. Test it where it runs, with "parley test".';
    throw new ParleyError('conflict', text);
  }
  if (status !== 'active')
    throw new ParleyError('conflict', `This agent is ${status}. Only listed agents can be tested.`);
}

/**
 * Returns a fetch through the address guard. The credential is sent only to the origins of the listed card, because the
 * current card may name others.
 */
function guardedFetch(
  { endpoints }: AgentRecord,
  authorization: Authorization,
): (url: string, init: RequestInit) => Promise<Response> {
  const origins = new Set(endpoints.map(({ url }) => new URL(url).origin));
  return async (url, { method, headers, body, signal }) => {
    const { origin, pathname } = new URL(url);
    const isPublic = !origins.has(origin) || pathname.startsWith('/.well-known/');
    const response = await fetchExternal({
      url: isPublic ? url : authorization.urlOf(url),
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...(headers as Record<string, string>), ...(!isPublic && authorization.headers) },
      ...(typeof body === 'string' && { body }),
      signal: signal ?? new AbortController().signal,
      waitMs: CHECKS_TOTAL_MS,
      waitFor: 'whole',
      silenceTimeoutMs: CHECKS_TOTAL_MS,
      maxBytes: CHECK_RESPONSE_BYTES * 2,
    });
    const chunks = response.chunks();
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      cancel: async () => void (await chunks.return(undefined)),
    });
    const { status } = response;
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? stream : null, { status, headers: response.headers });
  };
}
