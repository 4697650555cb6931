import { env } from '../platform/env';
import type { HttpRequest } from './http-message';

const wellKnown = '/.well-known/oauth-protected-resource';

/** The address that was called, as a protected resource (RFC 9728 §1.2). Its origin is ours, whatever the Host says. */
export function resourceOf({ url }: Pick<HttpRequest, 'url'>): string {
  const from = url.indexOf('/', url.indexOf('//') + '//'.length);
  const path = from === -1 ? '/' : url.slice(from);
  return new URL(env().APP_URL + path).href.replaceAll('\\', '%5C');
}

/** Where the metadata of a resource is: its path stands behind the well-known one, and its query stays (RFC 9728 §3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}${search}`;
}

/** The resource whose metadata a request asks for. */
export function describedResource(request: Pick<HttpRequest, 'url'>): URL {
  const resource = new URL(resourceOf(request));
  resource.pathname = resource.pathname.slice(wellKnown.length) || '/';
  return resource;
}
