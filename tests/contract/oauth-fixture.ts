import { type Person, send } from '../support/fixtures';
import { newPkce } from '../support/pkce';
import { postForm } from './tokens-fixture';

export const callback = 'https://client.example/callback';

/** Registers a public client by RFC 7591; returns its id. */
export async function registerHost(url: string, metadata: object = {}): Promise<string> {
  const body = {
    client_name: 'Example host',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  };
  const response = await send(`${url}/oauth/register`, { body });
  if (response.status !== 201) throw new Error(`register: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { client_id: string }).client_id;
}

/** The form that the consent page sends. */
export function consentForm(clientId: string, challenge: string, changes: Record<string, string> = {}): string {
  return new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    decision: 'allow',
    ...changes,
  }).toString();
}

/** Sends a form to the authorization endpoint as a browser does; `headers` replace the browser's. */
export function postConsent(
  url: string,
  { cookie }: Pick<Person, 'cookie'>,
  { form, headers = {} }: { form: string; headers?: Record<string, string> },
): Promise<Response> {
  return fetch(`${url}/oauth/authorize`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: form,
    redirect: 'manual',
  });
}

/** A code that the user allowed, and the parameters with which the client redeems it. */
export async function allowHost(
  url: string,
  person: Person,
  { clientId, ...changes }: { clientId: string } & Record<string, string>,
): Promise<Record<string, string>> {
  const { verifier, challenge } = newPkce();
  const response = await postConsent(url, person, { form: consentForm(clientId, challenge, changes) });
  const location = response.headers.get('location') ?? '';
  const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
  if (response.status !== 303 || !code) throw new Error(`${response.status} ${location} ${await response.text()}`);
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: changes.redirect_uri ?? callback,
    code_verifier: verifier,
  };
}

export interface HostTokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** The tokens of a client that the person allowed. */
export async function connectHost(
  url: string,
  person: Person,
  request: { clientId: string } & Record<string, string>,
): Promise<HostTokens> {
  const response = await postForm(`${url}/api/auth/token`, await allowHost(url, person, request));
  if (response.status !== 200) throw new Error(`token: ${response.status} ${await response.text()}`);
  return (await response.json()) as HostTokens;
}
