import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { pictureUrl } from '../platform/picture-url';
import { requirePerson } from './policy';

/**
 * Where Parley serves a picture that an agent named, once its person asked for it: nothing of theirs reaches the host.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `url_refused` for what is not https
 */
export function askForPicture({ ctx, input }: { ctx: Ctx; input: { url: string } }): { src: string } {
  requirePerson(ctx.actor);
  if (!URL.canParse(input.url) || new URL(input.url).protocol !== 'https:') {
    throw new ParleyError('url_refused', 'Only pictures at https addresses are loaded.');
  }
  return { src: pictureUrl(input.url) };
}
