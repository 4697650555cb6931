export { getMerchant } from './merchant/get-merchant';
export { setMerchant } from './merchant/set-merchant';
export { isCardCurrency, isTestMoney, platformFee } from './money-mode';
export type { Announce, Announcement, Deliver, Delivery, PaymentPorts } from './ports';
export type { OrderRecord, RefundRecord } from './record';
