import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '../support/page';
import { setting } from '../support/settings';

const verifier = 'the-verifier-of-these-tests-has-enough-characters';
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The redirect URI of a program on this computer. */
export class Callback {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Callback> {
    const server = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><link rel="icon" href="data:,"><title>Connected</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Callback(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The id of a client that registers itself (RFC 7591). */
export async function registerClient(
  redirectUri: string,
  { name = 'Example client', url = setting('parleyUrl') } = {},
): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  expect(response.status).toBe(201);
  return client_id;
}

/** The path of an authorization request; `changes` replace its parameters. */
export function authorizePath(client: { clientId: string; redirectUri: string }, changes: object = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    state: 'state of the client',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  return `/oauth/authorize?${new URLSearchParams(parameters)}`;
}

/** Calls the token endpoint as the client. */
export async function requestTokens(
  form: Record<string, string>,
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${setting('parleyUrl')}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Exchanges the code in the URL that the client was returned to. */
export function redeem(
  returned: string,
  client: { clientId: string; redirectUri: string },
): ReturnType<typeof requestTokens> {
  return requestTokens({
    grant_type: 'authorization_code',
    code: new URL(returned).searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    client_id: client.clientId,
    code_verifier: verifier,
  });
}
