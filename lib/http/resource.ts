import { env } from '../platform/runtime/env';
import type { HttpRequest } from './handler';

const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Returns the called URL as a protected resource (RFC 9728 §1.2), with our origin regardless of the Host header. */
export function resourceOf({ url }: Pick<HttpRequest, 'url'>): string {
  const start = url.indexOf('/', url.indexOf('//') + '//'.length);
  const path = start === -1 ? '/' : url.slice(start);
  return new URL(env().APP_URL + path).href.replaceAll('\\', '%5C');
}

/**
 * Returns the URL of a resource's metadata: the well-known path, followed by the resource's path and query (RFC 9728
 * §3.1).
 */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${METADATA_PATH}${pathname === '/' ? '' : pathname}${search}`;
}

/** Returns the resource whose metadata a request asks for. */
export function describedResource(request: Pick<HttpRequest, 'url'>): URL {
  const resource = new URL(resourceOf(request));
  resource.pathname = resource.pathname.slice(METADATA_PATH.length) || '/';
  return resource;
}
