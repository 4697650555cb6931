import { problemOf } from '../../http/errors/render-error';
import type { Handler } from '../../http/handler';
import { requestIdOf } from '../../http/request';
import { ParleyError } from '../../platform/errors';
import type { JsonObject } from '../../platform/json';
import { env } from '../../platform/runtime/env';

/** `GET /agents/{slug}` for JSON: 404 with the URLs that programs can request. */
export const agentAddress: Handler = async (request, { params }) =>
  problemOf(agentAddressNotFound(params.slug ?? '{slug}'), requestIdOf(request));

/**
 * Returns the 404 error for JSON requests to an agent's page URL, and for unknown paths below it, regardless of whether
 * that agent exists. `data` contains the URLs that clients look for, as templates if the slug is invalid.
 */
export function agentAddressNotFound(slug: string): ParleyError {
  const addresses = addressesOf(/^[\w-]{1,60}$/.test(slug) ? slug : '{slug}');
  const text = `There is no JSON document at this URL. The agent card is at ${addresses.cardUrl}; post calls to ${addresses.jsonrpcUrl}.`;
  const hint = `SDKs that look for the card below a base URL need ${addresses.baseUrl} with the trailing slash.`;
  return new ParleyError('not_found', `${text} ${hint}`, { data: addresses });
}

function addressesOf(slug: string): JsonObject & Record<'cardUrl' | 'jsonrpcUrl' | 'baseUrl', string> {
  const base = `${env().APP_URL}/agents/${slug}`;
  return {
    baseUrl: `${base}/`,
    cardUrl: `${base}/.well-known/agent-card.json`,
    jsonrpcUrl: `${base}/a2a/jsonrpc`,
    restUrl: `${base}/a2a/rest`,
    pageUrl: base,
  };
}
