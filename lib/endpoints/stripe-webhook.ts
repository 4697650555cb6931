import type { Endpoint } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { readText, requestIdOf } from '../http/request';
import { respond } from '../http/respond';
import { handleStripeWebhook } from '../payments';

/**
 * `POST /api/webhooks/stripe`: a notice of the card processor, known by its signature over the bytes as they came (PAY-3).
 * 200 once it is persisted; what it is about is done afterwards.
 */
export const postStripeWebhook: Endpoint = async (request) => {
  const requestId = requestIdOf(request);
  try {
    const raw = await readText(request);
    const signature = request.headers.get('stripe-signature') ?? '';
    await handleStripeWebhook({ ctx: { now: new Date() }, input: { raw, signature } });
    return respond(200, null, { 'cache-control': 'no-store', 'x-request-id': requestId });
  } catch (error) {
    return renderProblem(error, requestId);
  }
};
