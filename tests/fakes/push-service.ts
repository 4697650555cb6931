import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';

/** A message that a browser received, decrypted. */
export interface PushMessage {
  title: string;
  body: string;
  tag: string;
  url: string;
  at: number;
}

/** A request that a push service accepted or refused. */
interface PushRequest {
  status: number;
  headers: IncomingMessage['headers'];
  /** The decrypted text of the body. */
  text: string;
  /** The claims of the VAPID token, whose signature is valid. */
  claims: Record<string, unknown>;
  /** The public key of the sender, base64url. */
  sender: string;
  at: number;
}

/** A browser that is subscribed at a push service, with its private keys. */
export interface SubscribedBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  requests: PushRequest[];
  /** The messages that the push service accepted, in order. */
  messages(): PushMessage[];
  /** Statuses of the next responses, with their Retry-After; 201 when there is none. */
  answers: { status: number; retryAfter?: string }[];
}

interface Keys {
  pair: ECDH;
  auth: Buffer;
}

/**
 * A push service (RFC 8030) on loopback with its browsers. It verifies the sender's VAPID token (RFC 8292) with jose and
 * decrypts every message (RFC 8291, RFC 8188) with node:crypto, independently of the library that encrypts.
 */
export class PushService {
  private readonly server = createServer();
  private readonly browsers = new Map<string, SubscribedBrowser & Keys>();
  /** Requests that were no valid Web Push messages, with the reason. */
  readonly faults: string[] = [];

  static async start(): Promise<PushService> {
    const service = new PushService();
    service.server.on('request', (request, response) => {
      service.receive(request, response).catch((error: Error) => {
        service.faults.push(`${request.method} ${request.url}: ${error.message}`);
        response.writeHead(400).end();
      });
    });
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Subscribes a new browser, as `PushManager.subscribe` does. */
  subscribe(): SubscribedBrowser {
    const pair = createECDH('prime256v1');
    const auth = randomBytes(16);
    const path = `/push/${randomBytes(12).toString('base64url')}`;
    const keys = { p256dh: pair.generateKeys('base64url'), auth: auth.toString('base64url') };
    const requests: PushRequest[] = [];
    const browser = {
      pair,
      auth,
      requests,
      answers: [],
      subscription: { endpoint: `${this.url}${path}`, keys },
      messages: () =>
        requests.filter(({ status }) => status === 201).map(({ text }) => JSON.parse(text) as PushMessage),
    };
    this.browsers.set(path, browser);
    return browser;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const browser = this.browsers.get(request.url ?? '');
    if (request.method !== 'POST' || !browser) throw new Error('found no subscription at this path');
    const { claims, sender } = await this.verify(request.headers.authorization ?? '');
    const { headers } = request;
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('expected the encoding aes128gcm');
    if (!/^\d+$/.test(String(headers.ttl))) throw new Error('expected a TTL');
    if (!/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error('expected a topic of at most 32 characters');
    const text = decrypt(Buffer.concat(chunks), browser);
    const answer = browser.answers.shift() ?? { status: 201 };
    browser.requests.push({ status: answer.status, headers, text, claims, sender, at: Date.now() });
    response.writeHead(answer.status, answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter });
    response.end('a response that the application server must not show');
  }

  /** Verifies `Authorization: vapid t=…, k=…`. */
  private async verify(authorization: string): Promise<Pick<PushRequest, 'claims' | 'sender'>> {
    const [, token = '', sender = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
    const point = Buffer.from(sender, 'base64url');
    if (point.length !== 65) throw new Error('expected the public key of the sender');
    const coordinate = (from: number): string => point.subarray(from, from + 32).toString('base64url');
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }, 'ES256');
    const options = {
      audience: this.url,
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'sub'],
      maxTokenAge: undefined,
    };
    const { payload } = await jwtVerify(token, key, options);
    if ((payload.exp ?? 0) > Date.now() / 1000 + 24 * 3600) throw new Error('expected exp within 24 hours');
    return { claims: payload, sender };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Decrypts a message of one record (RFC 8291 §3.4 and RFC 8188 §2). */
function decrypt(body: Buffer, { pair, auth }: Keys): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const serverKey = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), serverKey]);
  const secret = hkdfSync('sha256', pair.computeSecret(serverKey), auth, info, 32);
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${purpose}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('expected the last record');
  return padded.subarray(0, end).toString('utf8');
}
