// Signs in a user of this page to Parley with the authorization code flow of OAuth 2.1, without a secret.
const redirectUri = new URL('.', location.href).href;

/** State that survives the redirect to Parley and back. It is deleted when the tab is closed. */
const session = {
  get: () => JSON.parse(sessionStorage.getItem('parley') ?? '{}'),
  set: (changes) => sessionStorage.setItem('parley', JSON.stringify({ ...session.get(), ...changes })),
};

export const isSignedIn = () => Boolean(session.get().token);

/** Requests access to Parley's OpenAI-compatible API; the browser leaves the page. */
export async function signIn(parley) {
  const { resource, server } = await discover(parley.replace(/\/$/, ''));
  const [clientId, state, verifier] = [await clientIdAt(server), random(), random()];
  session.set({ resource, server, clientId, state, verifier });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    resource,
    scope: 'agents:call offline_access',
    state,
    code_challenge: base64url(digest),
    code_challenge_method: 'S256',
  });
  location.assign(`${server.authorization_endpoint}?${request}`);
}

/** Exchanges the code in the page's URL for tokens, if Parley redirected back. */
export async function finishSignIn() {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state')) return;
  history.replaceState(null, '', redirectUri);
  const { state, server, verifier } = session.get();
  // The response must match this tab's request (state) and come from the server that was asked (RFC 9207).
  if (answer.get('state') !== state || answer.get('iss') !== server.issuer) throw new Error('Unexpected answer.');
  if (answer.has('error')) throw new Error(answer.get('error_description') ?? answer.get('error'));
  const code = answer.get('code');
  await getTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier });
}

/** Posts JSON to a path below the API; renews the token once if it has expired. */
export async function call(path, body) {
  const post = () =>
    fetch(session.get().resource + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.get().token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const response = await post();
  if (response.status !== 401) return response;
  await getTokens({ grant_type: 'refresh_token', refresh_token: session.get().refreshToken });
  return post();
}

/** Finds the authorization server of the API (RFC 9728) and its metadata (RFC 8414). */
async function discover(parley) {
  const { resource, authorization_servers: servers } = await getJson(
    `${parley}/.well-known/oauth-protected-resource/v1`,
  );
  const server = await getJson(`${servers[0]}/.well-known/oauth-authorization-server`);
  if (server.issuer !== servers[0]) throw new Error('This server cannot be used.');
  return { resource, server };
}

/**
 * Returns the URL of the page's metadata document if it is published over https; otherwise the page registers (RFC
 * 7591).
 */
async function clientIdAt(server) {
  const documentUrl = new URL('client.json', redirectUri);
  if (documentUrl.protocol === 'https:') return documentUrl.href;
  const body = JSON.stringify(await getJson(documentUrl));
  const headers = { 'content-type': 'application/json' };
  return (await getJson(server.registration_endpoint, { method: 'POST', headers, body })).client_id;
}

async function getTokens(grant) {
  const { server, clientId, resource } = session.get();
  const body = new URLSearchParams({ ...grant, client_id: clientId, resource });
  const tokens = await getJson(server.token_endpoint, { method: 'POST', body });
  session.set({ token: tokens.access_token, refreshToken: tokens.refresh_token });
}

async function getJson(url, init) {
  const response = await fetch(url, init);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description ?? `${url} returned HTTP ${response.status}.`);
  return body;
}

function random() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}
