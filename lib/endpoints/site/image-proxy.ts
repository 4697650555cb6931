import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { imageResponse } from '../../http/respond';
import { lastValues } from '../../http/routes/json-route';
import { consume, type TokenBucketRule } from '../../limits';
import { ParleyError } from '../../platform/errors';
import { networkOf } from '../../platform/http-client/client-address';
import { fetchImage, isValidImageSignature } from '../../platform/image';
import {
  MAX_IMAGE_SIGNATURE_LENGTH,
  MAX_IMAGE_URL_LENGTH,
  PROXIED_IMAGE_CACHE_SECONDS,
  PROXIED_IMAGE_PIXELS,
} from '../limits';

/** Maximum third-party images loaded through Parley, per network. */
const IMAGE_PROXY_LIMIT: TokenBucketRule = {
  name: 'pictures',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

const imageQuerySchema = z.strictObject({
  url: z.string().max(MAX_IMAGE_URL_LENGTH),
  sig: z.string().max(MAX_IMAGE_SIGNATURE_LENGTH),
});

export const getImage = endpoint({
  method: 'GET',
  path: '/api/pictures',
  auth: 'anyone',
  query: imageQuerySchema,
  readQuery: lastValues,
  mediaType: 'image/webp',
  errors: ['not_found', 'unsupported_media_type', 'rate_limited'],
  docs: {
    tag: 'Site',
    summary: 'Show an external image',
    description: 'Only URLs signed by Parley are fetched; the image is re-encoded.',
  },
  async handle({ ctx, query: { url: source, sig }, address }) {
    if (!isValidImageSignature(source, sig)) throw new ParleyError('not_found', 'Image not found.');
    await consume(IMAGE_PROXY_LIMIT, networkOf(address), ctx.now);
    const image = await fetchImage(source, { edge: PROXIED_IMAGE_PIXELS, signal: ctx.signal });
    return imageResponse(image, { 'cache-control': `private, max-age=${PROXIED_IMAGE_CACHE_SECONDS}` });
  },
});
