import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { type Browser, chromium } from '@playwright/test';
import { browserLaunch } from '../support/browser';
import type { Person } from '../support/fixtures';

interface Information {
  client_id: string;
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
  token_type: string;
}

/** A person's browser, in which they allow what a program asks. */
export class PersonsBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly parleyUrl: string,
    private readonly person: Person,
  ) {}

  static async start(parleyUrl: string, person: Person): Promise<PersonsBrowser> {
    return new PersonsBrowser(await chromium.launch(await browserLaunch()), parleyUrl, person);
  }

  /** Opens the URL as the signed-in person, and allows the request. */
  async allow(url: URL): Promise<void> {
    const context = await this.browser.newContext();
    const [name = '', value = ''] = this.person.cookie.split('=');
    await context.addCookies([{ name, value, url: this.parleyUrl }]);
    const page = await context.newPage();
    await page.goto(url.href);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('You can close this window.').waitFor();
    await context.close();
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/**
 * What a native MCP host implements for the SDKs (`OAuthClientProvider`): it opens the person's browser, and listens for
 * the answer on a port that it did not register (RFC 8252 §7.3).
 */
export class NativeHost {
  readonly clientMetadata = {
    client_name: 'Native host',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  /** The parameters of the answer. */
  answer = new URLSearchParams();
  registrations = 0;
  authorizations: URL[] = [];
  private information: Information | undefined;
  private saved: Tokens | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;

  private constructor(
    private readonly server: Server,
    private readonly browser: PersonsBrowser,
    /** The URL of its metadata document; without one, it registers. */
    readonly clientMetadataUrl: string | undefined,
  ) {
    server.on('request', ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, this.redirectUrl);
      if (pathname === '/callback') this.answer = searchParams;
      response.writeHead(200, { 'content-type': 'text/plain' }).end('You can close this window.');
    });
  }

  static async start(browser: PersonsBrowser, clientMetadataUrl?: string): Promise<NativeHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new NativeHost(server, browser, clientMetadataUrl);
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/callback`;
  }

  state(): string {
    return 'state of the host';
  }

  clientInformation(): Information | undefined {
    return this.information;
  }

  saveClientInformation(information: Information): void {
    if (information.client_id !== this.clientMetadataUrl) this.registrations++;
    this.information = information;
  }

  tokens(): Tokens | undefined {
    return this.saved;
  }

  saveTokens(tokens: Tokens): void {
    this.saved = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.authorizations.push(url);
    await this.browser.allow(url);
  }

  /** Makes the access token one that has expired. */
  expire(): void {
    if (this.saved) this.saved = { ...this.saved, access_token: `${this.saved.access_token}x` };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
