import type { CoreCard } from '../../a2a/core/card';
import type { JsonObject } from '../../json';
import type { A2uiVersion } from '../messages/surface';

const extension = /^https:\/\/a2ui\.org\/a2a-extension\/a2ui\/v(0\.8|0\.9|0\.9\.1|1\.0)$/;

/** Returns true for an extension of A2A by which agents send surfaces of a version that Parley displays. */
export function isA2uiExtension(uri: string): boolean {
  return extension.test(uri);
}

const catalogs: Readonly<Record<A2uiVersion, string[]>> = {
  '0.8': ['https://a2ui.org/specification/v0_8/standard_catalog_definition.json'],
  '0.9': [
    'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json',
    'https://a2ui.org/specification/v0_9_1/catalogs/basic/catalog.json',
  ],
  '1.0': ['https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json'],
};

type Declared = Pick<CoreCard, 'capabilities'>;

/** Returns the newest of the A2UI extensions that a card declares; null if it declares none. */
export function a2uiExtensionOf({ capabilities }: Declared): string | null {
  const uris = capabilities.extensions.map(({ uri }) => uri).filter(isA2uiExtension);
  return uris.sort((a, b) => (versionOf(a) < versionOf(b) ? 1 : -1))[0] ?? null;
}

function versionOf(uri: string): string {
  return extension.exec(uri)?.[1] ?? '';
}

/**
 * Returns the metadata of each message to an agent that declares A2UI: what Parley displays. Drafts of 1.0 differ in
 * the name of the version, so both are given.
 */
export function a2uiMetadata(uri: string): JsonObject {
  const version = versionOf(uri);
  if (version === '0.8') return { a2uiClientCapabilities: { supportedCatalogIds: catalogs['0.8'] } };
  if (version === '1.0') {
    const supported = { supportedCatalogIds: catalogs['1.0'] };
    return { a2uiRendererCapabilities: { '1.0': supported, 'v1.0': supported } };
  }
  return { a2uiClientCapabilities: { 'v0.9': { supportedCatalogIds: catalogs['0.9'] } } };
}
