import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Claims of a user in addition to `sub`, which is their login. */
export interface Claims {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

interface Context {
  oidc: { client: { clientId: string }; session: { accountId: string }; result?: { consent?: { grantId?: string } } };
}

/**
 * An OpenID provider on loopback, run by the real `oidc-provider`: PKCE required, claims at the userinfo endpoint per
 * the standard. Its sign-in page has one field, the login; every user consents.
 */
export class OidcProvider {
  readonly people = new Map<string, Claims>();
  private provider: Provider | null = null;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OidcProvider> {
    const server = createServer();
    const fake = new OidcProvider(server);
    server.on('request', (request, response) => void fake.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Variables that enable sign-in through this provider. */
  get env(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: 'parley',
      OIDC_CLIENT_SECRET: 'a secret of the test & its provider',
    };
  }

  /** Serves the Parley at `url`, whose port is known only after it started with our `env`. */
  register(url: string): void {
    this.provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: this.env.OIDC_CLIENT_ID,
          client_secret: this.env.OIDC_CLIENT_SECRET,
          redirect_uris: [`${url}/api/auth/callback/oidc`],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a key of the test'] },
      jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_context: Context, { uid }: { uid: string }) => `/sign-in/${uid}` },
      findAccount: (_context: Context, login: string) => ({
        accountId: login,
        claims: () => ({ sub: login, ...this.people.get(login) }),
      }),
      loadExistingGrant: ({ oidc }: Context) => this.consent(oidc.client.clientId, oidc.session.accountId),
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async consent(clientId: string, accountId: string): Promise<unknown> {
    if (!this.provider) return undefined;
    const grant = new this.provider.Grant({ clientId, accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.provider) throw new Error('the provider was asked before it was registered');
    if (!request.url?.startsWith('/sign-in/')) return this.provider.callback()(request, response);
    if (request.method === 'POST') return this.finish(request, response, this.provider);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="en"><title>Provider</title><form method="post" action="${request.url}">` +
        '<label>Login <input name="login"></label><button>Sign in</button></form></html>',
    );
  }

  private async finish(request: IncomingMessage, response: ServerResponse, provider: Provider): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const accountId = new URLSearchParams(body).get('login');
    const result = accountId ? { login: { accountId } } : { error: 'access_denied', error_description: 'cancelled' };
    await provider.interactionFinished(request, response, result);
  }
}
