import type { RunResult, TestRunView } from '@/lib/console/schema';
import { type ApiProblem, callApi } from '../../forms/call-api';

/** One step of a test: request, response and duration. */
export interface TestStep {
  name: 'token' | 'call';
  /** Milliseconds. */
  ms: number;
  /** 0 without a response. */
  status: number;
  request: string;
  response: string;
  /** The step as a curl command, in which the token is a shell variable. */
  curl: string | null;
}

export interface TestReport {
  steps: TestStep[];
  /** The token's claims, as soon as there is a token. */
  claims: Record<string, unknown> | null;
  behind: RunResult | null;
  problem: ApiProblem | null;
}

interface Asked {
  slug: string;
  text: string;
  replayOf: string | null;
  onStep: (report: TestReport) => void;
}

/**
 * Sends one message as any caller does: with a token from a handshake, through the gateway, to the agent. Reports each
 * step when it finishes, and finally the exchange between Parley and the agent.
 */
export async function runTest({ slug, text, replayOf, onStep }: Asked): Promise<void> {
  let report: TestReport = { steps: [], claims: null, behind: null, problem: null };
  const update = (change: Partial<TestReport>): void => {
    report = { ...report, ...change };
    onStep(report);
  };
  const started = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/runs`, replayOf ? { replayOf } : {});
  if (!started.ok) return update({ problem: started.problem });
  const { requestId, parts } = started.body as TestRunView;
  const handshake = await timed('token', '/api/auth/handshake', { body: { agentSlug: slug }, headers: {} });
  const token = tokenIn(handshake.response);
  const shown = { ...handshake, response: hideToken(handshake.response, token) };
  update({ steps: [shown], claims: token ? claimsIn(token) : null });
  if (!token) return;
  const body = {
    jsonrpc: '2.0',
    id: '1',
    method: 'SendMessage',
    params: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: parts ?? [{ text }] } },
  };
  const path = `/agents/${encodeURIComponent(slug)}/a2a/jsonrpc`;
  const headers = { 'a2a-version': '1.0', authorization: `Bearer ${token}`, 'x-request-id': requestId };
  const called = await timed('call', path, { body, headers });
  update({ steps: [shown, { ...called, curl: curlOf(path, body) }] });
  const behind = await callApi('GET', `/api/agents/${encodeURIComponent(slug)}/runs/${requestId}`);
  update(behind.ok ? { behind: behind.body as RunResult } : { problem: behind.problem });
}

async function timed(
  name: TestStep['name'],
  path: string,
  { body, headers }: { body: object; headers: Record<string, string> },
): Promise<TestStep> {
  const startedAt = performance.now();
  const all = { 'content-type': 'application/json', ...headers };
  const headerLines = Object.entries(all).map(
    ([field, value]) => `${field}: ${field === 'authorization' ? 'Bearer [secret]' : value}`,
  );
  const request = [`POST ${path}`, ...headerLines, '', JSON.stringify(body, null, 2)].join('\n');
  try {
    const response = await fetch(path, { method: 'POST', headers: all, body: JSON.stringify(body) });
    const text = await response.text();
    const ms = Math.round(performance.now() - startedAt);
    return { name, ms, status: response.status, request, response: indented(text), curl: null };
  } catch {
    const ms = Math.round(performance.now() - startedAt);
    return { name, ms, status: 0, request, response: '', curl: null };
  }
}

function tokenIn(text: string): string | null {
  try {
    const { token } = JSON.parse(text) as { token?: unknown };
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}

function hideToken(text: string, token: string | null): string {
  return token ? text.replaceAll(token, '[secret]') : text;
}

function claimsIn(token: string): Record<string, unknown> {
  const text = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(text) as Record<string, unknown>;
}

function curlOf(path: string, body: object): string {
  const data = JSON.stringify(body).replaceAll("'", `'\\''`);
  return [
    `curl ${location.origin}${path}`,
    `  -H "Authorization: Bearer $TOKEN"`,
    `  -H 'A2A-Version: 1.0' -H 'Content-Type: application/json'`,
    `  -d '${data}'`,
  ].join(' \\\n');
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
