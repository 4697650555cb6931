import { type BucketRule, consume } from '../limits';
import type { AppActor, Ctx } from '../platform/context';
import { type ErrorCode, ParleyError } from '../platform/errors';
import { readClientCredentials } from '../protocol/oauth/client-credentials';
import { readParameters } from '../protocol/oauth/parameters';
import { authenticateClient } from '../tokens';
import type { Endpoint } from './endpoint';
import { retryHeaders, statusOf, toVisibleError } from './render-error';
import { mediaTypeOf, readText, requestIdOf } from './request';
import { respond } from './respond';

type Form<Name extends string> = Partial<Record<Name | ClientParameter, string>>;
type ClientParameter = 'client_id' | 'client_secret';

interface OAuthRoute<Name extends string> {
  /** Form parameters that the endpoint reads; others are ignored. */
  parameters: readonly Name[];
  /** Calls of one client. Counted once it is authenticated, so that nobody can use up another's. */
  limit: BucketRule;
  handle: (call: { ctx: Ctx; form: Form<Name> }) => Promise<object>;
}

/**
 * An OAuth endpoint for clients: takes a form only, never a credential in the query (INT-1), authenticates the client by
 * Basic or by the form (RFC 6749 §2.3), forbids caching and renders errors as RFC 6749 §5.2 does.
 */
export function oauthRoute<Name extends string>(route: OAuthRoute<Name>): Endpoint {
  return async (request) => {
    const requestId = requestIdOf(request);
    try {
      const form = readForm(await readBody(request), route.parameters);
      const now = new Date();
      const actor = await clientOf(request, form, now);
      const admission = consume(route.limit, actor.appId, now);
      if (admission) await admission;
      const answer = await route.handle({ ctx: contextOf({ actor, requestId, now }, request), form });
      return json(200, answer, { 'x-request-id': requestId });
    } catch (error) {
      return renderOAuthError(error, requestId);
    }
  };
}

/** Most endpoints here never wait, so the signal is made only for those that ask for it. */
function contextOf(known: Omit<Ctx, 'signal'>, request: Request): Ctx {
  return {
    ...known,
    get signal() {
      return request.signal;
    },
  };
}

async function readBody(request: Request): Promise<string> {
  if (/[?&](token|access_token|client_secret)=/.test(request.url)) {
    throw new ParleyError('invalid_request', 'Credentials never go into the URL; send them in the form.');
  }
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') {
    throw new ParleyError('unsupported_media_type', 'Expected Content-Type application/x-www-form-urlencoded.');
  }
  return readText(request);
}

function readForm<Name extends string>(text: string, names: readonly Name[]): Form<Name> {
  const read = readParameters<Name | ClientParameter>(text, [...names, 'client_id', 'client_secret']);
  if (read.kind === 'read') return read.values;
  throw new ParleyError('invalid_request', `The parameter ${read.name} is given more than once.`);
}

async function clientOf(
  request: Request,
  form: Partial<Record<ClientParameter, string>>,
  now: Date,
): Promise<AppActor> {
  const authorization = request.headers.get('authorization');
  const given = readClientCredentials({ authorization, clientId: form.client_id, clientSecret: form.client_secret });
  if (given.kind === 'several') {
    throw new ParleyError('invalid_request', 'The client authenticates in more than one way; use one.');
  }
  const actor = given.kind === 'given' ? await authenticateClient({ ...given, now }) : null;
  if (actor) return actor;
  throw new ParleyError('invalid_client', 'Authenticate with the client id and the client secret of your app.');
}

/** Names of RFC 6749 §5.2 where they exist. */
const names: Partial<Record<ErrorCode, string>> = {
  invalid_client: 'invalid_client',
  rate_limited: 'rate_limited',
  unavailable: 'temporarily_unavailable',
};

function renderOAuthError(error: unknown, requestId: string): Response {
  const visible = toVisibleError(error, requestId);
  const status = statusOf(visible.code);
  const code = names[visible.code] ?? (status >= 500 ? 'server_error' : 'invalid_request');
  // §5.2 allows neither quotes nor backslashes in the description.
  const body = { error: code, error_description: visible.message.replace(/[^ !#-[\]-~]/g, "'") };
  return json(status, body, {
    'x-request-id': requestId,
    ...(status === 401 && { 'www-authenticate': 'Basic realm="parley", charset="UTF-8"' }),
    ...(status === 413 && { connection: 'close' }),
    ...retryHeaders(visible),
  });
}

function json(status: number, body: object, headers: Record<string, string>): Response {
  const common = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return respond(status, JSON.stringify(body), { ...common, ...headers });
}
