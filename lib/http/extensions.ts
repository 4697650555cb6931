import { ParleyError } from '../platform/errors';
import { type ExtensionUse, readExtensionList } from '../protocol/a2a/core/extensions';
import type { PlainRequest } from './plain';

const names = ['A2A-Extensions', 'X-A2A-Extensions'] as const;

/**
 * The extensions that a caller wants active: `A2A-Extensions` (A2A 1.0) and `X-A2A-Extensions` (0.3), both in every version.
 * Undefined when neither names any.
 * @throws {ParleyError} `invalid_params` for what is no list of URIs, and for too many
 */
export function extensionsOf({ headers }: PlainRequest): ExtensionUse | undefined {
  const own = headers.get('a2a-extensions');
  const older = headers.get('x-a2a-extensions');
  if (own === null && older === null) return undefined;
  const requested = new Set([...listOf(names[0], own), ...listOf(names[1], older)]);
  return requested.size === 0 ? undefined : { requested: [...requested], activated: [] };
}

function listOf(name: string, header: string | null): string[] {
  const read = readExtensionList(header ?? '');
  if ('uris' in read) return read.uris;
  throw new ParleyError('invalid_params', `${name}: ${read.fault}.`);
}

/** What the agent activated, in a header of the name that the caller used. */
export function activatedHeaders(
  { headers }: PlainRequest,
  use: ExtensionUse | undefined,
): Record<string, string> | undefined {
  if (!use || use.activated.length === 0) return undefined;
  const value = use.activated.join(', ');
  const used = names.filter((name) => headers.get(name.toLowerCase()) !== null);
  return Object.fromEntries(used.map((name) => [name.toLowerCase(), value]));
}
