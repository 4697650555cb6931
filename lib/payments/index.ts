export { acceptSale } from './acceptance/accept-sale';
export { sendAcceptanceEmails } from './acceptance/acceptance-mail';
export { listAwaitedResults } from './acceptance/list-awaited';
export { syncBankDisputes } from './bank-disputes/sync-bank-disputes';
export { handleStripeWebhook, reconcileStripeEvents } from './charges/stripe-events';
export { getWallet, topUpWallet } from './charges/wallet';
export { changeDispute, decideDispute } from './disputes/change-dispute';
export { nextDisputeDeadline, runDisputeDeadlines } from './disputes/dispute-deadlines';
export { getDisputeEvidence } from './disputes/dispute-evidence';
export { sendDisputeEmails } from './disputes/dispute-mail';
export { getDisputableSale, openDispute } from './disputes/open-dispute';
export { getDispute, getDisputeFile, listDisputes, readDisputes } from './disputes/read-disputes';
export { settleEarnings } from './earnings/release-earnings';
export { listFees, setFee } from './fees/fees';
export { getIncome, listEarningAgents, listEarnings, readEarnings } from './income/read-income';
export { refundSale } from './income/refund-sale';
export { getMerchant, setMerchant } from './merchants/merchant-settings';
export { deliverMandates } from './merchants/send-to-merchant';
export { approveOrder, declineOrder, reviewOrder } from './orders/decide-order';
export { acknowledgeMandate, authorizeCart, verifyMandate } from './orders/merchant-calls';
export { notifyParties } from './orders/notify-parties';
export { onAgentMessage } from './orders/on-agent-message';
export { getOrder, getReceipt, listOrderAgents, listOrders, readOrders } from './orders/read-orders';
export { hasSold, listSaleAgents, listSales, readSales, sumSalesBySlot } from './orders/sales';
export { issuePapers } from './papers/issue-papers';
export { getPaper, listPapers, paperFile, readPapers } from './papers/read-papers';
export { createDuePayouts, nextScheduledPayouts } from './payouts/create-payouts';
export { cancelPayout, listPayouts, requestPayout } from './payouts/own-payouts';
export { getPayoutAccount, setLeaving, setPayoutSchedule, startOnboarding } from './payouts/seller-settings';
export { approvePrice, reviewPrice, revokePrice } from './plans/approve-price';
export { getPriceTerms, listPriceApprovals } from './plans/price-terms';
export { paymentsPort } from './ports';
export { MERCHANT_LIMIT } from './rate-limits';
export { decideRefund, requestRefund } from './refunds/order-refunds';
export { hasNewAlerts, listSpendingAlerts, setAlertsSeen, setAutomaticEmails } from './spending/alerts';
export { listSpendingLimits, reviewLimit, reviewTimeZone, setLimit, setTimeZone } from './spending/manage-limits';
export { getPaymentSettings, restorePaymentGuard, setPaymentSettings } from './spending/payment-guards';
export { getAgentSpending, getConversationSpending, sumSpending } from './spending/read-sums';
export { defaultLimit } from './spending/reserve';
export {
  createStanding,
  listStandingApprovals,
  pauseStanding,
  reviewStanding,
  revokeStanding,
  stopStanding,
} from './standing/manage-standing';
export { getStatement, listStatements } from './statements/read-statements';
export { statementPdf } from './statements/statement-file';
export { nextBankDispute } from './store/disputes/bank-dispute-rows';
export { nextDisputeNotice } from './store/disputes/dispute-notices';
export { nextAcceptanceEmail } from './store/earnings/acceptance-emails';
export { nextEarningDue } from './store/earnings/due-earnings';
export { assertNoPendingMoney, erasePayments } from './store/erase-buyer';
export { eraseMerchants } from './store/merchants';
export { nextOfferExpiry } from './store/order-tasks';
export { findOrdersOfTasks } from './store/orders';
export { measureOutbox } from './store/outbox';
export { nextChargeCheck } from './store/plans/task-charges';
export { nextX402Settlement } from './store/x402/x402-payments';
export { authorizeCharge } from './task-charges/authorize-charge';
export { listTaskCharges, readTaskCharges } from './task-charges/list-charges';
export { settleDueCharges } from './task-charges/settle-charges';
export { getBilling, setBilling } from './tax/billing';
export { listTaxRates, setTaxRate } from './tax/tax-rates';
export { startPayments, stopPayments } from './worker/outbox-worker';
export { expireOrders, prunePayments, sendDigests } from './worker/sweeps';
export {
  decideX402Payment,
  listX402Duties,
  recordX402Payout,
  recordX402Refund,
} from './x402/operate-x402';
export { limitCallers, payByX402 } from './x402/pay-by-x402';
export { payablePlan, x402Asset } from './x402/quotes';
export { settleDueX402 } from './x402/settle-x402';
export { x402Required } from './x402/x402-errors';
