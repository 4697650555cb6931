import { randomUUID } from 'node:crypto';
import { request } from 'node:http';

/**
 * Sends calls at a steady rate, regardless of whether earlier calls have finished.
 *
 * @param {{ balancer: ReturnType<import('./balancer.mjs').startBalancer>, path: string, host: string, tokens: string[],
 *   perSecond: number, slowEvery: number }} load
 *   the agent takes 8 s for every `slowEvery`th call
 * @returns {{ stop: () => Promise<{ calls: number, failed: number, reasons: string[] }> }} `stop` waits for all calls
 */
export function startCalls({ balancer, path, host, tokens, perSecond, slowEvery }) {
  const failures = new Map();
  const calls = [];
  const send = async (number) => {
    const parts = [{ kind: 'text', text: number % slowEvery === 0 ? 'slow' : 'quick' }];
    const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts };
    const body = { jsonrpc: '2.0', id: number, method: 'message/send', params: { message } };
    const headers = { authorization: `Bearer ${tokens[number % tokens.length]}`, host };
    const url = `${balancer.pick()}${path}`;
    const { status, text } = await postJson({ agent: balancer.keepAlive, url, headers, body });
    const { result, error } = status === 200 ? JSON.parse(text) : {};
    if (!result) throw new Error(`${status} ${error?.message ?? text.slice(0, 80)}`);
  };
  const record = (error) => {
    const reason = error.code ?? error.message;
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
  };
  const startedAt = performance.now();
  // Catches up after a stall, so that the rate stays constant.
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    while (calls.length < due) calls.push(send(calls.length).catch(record));
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
      return { calls: calls.length, failed, reasons: [...failures].map(([reason, count]) => `${count} × ${reason}`) };
    },
  };
}

/**
 * Posts JSON over a persistent connection.
 *
 * @param {{ agent: Agent, url: string, headers: Record<string, string>, body: object }} call
 * @returns {Promise<{ status: number, text: string }>}
 */
function postJson({ agent, url, headers, body }) {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } };
    const sent = request(url, options, async (response) => {
      try {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, text });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
