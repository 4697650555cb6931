import { authorize } from '../../../identity';
import { connectionDecided, recordAudit } from '../../../observability';
import type { Ctx } from '../../../platform/context';
import { ParleyError } from '../../../platform/errors';
import { codeUrl, errorUrl } from './authorization-response';
import { issueCode } from './issue-code';
import { readRequest } from './read-request';
import { proveTarget, readTarget } from './read-target';
import { mayConnectTo } from './resources';

/**
 * The user's decision on an authorization request. `parameters` are those of the request, as a form; they are checked
 * again. Returns the URL of the response, which may be an error; the caller must have checked that its own page was
 * sent.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `rate_limited`; `invalid_request` when client or redirect URI
 * are not proven
 */
export async function decideAuthorization({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { parameters: string; allow: boolean };
}): Promise<{ redirectTo: string }> {
  const { userId, credential } = authorize(ctx.actor, 'session');
  const named = readTarget(input.parameters);
  const target = named.kind === 'named' ? await proveTarget(named, ctx) : named;
  if (target.kind === 'refused') throw new ParleyError('invalid_request', target.message);
  const read = await readRequest(input.parameters, target);
  if (read.kind === 'redirect') return { redirectTo: read.url };
  const { request } = read;
  if (!(await mayConnectTo(userId, request.resource))) {
    return { redirectTo: errorUrl(request, 'invalid_target', 'The user may not call this agent.') };
  }
  if (!input.allow) {
    await recordAudit(connectionDecided(ctx, { userId, connectionId: null, scopes: request.scopes }));
    return { redirectTo: errorUrl(request, 'access_denied', 'The user denied the request.') };
  }
  const session = { userId, sessionId: credential.id };
  return { redirectTo: codeUrl(request, await issueCode({ ctx, session, request, connectionId: null })) };
}
