/**
 * The extensions of one call (A2A 1.0 §4.6, 0.3 `X-A2A-Extensions`): what its caller wants active, and what the agent says is,
 * which is written once its answer begins.
 */
export interface ExtensionUse {
  readonly requested: readonly string[];
  activated: string[];
}

/** Most extensions in one header, and characters of one URI: what an agent card may hold. */
const maxUris = 50;
const maxUriLength = 500;

/** Characters of RFC 3986 without the comma, which separates (RFC 9110 §5.6.1). */
const uriPattern = /^[\w.~:/?#[\]@!$&'()*+;=%-]+$/;

/** The URIs that a header lists, each once; or what was found in it that cannot be one. */
export function readExtensionList(header: string): { uris: string[] } | { fault: string } {
  const uris = elementsOf(header);
  const invalid = uris.find((uri) => !isExtensionUri(uri));
  if (invalid !== undefined) {
    return {
      fault: `found ${JSON.stringify(invalid.slice(0, 80))}; expected URIs of at most ${maxUriLength} characters, separated by commas`,
    };
  }
  if (uris.length > maxUris) return { fault: `found ${uris.length} extensions; expected at most ${maxUris}` };
  return { uris };
}

/** The same from an agent's answer: what cannot be a URI is left out. */
export function readActivatedExtensions(headers: Record<string, string>): string[] {
  const headerValues = [headers['a2a-extensions'], headers['x-a2a-extensions']].filter(
    (header) => header !== undefined,
  );
  if (headerValues.length === 0) return [];
  return elementsOf(headerValues.join(',')).filter(isExtensionUri).slice(0, maxUris);
}

function isExtensionUri(text: string): boolean {
  return text.length <= maxUriLength && uriPattern.test(text);
}

function elementsOf(header: string): string[] {
  const elements = header.split(',').map((element) => element.replace(/^[ \t]+|[ \t]+$/g, ''));
  return [...new Set(elements.filter((element) => element !== ''))];
}
