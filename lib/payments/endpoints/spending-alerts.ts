import { endpoint } from '../../http/endpoint';
import { listSpendingAlerts, setAlertsSeen, setAutomaticEmails } from '..';
import { alertsSeenSchema, automaticEmailsSchema, spendingAlertsSchema } from '../schema-spending-alerts';

export const getSpendingAlerts = endpoint({
  method: 'GET',
  path: '/api/spending/alerts',
  auth: { scope: 'pay' },
  response: spendingAlertsSchema,
  docs: {
    tag: 'Payments',
    summary: 'List your spending alerts',
    description: 'Of the last 90 days, newest first, at most 50.',
  },
  handle: listSpendingAlerts,
});

export const putAlertsSeen = endpoint({
  method: 'PUT',
  path: '/api/spending/alerts/seen',
  auth: 'session',
  body: alertsSeenSchema,
  docs: { tag: 'Payments', summary: 'Mark spending alerts as seen' },
  handle: async ({ ctx, input }) => {
    await setAlertsSeen({ ctx, input });
    return undefined;
  },
});

export const putAutomaticEmails = endpoint({
  method: 'PUT',
  path: '/api/spending/automatic-payments/emails',
  auth: 'session',
  body: automaticEmailsSchema,
  response: automaticEmailsSchema,
  docs: { tag: 'Payments', summary: 'Choose when automatic payments are emailed' },
  handle: setAutomaticEmails,
});
