import { getAgentMerchant, putAgentMerchant } from '../agent-merchant';
import { postCart, postClaim, postVerify } from '../ap2';
import { getOrderReceipt, postApprove, postDecline, postReview } from '../order-approval';
import { getSettings, putSettings } from '../payment-settings';
import type { Row } from '../row';

export const approvalRows: Row[] = [
  { method: 'GET', path: '/api/agents/:slug/merchant', endpoint: getAgentMerchant },
  { method: 'PUT', path: '/api/agents/:slug/merchant', endpoint: putAgentMerchant },
  { method: 'POST', path: '/api/orders/:id/review', endpoint: postReview },
  { method: 'POST', path: '/api/orders/:id/approve', endpoint: postApprove },
  { method: 'POST', path: '/api/orders/:id/decline', endpoint: postDecline },
  { method: 'GET', path: '/api/orders/:id/receipt', endpoint: getOrderReceipt },
  { method: 'POST', path: '/api/ap2/carts', endpoint: postCart },
  { method: 'POST', path: '/api/ap2/verify', endpoint: postVerify },
  { method: 'POST', path: '/api/ap2/claim', endpoint: postClaim },
  { method: 'GET', path: '/api/payments/settings', endpoint: getSettings },
  { method: 'PUT', path: '/api/payments/settings', endpoint: putSettings },
];
