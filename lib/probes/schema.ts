import { z } from 'zod';
import { loggedExchangeSchema } from '../observability/schema';
import { time } from '../platform/schema';

/** `reach` checks that the agent responds; `run` sends the example of a skill. */
const probeKind = z.enum(['reach', 'run']);
export type ProbeKind = z.infer<typeof probeKind>;

/** An item of `GET /api/agents/{slug}/probes`. */
export const probeSchema = z.object({
  id: z.string(),
  at: time,
  kind: probeKind,
  good: z.boolean(),
  ms: z.number(),
  /** The reason of the failure, and the HTTP exchange with secrets redacted. */
  failure: z.object({ code: z.string(), message: z.string(), wire: loggedExchangeSchema.nullable() }).nullable(),
});
export type ProbeView = z.infer<typeof probeSchema>;
