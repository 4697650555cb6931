import { endpoint } from '../../http/endpoint';
import { getPaymentSettings, getWallet, setPaymentSettings, topUpWallet } from '..';
import { paymentSettingsSchema, setPaymentSettingsSchema } from '../schema-approvals';
import { topUpResultSchema, topUpSchema, walletSchema } from '../schema-wallet';

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
