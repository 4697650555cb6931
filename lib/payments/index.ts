export { isCardCurrency, isTestMoney, platformFee } from './money-mode';
export type { Announce, Announcement, Deliver, Delivery, PaymentPorts } from './ports';
export type { OrderRecord, RefundRecord } from './record';
