import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  type Person,
  rpc,
  send,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

let parley: Parley;
let owner: Person;
let caller: Person;
let agent: ScriptedAgent;
let slug: string;
let connection: Connection;
const secret = 'hunter2-the-owner-keeps-this';

describe('an agent’s stored credentials', () => {
  let database: pg.Client;
  let tokens: TokenServer;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Guarded', streaming: false });
    tokens = await TokenServer.start();
    parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', LOG_LEVEL: 'debug' } });
    database = new pg.Client({ connectionString: parley.databaseUrl });
    await database.connect();
    owner = await createPerson(parley.url, 'Owner');
    caller = await createPerson(parley.url, 'Caller');
    slug = await listAgent(parley.url, owner, { url: agent.url });
    connection = await connectTo(parley.url, caller, slug);
  });

  afterAll(async () => {
    await database?.end();
    await parley?.stop();
    await agent?.stop();
    await tokens?.stop();
  });

  beforeEach(() => {
    agent.received.length = 0;
    agent.answer(accept);
  });

  const accept = ({ json, received }: Exchange): void =>
    json({ jsonrpc: '2.0', id: received.id, result: agent03.task(`up-${String(received.id)}`, 'completed', ['ok']) });

  const put = (credential: object, person: Person = owner): Promise<Response> =>
    send(`${parley.url}/api/agents/${slug}/credentials`, {
      method: 'PUT',
      bearer: person.accessToken,
      body: credential,
    });

  const remove = (person: Person = owner): Promise<Response> =>
    send(`${parley.url}/api/agents/${slug}/credentials`, { method: 'DELETE', bearer: person.accessToken });

  /** Calls the agent once; returns the headers and the path it received, and the whole response as text. */
  async function call(): Promise<{ headers: IncomingMessage['headers']; answer: string }> {
    const { body } = await rpc(connection, 'message/send', message03('hi'));
    const received = agent.received.at(-1);
    if (!received) throw new Error(`the agent was not called: ${JSON.stringify(body)}`);
    return { headers: received.headers, answer: JSON.stringify(body) };
  }

  test('send a bearer token in Authorization, and Parley’s token in Parley-Token', async () => {
    const stored = await put({ kind: 'bearer', token: secret });
    expect(stored.status).toBe(200);
    expect(await stored.json()).toEqual({ kind: 'bearer', setAt: expect.any(String) });
    const { headers } = await call();
    expect(headers.authorization).toBe(`Bearer ${secret}`);
    expect(headers['parley-token']).toMatch(/^ey/);
    expect(headers['parley-token']).not.toBe(connection.token);
  });

  test('send an API key in the configured header, and Parley’s token in Authorization as well', async () => {
    await put({ kind: 'api-key', in: 'header', name: 'X-API-Key', value: secret });
    const { headers } = await call();
    expect(headers['x-api-key']).toBe(secret);
    expect(headers.authorization).toBe(`Bearer ${headers['parley-token']}`);
  });

  test('send an API key in the configured query parameter', async () => {
    await put({ kind: 'api-key', in: 'query', name: 'key', value: `${secret}&x=1` });
    let url = '';
    agent.answer((exchange) => {
      url = exchange.response.req.url ?? '';
      accept(exchange);
    });
    await call();
    expect(new URL(url, agent.url).searchParams.get('key')).toBe(`${secret}&x=1`);
  });

  test('get a token with OAuth client credentials, once for many calls and again before it expires', async () => {
    tokens.expiresIn = 3_600;
    await put({
      kind: 'oauth-client-credentials',
      tokenUrl: tokens.url,
      clientId: 'id:1',
      clientSecret: secret,
      scope: 'a b',
    });
    const calls = await Promise.all([call(), call(), call()]);
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer issued-1'));
    expect(calls[0]?.headers['parley-token']).toMatch(/^ey/);
    expect(tokens.requests).toEqual([
      {
        authorization: `Basic ${Buffer.from(`id%3A1:${secret}`).toString('base64')}`,
        form: 'grant_type=client_credentials&scope=a+b',
      },
    ]);
    tokens.expiresIn = 0.001;
    await put({
      kind: 'oauth-client-credentials',
      tokenUrl: tokens.url,
      clientId: 'id',
      clientSecret: secret,
      clientAuth: 'body',
    });
    expect((await call()).headers.authorization).toBe('Bearer issued-2');
    expect(tokens.requests.at(-1)).toEqual({
      authorization: undefined,
      form: `grant_type=client_credentials&client_id=id&client_secret=${secret}`,
    });
    expect((await call()).headers.authorization).toBe('Bearer issued-3');
  });

  test('replace a token that the agent rejects', async () => {
    tokens.expiresIn = 3_600;
    await put({ kind: 'oauth-client-credentials', tokenUrl: tokens.url, clientId: 'id', clientSecret: secret });
    agent.answer(({ json }) => json({}, 401));
    const { headers, answer } = await call();
    expect(answer).toContain('The agent rejected the call (HTTP 401).');
    agent.answer(accept);
    expect((await call()).headers.authorization).not.toBe(headers.authorization);
    expect(agent.received).toHaveLength(2);
  });

  test('are omitted, with the rest of the exchange, from the report of a failed token request', async () => {
    tokens.fails = true;
    await put({ kind: 'oauth-client-credentials', tokenUrl: tokens.url, clientId: 'id', clientSecret: secret });
    const { body } = await rpc(connection, 'message/send', message03('hi'));
    tokens.fails = false;
    expect(JSON.stringify(body)).toContain('The token endpoint that the owner of the agent');
    expect(JSON.stringify(body)).not.toContain(secret);
    expect(agent.received).toHaveLength(0);
  });

  test('are never shown: the owner can read their kind and age, but other users cannot', async () => {
    await put({ kind: 'bearer', token: secret });
    const url = `${parley.url}/api/agents/${slug}`;
    const own = await (await send(url, { bearer: owner.accessToken })).json();
    expect(own).toMatchObject({ credential: { kind: 'bearer', setAt: expect.any(String) } });
    expect(JSON.stringify(own)).not.toContain(secret);
    for (const bearer of [caller.accessToken, undefined]) {
      expect(await (await send(url, { bearer })).json()).not.toHaveProperty('credential');
    }
    const { rows } = await database.query('SELECT * FROM agent_credential');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('are omitted from an agent’s errors', async () => {
    await put({ kind: 'bearer', token: secret });
    agent.answer(({ json, received }) => {
      const message = `bad token ${received.headers.authorization} and ${String(received.headers['parley-token'])}`;
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32603, message } });
    });
    const { answer, headers } = await call();
    expect(answer).toContain('bad token Bearer [secret] and [secret]');
    expect(answer).not.toContain(secret);
    const failures = await waitFor(
      async () => {
        const found = await database.query('SELECT message, exchange FROM agent_call WHERE code IS NOT NULL');
        return found.rows.length > 0 ? found : null;
      },
      { what: 'the call to be recorded' },
    );
    expect(JSON.stringify(failures.rows)).not.toContain(secret);
    expect(JSON.stringify(failures.rows)).not.toContain(String(headers['parley-token']));
  });

  test('can be set and removed only by the owner', async () => {
    for (const answer of [await put({ kind: 'bearer', token: 'mine' }, caller), await remove(caller)]) {
      expect(answer.status).toBe(404);
    }
    expect((await send(`${parley.url}/api/agents/${slug}/credentials`, { method: 'DELETE' })).status).toBe(401);
    expect((await call()).headers.authorization).toBe(`Bearer ${secret}`);
  });

  test('are deleted when they are removed', async () => {
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(204);
    const { headers } = await call();
    expect(headers.authorization).toMatch(/^Bearer ey/);
    expect(headers['parley-token']).toBeUndefined();
    const { rows } = await database.query('SELECT * FROM agent_credential');
    expect(rows).toHaveLength(0);
  });

  test.each([
    [400, { kind: 'basic', user: 'a' }],
    [400, { kind: 'bearer', token: '' }],
    [400, { kind: 'bearer', token: 'a\r\nx: y' }],
    [400, { kind: 'bearer', token: 'ä' }],
    [400, { kind: 'bearer', token: 'a', more: 1 }],
    [400, { kind: 'api-key', in: 'header', name: 'Host', value: 'a' }],
    [400, { kind: 'api-key', in: 'header', name: 'content-length', value: 'a' }],
    [400, { kind: 'api-key', in: 'header', name: 'Parley-Token', value: 'a' }],
    [400, { kind: 'api-key', in: 'header', name: 'x y', value: 'a' }],
    [400, { kind: 'api-key', in: 'cookie', name: 'a', value: 'a' }],
    [400, { kind: 'oauth-client-credentials', tokenUrl: 'nonsense', clientId: 'a', clientSecret: 'a' }],
    [
      422,
      { kind: 'oauth-client-credentials', tokenUrl: 'https://169.254.169.254/t', clientId: 'a', clientSecret: 'a' },
    ],
  ])('are rejected with %i if they are set to %o, and remain unchanged', async (status, credential) => {
    expect((await put(credential)).status).toBe(status);
    const { rows } = await database.query('SELECT * FROM agent_credential');
    expect(rows).toHaveLength(0);
  });

  test('are never logged at any log level', () => {
    expect(parley.output()).toContain('"level"');
    expect(parley.output()).not.toContain(secret);
    expect(parley.output()).not.toContain(Buffer.from(`id:${secret}`).toString('base64'));
    expect(parley.output()).not.toContain('issued-');
  });
});

/** A token endpoint of the client credentials grant, which counts its tokens. */
class TokenServer {
  readonly requests: { authorization: string | undefined; form: string }[] = [];
  expiresIn = 3_600;
  fails = false;

  private constructor(private readonly server: Server) {
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const form = Buffer.concat(chunks).toString('utf8');
      response.setHeader('content-type', 'application/json');
      if (this.fails) return void response.writeHead(400).end(JSON.stringify({ error: 'invalid_client', form }));
      this.requests.push({ authorization: request.headers.authorization, form });
      const token = {
        access_token: `issued-${this.requests.length}`,
        token_type: 'Bearer',
        expires_in: this.expiresIn,
      };
      response.end(JSON.stringify(token));
    });
  }

  static async start(): Promise<TokenServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TokenServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/token`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
