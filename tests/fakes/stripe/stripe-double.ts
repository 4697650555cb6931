import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onboard } from './accounts';
import { PLATFORM } from './balances';
import { type PageResponse, pay, showBank, showPage, submitBankDecision } from './hosted-page';
import { IdempotencyStore, type Reply } from './idempotency';
import { ApiError, type Params, readForm } from './params';
import { settleArrivedPayouts } from './payouts';
import { handleCall } from './routes';
import { State } from './state';
import { WebhookSender } from './webhook-sender';

/** How the next calls fail: not executed, or executed with the response lost. */
export type Fault = 'refused' | 'lost';

/**
 * Stripe on loopback, slightly more than Parley uses: payments, hosted pages, refunds, transfers, events, idempotency
 * keys, signed webhook events, and its own clock. tests/unit/payments/stripe-double.test.ts verifies it with Stripe's
 * own SDK.
 */
export class StripeDouble {
  readonly state = new State();
  readonly webhooks: WebhookSender;
  /** API calls in order. */
  readonly calls: { method: string; path: string; key: string | undefined; params: Params }[] = [];
  private readonly keys = new IdempotencyStore();
  private faults: { on: RegExp; fault: Fault; times: number }[] = [];

  private constructor(private readonly server: Server) {
    this.webhooks = new WebhookSender('whsec_of_the_double', () => this.state.now());
    this.state.heard = (event) => this.webhooks.enqueue(event);
    this.state.onAdvance = () => settleArrivedPayouts(this.state);
  }

  static async start(): Promise<StripeDouble> {
    const server = createServer();
    const double = new StripeDouble(server);
    server.on('request', (request, response) => void double.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Variables that make Parley charge cards here. */
  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: 'sk_test_of_the_double',
      STRIPE_WEBHOOK_SECRET: this.webhooks.secret,
      STRIPE_API_BASE: this.url,
    };
  }

  /** Delivers webhook events to the Parley at `url` from now on. */
  notify(url: string): void {
    this.webhooks.sendTo(`${url}/api/webhooks/stripe`);
  }

  /** Makes calls whose `METHOD /path` matches fail. */
  failNext(on: RegExp, fault: Fault, times = 1): void {
    this.faults.push({ on, fault, times });
  }

  /** Cancels the planned failures. */
  clearFailures(): void {
    this.faults = [];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', this.url);
    const body = await text(request);
    // Browsers other than the headless shell request it, and a 404 is an error in their console.
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    if (pathname.startsWith('/pay/'))
      return this.servePage(response, { method: request.method ?? 'GET', pathname, body });
    if (pathname.startsWith('/onboarding/')) return this.serveOnboarding(request, response, { pathname, body });
    const method = request.method ?? 'GET';
    const isJson = request.headers['content-type']?.startsWith('application/json');
    const params: Params =
      isJson && method === 'POST' ? JSON.parse(body) : readForm(method === 'GET' ? search.slice(1) : body);
    const key = request.headers['idempotency-key'];
    this.calls.push({ method, path: pathname, key: typeof key === 'string' ? key : undefined, params });
    const fault = this.nextFailure(`${method} ${pathname}`);
    if (fault === 'refused')
      return send(response, { status: 500, body: errorBody({ type: 'api_error', message: 'Down.' }) });
    const account = request.headers['stripe-account'];
    const owner = typeof account === 'string' ? account : PLATFORM;
    const call = { method, path: pathname, params, base: this.url, owner };
    const [reply, replayed] = this.reply(call, typeof key === 'string' ? key : null, body);
    if (fault === 'lost') return void response.destroy();
    send(response, reply, replayed ? { 'idempotent-replayed': 'true' } : {});
  }

  private reply(call: Parameters<typeof handleCall>[1], key: string | null, body: string): [Reply, boolean] {
    const usesKey = key !== null && call.method === 'POST';
    try {
      const first = usesKey ? this.keys.begin(`${call.owner} ${key}`, `${call.path} ${body}`) : null;
      if (first) return [first, true];
    } catch (error) {
      return [toReply(error), false];
    }
    const { isExecuted, ...reply } = attempt(() => ({
      status: 200,
      body: JSON.stringify(handleCall(this.state, call)),
    }));
    // A call rejected for its parameters was not executed.
    if (usesKey) this.keys.keep(`${call.owner} ${key}`, isExecuted ? reply : null);
    return [reply, false];
  }

  private nextFailure(call: string): Fault | null {
    const planned = this.faults.find(({ on, times }) => times > 0 && on.test(call));
    if (!planned) return null;
    planned.times -= 1;
    return planned.fault;
  }

  private serveOnboarding(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, body }: { pathname: string; body: string },
  ): void {
    const bank = request.method === 'POST' ? (new URLSearchParams(body).get('bank') ?? '') : null;
    respondWith(response, onboard(this.state, pathname.split('/')[2] ?? '', bank));
  }

  private servePage(
    response: ServerResponse,
    { method, pathname, body }: { method: string; pathname: string; body: string },
  ): void {
    const [, , id = '', bank] = pathname.split('/');
    const form = new URLSearchParams(body);
    const answered = this.page(id, { isBank: bank !== undefined, form: method === 'POST' ? form : null });
    respondWith(response, answered);
  }

  private page(id: string, { isBank, form }: { isBank: boolean; form: URLSearchParams | null }): PageResponse {
    if (isBank) return form ? submitBankDecision(this.state, id, form.get('answer') ?? '') : showBank(this.state, id);
    return form ? pay(this.state, id, form.get('card') ?? '') : showPage(this.state, id);
  }
}

function respondWith(response: ServerResponse, answered: PageResponse): void {
  if ('location' in answered) response.writeHead(303, { location: answered.location }).end();
  else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answered.html);
}

function attempt(work: () => Reply): Reply & { isExecuted: boolean } {
  try {
    return { ...work(), isExecuted: true };
  } catch (error) {
    return { ...toReply(error), isExecuted: error instanceof ApiError && error.isExecuted };
  }
}

function toReply(error: unknown): Reply {
  if (!(error instanceof ApiError)) throw error;
  return { status: error.status, body: errorBody(error.error) };
}

function errorBody(error: object): string {
  return JSON.stringify({ error });
}

function send(response: ServerResponse, { status, body }: Reply, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_double', ...headers }).end(body);
}
