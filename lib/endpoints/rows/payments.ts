import { getOneOrder, getOrders, postRefundRequest } from '../orders';
import type { Row } from '../row';
import { getSales, postRefundDecision } from '../sales';
import { postStripeWebhook } from '../stripe-webhook';
import { getOwnWallet, postTopUp } from '../wallet';

export const paymentsRows: Row[] = [
  { method: 'GET', path: '/api/orders', endpoint: getOrders },
  { method: 'GET', path: '/api/orders/:id', endpoint: getOneOrder },
  { method: 'POST', path: '/api/orders/:id/refund', endpoint: postRefundRequest },
  { method: 'GET', path: '/api/sales', endpoint: getSales },
  { method: 'POST', path: '/api/sales/:id/refund', endpoint: postRefundDecision },
  { method: 'GET', path: '/api/wallet', endpoint: getOwnWallet },
  { method: 'POST', path: '/api/wallet/top-ups', endpoint: postTopUp },
  { method: 'POST', path: '/api/webhooks/stripe', endpoint: postStripeWebhook },
];
