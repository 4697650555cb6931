import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';
import { getPaymentSettings, setPaymentSettings } from '../payments';
import { paymentSettingsSchema } from '../payments/schema';

/** `GET /api/payments/settings`: above which amount the person wants to be asked for a passkey. */
export const getSettings: Endpoint = jsonRoute({ auth: { scope: 'pay' }, handle: getPaymentSettings });

/** `PUT /api/payments/settings` */
export const putSettings: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  body: paymentSettingsSchema,
  handle: setPaymentSettings,
});
