import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { imageProxyUrl } from '../platform/image-proxy-url';
import { requireSession } from './policy';

/**
 * Where Parley serves a picture that an agent named, once its person asked for it: nothing of theirs reaches the host.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `url_refused` for what is not https
 */
export function signImageUrl({ ctx, input }: { ctx: Ctx; input: { url: string } }): { src: string } {
  requireSession(ctx.actor);
  if (!URL.canParse(input.url) || new URL(input.url).protocol !== 'https:') {
    throw new ParleyError('url_refused', 'Only pictures at https addresses are loaded.');
  }
  return { src: imageProxyUrl(input.url) };
}
