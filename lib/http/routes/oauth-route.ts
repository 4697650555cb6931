import type { z } from 'zod';
import { consume, type TokenBucketRule } from '../../limits';
import type { AppActor, Ctx, OAuthClientActor, PublicClientActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { networkOf } from '../../platform/http-client/client-address';
import { readClientCredentials, readParameters } from '../../protocol/oauth/requests';
import { authenticateClient, findNamedClient } from '../../tokens';
import { oauthErrorOf, oauthJson } from '../errors/error-formats';
import { problemOf } from '../errors/render-error';
import type { Handler, HandlerContext, HttpRequest, HttpResponse } from '../handler';
import { mediaTypeOf, readFormText, readStorableJson, requestIdOf } from '../request';
import { jsonResponse } from '../respond';
import { parseInput } from './json-route';

/** The callers of an OAuth endpoint. */
type ClientActor = AppActor | PublicClientActor | OAuthClientActor;
type Form<Name extends string> = Partial<Record<Name | ClientParameter, string>>;
type ClientParameter = 'client_id' | 'client_secret';

interface OAuthRoute<Name extends string> {
  /** Form parameters that the endpoint reads. Others are ignored. */
  parameters: readonly Name[];
  /** A parameter that may contain any text, such as U+0000, because it is compared and never stored. */
  uncheckedParameter?: Name;
  /** Permits only apps, or also public clients, which have no secret. */
  clients: 'apps' | 'all';
  /**
   * The rate limit per app, or per network for public clients. Counted after authentication, so that clients cannot
   * block each other.
   */
  limit: TokenBucketRule;
  /** Returns a JSON value, a {@link TextResponse}, or undefined (200 with an empty body). */
  handle: (call: OAuthCall<Name>) => Promise<object | undefined>;
}

export interface OAuthCall<Name extends string> {
  ctx: Ctx & { actor: ClientActor };
  form: Form<Name>;
  address: string;
  request: HttpRequest;
}

/** A response that is not JSON. */
export class TextResponse {
  constructor(
    readonly mediaType: string,
    readonly text: string,
  ) {}
}

/**
 * Returns a handler of an OAuth endpoint for clients, which accepts only form bodies and no credentials in the query,
 * authenticates the client by Basic or form parameters (RFC 6749 §2.3), prevents caching, and renders errors as in RFC
 * 6749 §5.2.
 */
export function oauthRoute<Name extends string>(route: OAuthRoute<Name>): Handler<HttpResponse> {
  async function handler(request: HttpRequest, { address }: HandlerContext): Promise<HttpResponse> {
    const requestId = requestIdOf(request);
    try {
      const form = readForm(await readBody(request, route.uncheckedParameter), route.parameters);
      const now = new Date();
      const actor = await resolveClient(request, { form, now, clients: route.clients });
      const admission = consume(route.limit, actor.kind === 'app' ? actor.appId : networkOf(address), now);
      if (admission) await admission;
      const result = await route.handle({
        ctx: new OAuthCtx({ actor, requestId, now }, request),
        form,
        address,
        request,
      });
      return toHttpResponse(result, requestId);
    } catch (error) {
      return oauthErrorOf(error, requestId);
    }
  }
  const auth = route.clients === 'apps' ? 'app' : 'client';
  return Object.assign(handler, {
    spec: { auth, form: route.parameters } as const,
    renderRejection: (request: HttpRequest, error: ParleyError) => oauthErrorOf(error, requestIdOf(request)),
  });
}

/**
 * The context of a client's call. Its signal is created on first access. It is a class because each object literal with
 * a getter has its own hidden class, which retains the getter's closure until the next full garbage collection.
 */
class OAuthCtx {
  readonly actor: ClientActor;
  readonly requestId: string;
  readonly now: Date;
  readonly #request: HttpRequest;

  constructor({ actor, requestId, now }: Omit<Ctx, 'signal'> & Pick<OAuthCtx, 'actor'>, request: HttpRequest) {
    this.actor = actor;
    this.requestId = requestId;
    this.now = now;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

async function readBody(request: HttpRequest, uncheckedParameter?: string): Promise<string> {
  if (/[?&](token|access_token|client_secret)=/.test(request.url)) {
    throw new ParleyError('invalid_request', 'Credentials are not accepted in the URL. Send them in the form.');
  }
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') {
    throw new ParleyError('unsupported_media_type', 'Expected Content-Type application/x-www-form-urlencoded.');
  }
  return readFormText(request, uncheckedParameter);
}

function readForm<Name extends string>(text: string, names: readonly Name[]): Form<Name> {
  const read = readParameters<Name | ClientParameter>(text, [...names, 'client_id', 'client_secret']);
  if (read.kind === 'read') return read.values;
  throw new ParleyError('invalid_request', `The parameter "${read.name}" was sent more than once. Send it once.`);
}

async function resolveClient(
  request: HttpRequest,
  { form, now, clients }: { form: Partial<Record<ClientParameter, string>>; now: Date; clients: 'apps' | 'all' },
): Promise<ClientActor> {
  const authorization = request.headers.get('authorization');
  const credentials = readClientCredentials({
    authorization,
    clientId: form.client_id,
    clientSecret: form.client_secret,
  });
  if (credentials.kind === 'several') {
    throw new ParleyError('invalid_request', 'The client used more than one authentication method. Use one.');
  }
  const app = credentials.kind === 'given' ? await authenticateClient({ ...credentials, now }) : null;
  const actor = credentials.kind === 'named' && clients === 'all' ? findNamedClient(credentials.clientId) : app;
  if (actor) return actor;
  throw new ParleyError('invalid_client', 'Authenticate with the client ID and the client secret of your app.');
}

function toHttpResponse(result: object | undefined, requestId: string): HttpResponse {
  const headers = { 'cache-control': 'no-store', 'x-request-id': requestId };
  if (result === undefined) return { status: 200, body: null, headers };
  if (!(result instanceof TextResponse)) return oauthJson(200, result, { 'x-request-id': requestId });
  return { status: 200, body: result.text, headers: { ...headers, 'content-type': result.mediaType } };
}

interface ClientCredentialsRoute<Input> {
  body: z.ZodType<Input>;
  /** The rate limit per app. */
  limit: TokenBucketRule;
  handle: (call: { ctx: Ctx & { actor: AppActor }; input: Input }) => Promise<object>;
}

/**
 * Returns a handler of our JSON API for apps, which authenticate by Basic with client id and secret (RFC 6749 §2.3.1).
 * Cookies and tokens are not accepted. Errors are problem JSON.
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
