import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import { readText, requestIdOf } from '../../http/request';
import { respond } from '../../http/respond';
import { handleStripeWebhook } from '..';

/**
 * A Stripe event, authenticated by its signature over the raw body. 200 once the event is persisted; it is processed
 * afterwards.
 */
export const postStripeWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/stripe',
  status: 200,
  docs: { tag: 'Payments', summary: 'Receive events of the card processor', description: 'Signed by Stripe.' },
  serve: async (request) => {
    const requestId = requestIdOf(request);
    try {
      const raw = await readText(request);
      const signature = request.headers.get('stripe-signature') ?? '';
      await handleStripeWebhook({ ctx: { now: new Date() }, input: { raw, signature } });
      return respond(200, null, { 'cache-control': 'no-store', 'x-request-id': requestId });
    } catch (error) {
      return problemOf(error, requestId);
    }
  },
});
