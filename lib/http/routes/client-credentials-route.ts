import type { z } from 'zod';
import { consume, type TokenBucketRule } from '../../limits';
import type { AppActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { readClientCredentials } from '../../protocol/oauth/requests';
import { authenticateClient } from '../../tokens';
import { problemOf } from '../errors/render-error';
import type { Handler, HttpRequest, HttpResponse } from '../handler';
import { readStorableJson, requestIdOf } from '../request';
import { jsonResponse } from '../respond';
import { parseInput } from './json-route';

interface ClientCredentialsRoute<Input> {
  body: z.ZodType<Input>;
  /** The rate limit per app. */
  limit: TokenBucketRule;
  handle: (call: { ctx: Ctx & { actor: AppActor }; input: Input }) => Promise<object>;
}

/**
 * A handler of our JSON API for apps. They authenticate by Basic with client id and secret (RFC 6749 §2.3.1); cookies
 * and tokens are not accepted. Errors are problem JSON.
 */
export function clientCredentialsRoute<Input>(route: ClientCredentialsRoute<Input>): Handler {
  async function handler(request: HttpRequest): Promise<HttpResponse> {
    const requestId = requestIdOf(request);
    try {
      const now = new Date();
      const actor = await authenticateApp(request, now);
      const admission = consume(route.limit, actor.appId, now);
      if (admission) await admission;
      const input = parseInput(route.body, await readStorableJson(request));
      const result = await route.handle({ ctx: { actor, requestId, signal: request.signal, now }, input });
      return jsonResponse(result, { headers: { 'cache-control': 'no-store', 'x-request-id': requestId } });
    } catch (error) {
      return problemOf(error, requestId);
    }
  }
  return Object.assign(handler, { spec: { auth: 'app', body: route.body } as const });
}

async function authenticateApp(request: HttpRequest, now: Date): Promise<AppActor> {
  const authorization = request.headers.get('authorization');
  const credentials = readClientCredentials({ authorization, clientId: undefined, clientSecret: undefined });
  const actor = credentials.kind === 'given' ? await authenticateClient({ ...credentials, now }) : null;
  if (actor) return actor;
  throw new ParleyError('invalid_client', 'Authenticate with the client ID and the client secret of your app.');
}
