import { ParleyError } from '../platform/errors';
import { type ExtensionUse, readExtensionList } from '../protocol/a2a/core/extensions';
import type { HttpRequest } from './http-message';

const names = ['A2A-Extensions', 'X-A2A-Extensions'] as const;

/**
 * The extensions that a caller wants active: `A2A-Extensions` (A2A 1.0) and `X-A2A-Extensions` (0.3), both in every version.
 * Undefined when neither names any.
 * @throws {ParleyError} `invalid_params` for what is no list of URIs, and for too many
 */
export function extensionsOf({ headers }: HttpRequest): ExtensionUse | undefined {
  const current = headers.get('a2a-extensions');
  const legacy = headers.get('x-a2a-extensions');
  if (current === null && legacy === null) return undefined;
  const requested = new Set([...listOf(names[0], current), ...listOf(names[1], legacy)]);
  return requested.size === 0 ? undefined : { requested: [...requested], activated: [] };
}

function listOf(name: string, header: string | null): string[] {
  const read = readExtensionList(header ?? '');
  if ('uris' in read) return read.uris;
  throw new ParleyError('invalid_params', `${name}: ${read.fault}.`);
}

/** What the agent activated, in a header of the name that the caller used. */
export function activatedHeaders(
  { headers }: HttpRequest,
  extensions: ExtensionUse | undefined,
): Record<string, string> | undefined {
  if (!extensions || extensions.activated.length === 0) return undefined;
  const value = extensions.activated.join(', ');
  const usedNames = names.filter((name) => headers.get(name.toLowerCase()) !== null);
  return Object.fromEntries(usedNames.map((name) => [name.toLowerCase(), value]));
}
