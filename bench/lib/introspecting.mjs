import { load } from './load.mjs';

const connections = 32;

/**
 * Returns a function that introspects these tokens in turn as one client.
 *
 * @param {object} plan
 * @param {{ pid: number, origin: string }} plan.target
 * @param {string} plan.path
 * @param {{ clientId: string, clientSecret: string }} plan.client
 * @param {string[]} plan.tokens
 * @param {boolean} [plan.active] the expected value in each response
 * @returns {(count: number) => Promise<{ cpu: number, rate: number }>} see `load`
 */
export function introspecting({ target, path, client, tokens, active = true }) {
  const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  return (count) =>
    load({
      target,
      count,
      connections,
      request: (index) => ({ method: 'POST', path, headers, body: `token=${tokens[index % tokens.length]}` }),
      isRight: (body) => body.includes(`"active":${active}`),
    });
}

/**
 * Returns a function that introspects the tokens that a peer issued to its own client.
 *
 * @param {{ pid: number, info: { port: number, clientId: string, clientSecret: string, tokens: string[] } }} peer
 * @param {string} path
 * @returns {(count: number) => Promise<{ cpu: number, rate: number }>}
 */
export function introspectingPeer({ pid, info }, path) {
  const target = { pid, origin: `http://127.0.0.1:${info.port}` };
  return introspecting({ target, path, client: info, tokens: info.tokens });
}
