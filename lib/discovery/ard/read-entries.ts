import { ParleyError } from '../../platform/errors';
import { type ArdEntry, type ArdManifest, isIdentifier } from '../../protocol/ard/entries';
import { MAX_MANIFEST_AGENTS } from '../limits';
import { selectArdList, selectArdRows } from '../store/ard';
import { ownPublisher, registryEntry, resourceOf, toArdEntry } from './ard-entries';

/**
 * The manifest of this Parley: its registry, and the public agents that were listed last. Empty when APP_URL has no
 * domain name (ARD Appendix C).
 */
export async function getArdManifest(): Promise<ArdManifest> {
  const manifest = { specVersion: '1.0', host: { displayName: 'Parley' } };
  const publisher = ownPublisher();
  if (publisher === null) return { ...manifest, entries: [] };
  const rows = await selectArdList({ order: 'createdAt DESC', limit: MAX_MANIFEST_AGENTS });
  return { ...manifest, entries: [registryEntry(publisher), ...rows.map((row) => toArdEntry(row, publisher))] };
}

/**
 * The complete entry with an identifier, compared exactly.
 * @throws {ParleyError} `invalid_request` for text that is no identifier, `not_found`
 */
export async function getArdEntry({ input }: { input: { identifier: string } }): Promise<ArdEntry> {
  const { identifier } = input;
  if (!isIdentifier(identifier)) {
    const found = identifier.slice(0, 80);
    throw new ParleyError(
      'invalid_request',
      `Found "${found}"; expected an identifier such as urn:air:acme.com:agent:assistant.`,
    );
  }
  const publisher = ownPublisher();
  const named = publisher === null ? null : resourceOf(identifier, publisher);
  if (publisher !== null && named?.kind === 'registry') return registryEntry(publisher);
  const [row] = named?.kind === 'agent' ? await selectArdRows([named.slug]) : [];
  if (publisher !== null && row) return toArdEntry(row, publisher);
  throw new ParleyError('not_found', 'Entry not found. This registry has no entry with this identifier.');
}
