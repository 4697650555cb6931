import type { NextApiRequest, NextApiResponse } from 'next';
import NextAuth, { type NextAuthOptions } from 'next-auth';

/** One request to next-auth, reduced to what it may see of ours. */
export interface AuthCall {
  action: string;
  provider?: string;
  method: 'GET' | 'POST';
  query?: Record<string, string>;
  body?: Record<string, string>;
  cookies: Record<string, string>;
}

export interface AuthResponse {
  status: number;
  headers: Headers;
  /** Set when the answer is JSON. */
  body: unknown;
}

/**
 * Runs next-auth as a function. Its handler for Node-style requests takes any object of that shape, which lets us decide
 * which cookies and parameters it sees; its handler for route handlers reads them from Next behind our back.
 */
export async function callNextAuth(call: AuthCall, options: NextAuthOptions): Promise<AuthResponse> {
  const nextauth = call.provider === undefined ? [call.action] : [call.action, call.provider];
  const { method, body, cookies } = call;
  const request: Source = { method, body, cookies, headers: {}, query: { ...call.query, nextauth } };
  const answer: AuthResponse = { status: 200, headers: new Headers(), body: undefined };
  await NextAuth(request as NextApiRequest, sinkOf(answer) as NextApiResponse, options);
  return answer;
}

/** The part of Node's request that next-auth reads. */
type Source = Pick<NextApiRequest, 'method' | 'body' | 'cookies' | 'headers' | 'query'>;

/** The part of Node's response that next-auth writes to. */
interface ResponseSink {
  status(code: number): ResponseSink;
  getHeader(name: string): string[] | undefined;
  setHeader(name: string, value: string | string[]): ResponseSink;
  json(body: unknown): void;
  send(body: unknown): void;
  end(): void;
}

function sinkOf(answer: AuthResponse): ResponseSink {
  const sink: ResponseSink = {
    status(code) {
      answer.status = code;
      return sink;
    },
    getHeader: (name) => (name.toLowerCase() === 'set-cookie' ? answer.headers.getSetCookie() : undefined),
    setHeader(name, value) {
      answer.headers.delete(name);
      for (const one of [value].flat()) answer.headers.append(name, one);
      return sink;
    },
    json(body) {
      answer.body = body;
    },
    send(body) {
      answer.body = body;
    },
    end() {},
  };
  return sink;
}
