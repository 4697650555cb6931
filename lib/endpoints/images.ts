import { z } from 'zod';
import type { Endpoint } from '../http/endpoint';
import { imageResponse } from '../http/image-response';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { consume, type TokenBucketRule } from '../limits';
import { networkOf } from '../platform/address';
import { ParleyError } from '../platform/errors';
import { fetchImage } from '../platform/image';
import { isValidImageSignature } from '../platform/image-proxy-url';

const imageRateLimit: TokenBucketRule = { name: 'pictures', burst: 60, perMinute: 120, onDatabaseDown: 'count-here' };
/** Wide enough for a message on a dense screen. */
const edge = 1_600;

export const imageQuerySchema = z.strictObject({ url: z.string().max(4_000), sig: z.string().max(100) });

/** `GET /api/pictures?url=&sig=`: a foreign picture whose address Parley signed, made anew and served from here. */
export const getImage: Endpoint = jsonRoute({
  auth: 'anyone',
  async handle({ ctx, url, address }) {
    const { url: source, sig } = parseBody(imageQuerySchema, Object.fromEntries(url.searchParams));
    if (!isValidImageSignature(source, sig)) throw new ParleyError('not_found', 'There is no such picture.');
    await consume(imageRateLimit, networkOf(address), ctx.now);
    return imageResponse(await fetchImage(source, { edge, signal: ctx.signal }), 'private, max-age=86400');
  },
});
