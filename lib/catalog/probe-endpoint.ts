import { newUuid } from '../platform/ids';
import { isObject, parseJson } from '../platform/json';
import { fetchExternalBody } from '../platform/safe-fetch';

const totalMs = 10_000;
const maxBytes = 65_536;

/**
 * True when something at the address speaks JSON-RPC, or asks for a credential first. It is asked for a task that does
 * not exist, which changes nothing.
 */
export async function answersJsonRpc(url: string, signal: AbortSignal): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: newUuid() } });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const response = await fetchExternalBody({ url, method: 'POST', headers, body, signal, maxBytes, totalMs });
    if (response.status === 401 || response.status === 403) return true;
    const value = parseJson(response.bytes.toString('utf8'));
    return isObject(value) && value.jsonrpc === '2.0';
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}
