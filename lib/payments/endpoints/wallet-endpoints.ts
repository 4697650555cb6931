import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import { readText, requestIdOf } from '../../http/request';
import { respond } from '../../http/respond';
import { getPaymentSettings, getWallet, handleStripeWebhook, setPaymentSettings, topUpWallet } from '..';
import { topUpResultSchema, topUpSchema, walletSchema } from '../schema';
import { paymentSettingsSchema, setPaymentSettingsSchema } from '../schema-approvals';

export const getOwnWallet = endpoint({
  method: 'GET',
  path: '/api/wallet',
  auth: { scope: 'pay' },
  response: walletSchema,
  docs: { tag: 'Payments', summary: 'Get your wallet' },
  handle: ({ ctx }) => getWallet({ ctx }),
});

export const postTopUp = endpoint({
  method: 'POST',
  path: '/api/wallet/top-ups',
  auth: { scope: 'pay' },
  body: topUpSchema,
  response: topUpResultSchema,
  docs: { tag: 'Payments', summary: 'Top up your wallet' },
  handle: ({ ctx, input }) => topUpWallet({ ctx, input }),
});

/** The amount above which payments require a passkey. */
export const getSettings = endpoint({
  method: 'GET',
  path: '/api/payments/settings',
  auth: { scope: 'pay' },
  response: paymentSettingsSchema,
  docs: { tag: 'Payments', summary: 'Get your payment limit' },
  handle: getPaymentSettings,
});

export const putSettings = endpoint({
  method: 'PUT',
  path: '/api/payments/settings',
  auth: { scope: 'guards:write' },
  body: setPaymentSettingsSchema,
  response: paymentSettingsSchema,
  errors: ['forbidden', 'sign_in_again', 'passkey_required', 'passkey_refused', 'conflict'],
  docs: { tag: 'Payments', summary: 'Set your payment limit' },
  handle: setPaymentSettings,
});

/**
 * Receives a Stripe event, authenticated by its signature over the raw body. Responds with 200 when the event is
 * persisted; it is processed afterwards.
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
