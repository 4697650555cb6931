import { z } from 'zod';
import { time } from '../platform/schema';

/** An undelivered push notification. */
export const undeliveredPushSchema = z.object({
  id: z.string().describe('The same ID as in the `Parley-Delivery` header of its attempts'),
  taskId: z.string(),
  /** The task event that it carried. */
  seq: z.int(),
  url: z.string(),
  reason: z.string(),
  /** Status of the receiver's last response, if any. */
  httpStatus: z.int().nullable(),
  attempts: z.int(),
  at: time,
  answer: z.string().describe('The beginning of the last response of the webhook'),
});
export type UndeliveredPush = z.infer<typeof undeliveredPushSchema>;

/** An item of `GET /api/push/dead-letters`. */
export const deadLetterSchema = undeliveredPushSchema.extend({ configId: z.string() });

/** A push notification config whose last delivery failed. */
const failingReceiverSchema = z.object({
  taskId: z.string(),
  configId: z.string(),
  url: z.string(),
  attempts: z.int(),
  failingSince: time,
  nextTry: time,
  httpStatus: z.int().nullable(),
  answer: z.string(),
});
export type FailingReceiver = z.infer<typeof failingReceiverSchema>;

/** `GET /api/push/deliveries`. */
export const pushOverviewSchema = z.object({
  failing: z.array(failingReceiverSchema),
  undelivered: z.array(undeliveredPushSchema),
});
export type PushOverview = z.infer<typeof pushOverviewSchema>;

/** Body of `POST /api/push/dead-letters/recover`: start inclusive, end exclusive, ISO 8601. */
export const recoveryInputSchema = z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() });
