import { z } from 'zod';
import { COMPONENTS, type StatusView } from '../../status/schema';
import { time } from './common';

const health = z.enum(['up', 'down', 'unknown']);
const share = z.number().min(0).max(1);

export const statusView: z.ZodType<StatusView> = z.object({
  health,
  components: z.array(
    z.object({
      component: z.enum(COMPONENTS),
      health,
      checkedAt: time.nullable(),
      uptime: share.nullable(),
      days: z.array(z.object({ day: z.iso.date(), uptime: share.nullable() })),
    }),
  ),
  incidents: z.array(z.object({ component: z.enum(COMPONENTS), from: time, to: time.nullable(), failed: share })),
});
