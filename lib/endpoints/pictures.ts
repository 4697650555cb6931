import { z } from 'zod';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/json-route';
import { pictureResponse } from '../http/picture';
import { type BucketRule, consume } from '../limits';
import { networkOf } from '../platform/address';
import { ParleyError } from '../platform/errors';
import { fetchPicture } from '../platform/picture';
import { isSignedPicture } from '../platform/picture-url';

const perAddress: BucketRule = { name: 'pictures', burst: 60, perMinute: 120, whenAway: 'count-here' };
/** Wide enough for a message on a dense screen. */
const edge = 1_600;

export const pictureQuerySchema = z.strictObject({ url: z.string().max(4_000), sig: z.string().max(100) });

/** `GET /api/pictures?url=&sig=`: a foreign picture whose address Parley signed, made anew and served from here. */
export const getPicture: Endpoint = jsonRoute({
  auth: 'anyone',
  async handle({ ctx, url, address }) {
    const { url: source, sig } = parseBody(pictureQuerySchema, Object.fromEntries(url.searchParams));
    if (!isSignedPicture(source, sig)) throw new ParleyError('not_found', 'There is no such picture.');
    await consume(perAddress, networkOf(address), ctx.now);
    return pictureResponse(await fetchPicture(source, { edge, signal: ctx.signal }), 'private, max-age=86400');
  },
});
