import type { Endpoint } from '../../http/endpoint';
import {
  getAgentMerchant,
  getSales,
  postCart,
  postClaim,
  postRefundDecision,
  postVerify,
  putAgentMerchant,
} from './merchants';
import {
  getOneOrder,
  getOrderReceipt,
  getOrders,
  postApprove,
  postDecline,
  postRefundRequest,
  postReview,
} from './orders';
import {
  getSpending,
  getSpendingAtAgent,
  getSpendingInConversation,
  getSums,
  postLimitReview,
  postTimeZoneReview,
  putLimit,
  putTimeZone,
} from './spending';
import { getSpendingAlerts, putAlertsSeen, putAutomaticEmails } from './spending-alerts';
import {
  deleteStanding,
  getStanding,
  postStanding,
  postStandingReview,
  putStandingPaused,
  putStandingStopped,
} from './standing';
import { postStripeWebhook } from './stripe-webhook';
import { getOwnWallet, getSettings, postTopUp, putSettings } from './wallet';

export const paymentsEndpoints: Endpoint[] = [
  getOrders,
  getOneOrder,
  postRefundRequest,
  getSales,
  postRefundDecision,
  getOwnWallet,
  postTopUp,
  postStripeWebhook,
  getAgentMerchant,
  putAgentMerchant,
  postReview,
  postApprove,
  postDecline,
  getOrderReceipt,
  postCart,
  postVerify,
  postClaim,
  getSettings,
  putSettings,
  getSpending,
  getSpendingAtAgent,
  getSpendingInConversation,
  getSums,
  postLimitReview,
  putLimit,
  postTimeZoneReview,
  putTimeZone,
  getSpendingAlerts,
  putAlertsSeen,
  putAutomaticEmails,
  getStanding,
  postStandingReview,
  postStanding,
  putStandingPaused,
  deleteStanding,
  putStandingStopped,
];
