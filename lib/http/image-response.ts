/** Headers of a picture that Parley made anew: it is one whatever a browser thinks, and runs nothing (XSS-2). */
const headers = {
  'content-type': 'image/webp',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** A WebP picture that may be kept as `cacheControl` says. */
export function imageResponse(bytes: Uint8Array, cacheControl: string): Response {
  return new Response(new Uint8Array(bytes), { headers: { ...headers, 'cache-control': cacheControl } });
}
