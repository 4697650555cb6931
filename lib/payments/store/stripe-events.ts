import { type Db, db } from '../../platform/db';

/** Keeps a notice of the card processor, once; false when it is known. */
export async function insertStripeEvent(
  tx: Db,
  { id, type, reference, at }: { id: string; type: string; reference: string; at: Date },
): Promise<boolean> {
  const inserted = await tx.$executeRaw`INSERT INTO stripe_event (id, type, object_id, received_at, done_at)
    VALUES (${id}, ${type}, ${reference}, ${at}, ${at}) ON CONFLICT (id) DO NOTHING`;
  return inserted > 0;
}

/** When the last notice came; null before the first. */
export async function lastEventAt(): Promise<Date | null> {
  const { _max: max } = await db().stripeEvent.aggregate({ _max: { receivedAt: true } });
  return max.receivedAt;
}
